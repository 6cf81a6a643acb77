import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal, refuseReference } from '../../../../core/errors.ts'
import { connectionIdOf } from './connection-id.ts'
import { listNumbers } from './phone-numbers.ts'

/** A business account at the operator, with the number whose credentials are used for it. */
export type BusinessAccount = { accountId: string; connectionId: string; phoneNumberId: string }

/**
 * Lists the workspace's business accounts, oldest first, each with its first active number, otherwise its
 * first.
 */
export async function listBusinessAccounts(ctx: Context): Promise<BusinessAccount[]> {
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  return [...Map.groupBy(numbers, (number) => number.accountId)].map(([accountId, own]) => ({
    accountId,
    connectionId: connectionIdOf(ctx.workspace.id, accountId),
    phoneNumberId: (own.find((number) => number.state === 'active') ?? own[0]!).id,
  }))
}

/**
 * Returns the account named by `connectionId`, or the only one. Refuses with `invalid_reference`, with
 * `invalid` if there are several and none is named, with `sending_blocked` if the workspace has none.
 */
export async function getBusinessAccount(ctx: Context, connectionId?: string): Promise<BusinessAccount> {
  const accounts = await listBusinessAccounts(ctx)
  if (connectionId !== undefined) {
    const requestedAccount = accounts.find((account) => account.connectionId === connectionId.toLowerCase())
    if (requestedAccount) return requestedAccount
    refuseReference('wabaConnectionId', 'Business account not found. See GET /phone-numbers.')
  }
  if (accounts.length > 1)
    throw invalid([
      {
        path: 'wabaConnectionId',
        message: 'Required: the workspace has several business accounts. See GET /phone-numbers.',
      },
    ])
  const [onlyAccount] = accounts
  if (!onlyAccount)
    throw new Refusal(
      'sending_blocked',
      'No sending number is connected. An admin can connect one in Settings.',
    )
  return onlyAccount
}
