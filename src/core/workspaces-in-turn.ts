import type { Workspace } from './context.ts'

const MAX_REMEMBERED = 1_000

/** Does some work for each workspace, and answers how much it was in all. */
export type InTurn = (
  workspaces: Iterable<Workspace>,
  work: (workspace: Workspace) => Promise<number>,
) => Promise<number>

/**
 * Makes what goes from workspace to workspace. It ends at the first fault, since the database may be away; workspaces at which
 * it ended come last from then on, until their work is done, so that one whose work cannot be done holds up no other.
 */
export function workspacesInTurn(): InTurn {
  const faulty = new Set<string>()
  return async (workspaces, work) => {
    const isFaulty = ({ id }: Workspace): number => (faulty.has(id) ? 1 : 0)
    let done = 0
    for (const workspace of [...workspaces].sort((one, other) => isFaulty(one) - isFaulty(other)))
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
