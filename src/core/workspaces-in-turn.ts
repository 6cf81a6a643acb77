import type { Workspace } from './context.ts'

const MAX_REMEMBERED = 1_000

/** Does work for each workspace, and returns the total amount. */
export type InTurn = (
  workspaces: Iterable<Workspace>,
  work: (workspace: Workspace) => Promise<number>,
) => Promise<number>

/**
 * Returns a runner of work for one workspace after another. It stops at the first fault, because the database may be down. A
 * workspace with a fault comes last until its work succeeds, so that it does not block the others.
 */
export function workspacesInTurn(): InTurn {
  const faulty = new Set<string>()
  return async (workspaces, work) => {
    const isFaulty = ({ id }: Workspace): number => (faulty.has(id) ? 1 : 0)
    let done = 0
    for (const workspace of [...workspaces].sort((a, b) => isFaulty(a) - isFaulty(b)))
      try {
        done += await work(workspace)
        faulty.delete(workspace.id)
      } catch (error) {
        if (faulty.size >= MAX_REMEMBERED) faulty.clear()
        faulty.add(workspace.id)
        throw error
      }
    return done
  }
}
