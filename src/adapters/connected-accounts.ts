import type { Accounts } from '../http/callbacks/signed-callback.ts'

const MAX_REMEMBERED = 10_000

/**
 * Returns the connected accounts of workspaces for a callback, one each. Caches only whether a workspace had
 * one (docs/decisions/rate-limits.md); the account itself is looked up each time.
 */
export function connectedAccounts<Account>(
  find: (workspaceId: string) => Promise<Account | undefined>,
): Accounts<Account> {
  const connected = new Set<string>()
  return {
    async list(workspaceId) {
      const found = await find(workspaceId)
      connected.delete(workspaceId)
      if (!found) return []
      if (connected.size >= MAX_REMEMBERED) connected.clear()
      connected.add(workspaceId)
      return [found]
    },
    remembers: (workspaceId) => connected.has(workspaceId),
  }
}
