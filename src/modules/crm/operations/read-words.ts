/** What leads of a workspace refer to, remembered by its version. */
import type { Unit, Workspace } from '../../../core/context.ts'
import { type Loaded, rememberedByVersion } from '../../workspaces/operations/remembered-by-version.ts'
import { listTeams } from '../../workspaces/operations/workspace-members.ts'
import { type AssignmentRow, listAssignments } from '../queries/pipeline.ts'
import type { LeadWords } from './present-lead.ts'
import { readPipelines } from './read-pipeline.ts'

/** `rule`: who gets new leads that name no owner; without one, nobody. */
export type WorkspaceWords = LeadWords & { rule: AssignmentRow | undefined }

/** Of one workspace; one that has more stages, reasons and people than these is read each time. */
const MAX_ROWS = 500
const wordsOf = rememberedByVersion<WorkspaceWords>()

/**
 * The words of workspaces, by workspace id. One that has no pipeline yet gets its first. `assumed`: nothing is waited for where all
 * are remembered, and the transaction fails by itself when some of them have changed.
 */
export const readWords = (
  unit: Unit,
  workspaces: Workspace[],
  now: Date,
  { assumed = false } = {},
): Promise<Map<string, WorkspaceWords>> =>
  wordsOf[assumed ? 'assume' : 'read'](
    unit,
    workspaces.map((workspace) => workspace.id),
    (ids) => load(unit, ids, now),
  )

async function load(unit: Unit, ids: string[], now: Date): Promise<Map<string, Loaded<WorkspaceWords>>> {
  const [{ pipelines, begun }, members, rules] = await Promise.all([
    readPipelines(unit, ids, now),
    listTeams(unit.tx, ids),
    listAssignments(unit.tx, ids),
  ])
  const teams = Map.groupBy(members, (member) => member.workspaceId)
  const ruleOf = new Map(rules.map((rule) => [rule.workspaceId, rule]))
  return new Map(
    ids.map((id) => {
      const value = { pipeline: pipelines.get(id)!, team: teams.get(id) ?? [], rule: ruleOf.get(id) }
      // A first pipeline goes when the transaction that made it fails.
      return [id, { value, mayKeep: !begun.has(id) && sizeOf(value) <= MAX_ROWS }]
    }),
  )
}

const sizeOf = ({ pipeline: { standing, lostReasons, removedReasons }, team }: WorkspaceWords): number =>
  standing.size + lostReasons.length + removedReasons.length + team.length
