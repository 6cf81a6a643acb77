/** Who gets a new lead that names no owner (docs/decisions/leads.md): nobody, one member, or each in turn. */
import type { Context, Unit } from '../../../core/context.ts'
import { type AssignmentRow, takeTurns } from '../queries/pipeline.ts'
import type { WorkspaceWords } from './read-words.ts'

type Assignable = { ctx: Context; words: WorkspaceWords; ownerId: string | null | undefined }

/** The members that the rules of their workspaces chose for leads. */
export type AssignedOwners<Item> = Map<Item, string>

/** Chooses owners by the rules for those that name none; members who left are passed over. */
export async function assignOwners<Item extends Assignable>(
  unit: Unit,
  items: Item[],
): Promise<AssignedOwners<Item>> {
  const owners: AssignedOwners<Item> = new Map()
  const ruled = items.filter(({ ownerId, words: { rule } }) => ownerId === undefined && isGivenOut(rule))
  if (ruled.length === 0) return owners
  const byWorkspace = Map.groupBy(ruled, (item) => item.ctx.workspace.id)
  // In one order for everybody, so that two batches do not wait for each other's turns.
  for (const workspaceId of [...byWorkspace.keys()].sort()) {
    const own = byWorkspace.get(workspaceId)!
    const { rule, team } = own[0]!.words
    const there = rule!.memberIds.filter((id) => team.some((member) => member.id === id))
    if (there.length === 0) continue
    const isFixed = rule!.mode === 'fixed'
    const first = isFixed ? 0 : await takeTurns(unit.tx, workspaceId, own.length)
    for (const [i, item] of own.entries()) owners.set(item, there[isFixed ? 0 : (first + i) % there.length]!)
  }
  return owners
}

const isGivenOut = (rule: AssignmentRow | undefined): boolean => rule !== undefined && rule.mode !== 'none'
