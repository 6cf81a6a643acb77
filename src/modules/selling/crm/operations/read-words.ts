/** Reads the stages, reasons, and members that leads of a workspace refer to, cached by version. */
import type { Unit, Workspace } from '../../../../core/context.ts'
import {
  type Loaded,
  rememberedByVersion,
} from '../../../platform/workspaces/operations/remembered-by-version.ts'
import { listTeams } from '../../../platform/workspaces/operations/workspace-members.ts'
import { type AssignmentRow, listAssignments } from '../queries/pipeline.ts'
import type { LeadWords } from './present-lead.ts'
import { readPipelines } from './read-pipeline.ts'

/** `rule`: who gets new leads without an owner; undefined: no owner. */
export type WorkspaceWords = LeadWords & { rule: AssignmentRow | undefined }

/** Per workspace. A workspace with more stages, reasons, and members is read every time. */
const MAX_ROWS = 500
const wordsOf = rememberedByVersion<WorkspaceWords>()

/**
 * Returns the words of workspaces, by workspace id. Creates a missing default pipeline. With `assumed`,
 * doesn't wait if all are cached; the transaction fails if any has changed.
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
      // A first pipeline disappears if its transaction fails.
      return [id, { value, mayKeep: !begun.has(id) && sizeOf(value) <= MAX_ROWS }]
    }),
  )
}

const sizeOf = ({ pipeline: { standing, lostReasons, removedReasons }, team }: WorkspaceWords): number =>
  standing.size + lostReasons.length + removedReasons.length + team.length
