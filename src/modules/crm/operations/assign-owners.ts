/** Who gets a new lead that names no owner (docs/decisions/leads.md): nobody, one member, or each in turn. */
import type { Context, Unit } from '../../../core/context.ts'
import { type AssignmentRow, takeTurns } from '../queries/pipeline.ts'
import type { LeadWords } from './present-lead.ts'

type Assignable = { ctx: Context; words: LeadWords; ownerId: string | null | undefined }

/** The members that the rules of their workspaces chose for leads. */
export type AssignedOwners<Item> = Map<Item, string>

/** Chooses owners by `rules` for those that name none; members who left are passed over. */
export async function assignOwners<Item extends Assignable>(
  unit: Unit,
  items: Item[],
  rules: AssignmentRow[],
): Promise<AssignedOwners<Item>> {
  const unowned = items.filter((item) => item.ownerId === undefined)
  const owners: AssignedOwners<Item> = new Map()
  if (unowned.length === 0) return owners
  for (const { workspaceId, mode, memberIds } of rules.toSorted(byWorkspace)) {
    const own = unowned.filter((item) => item.ctx.workspace.id === workspaceId)
    if (own.length === 0) continue
    const team = own[0]!.words.team
    const there = memberIds.filter((id) => team.some((member) => member.id === id))
    if (mode === 'none' || there.length === 0) continue
    const first = mode === 'fixed' ? 0 : await takeTurns(unit.tx, workspaceId, own.length)
    for (const [i, item] of own.entries())
      owners.set(item, there[mode === 'fixed' ? 0 : (first + i) % there.length]!)
  }
  return owners
}

// In one order for everybody, so that two batches do not wait for each other's turns.
const byWorkspace = (a: { workspaceId: string }, b: { workspaceId: string }): number =>
  a.workspaceId < b.workspaceId ? -1 : 1
