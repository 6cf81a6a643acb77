/**
 * Assigns new leads that name no owner (DECISIONS.md "Leads"): no owner, one member, or each member in turn.
 */
import type { Context, Unit } from '../../../../core/context.ts'
import { type AssignmentRow, takeTurns } from '../queries/pipeline.ts'
import type { WorkspaceWords } from './read-words.ts'

type Assignable = { ctx: Context; words: WorkspaceWords; ownerId: string | null | undefined }

/** The owners that the rules of their workspaces chose. */
export type AssignedOwners<Item> = Map<Item, string>

/** Chooses owners by the rules for leads that name no owner. Former members are skipped. */
export async function assignOwners<Item extends Assignable>(
  unit: Unit,
  items: Item[],
): Promise<AssignedOwners<Item>> {
  const owners: AssignedOwners<Item> = new Map()
  const itemsOfRule = items.filter(
    ({ ownerId, words: { rule } }) => ownerId === undefined && isGivenOut(rule),
  )
  if (itemsOfRule.length === 0) return owners
  const byWorkspace = Map.groupBy(itemsOfRule, (item) => item.ctx.workspace.id)
  // Every batch uses the same order, so that two batches don't deadlock.
  for (const workspaceId of [...byWorkspace.keys()].sort()) {
    const own = byWorkspace.get(workspaceId)!
    const { rule, team } = own[0]!.words
    const presentIds = rule!.memberIds.filter((id) => team.some((member) => member.id === id))
    if (presentIds.length === 0) continue
    const isFixed = rule!.mode === 'fixed'
    const first = isFixed ? 0 : await takeTurns(unit.tx, workspaceId, own.length)
    for (const [i, item] of own.entries())
      owners.set(item, presentIds[isFixed ? 0 : (first + i) % presentIds.length]!)
  }
  return owners
}

const isGivenOut = (rule: AssignmentRow | undefined): boolean => rule !== undefined && rule.mode !== 'none'
