/**
 * What leads of a workspace refer to, remembered in the process by the version that the database gives it. A transaction asks for
 * the versions alone, and reads again what has another one: it is never older than if it had been read, whichever process changed it.
 */
import type { Unit, Workspace } from '../../../core/context.ts'
import { listReferenceVersions, listTeams } from '../../workspaces/operations/workspaces.ts'
import { type AssignmentRow, listAssignments } from '../queries/pipeline.ts'
import type { LeadWords } from './present-lead.ts'
import { readPipelines } from './read-pipeline.ts'

/** `rule`: who gets new leads that name no owner; without one, nobody. */
export type WorkspaceWords = LeadWords & { rule: AssignmentRow | undefined }

/** `isLasting`: nothing of it goes when the transaction that read it fails. */
type Loaded = { words: WorkspaceWords; isLasting: boolean }

const MAX_WORKSPACES = 2_000
/** Of one workspace; one that has more stages, reasons and people than these is read each time. */
const MAX_ROWS = 500
/** By workspace id, the oldest first. No two databases, and no two states of one, share a version: it is a random id. */
const remembered = new Map<string, { version: string; words: WorkspaceWords }>()

/** The words of workspaces, by workspace id. One that has no pipeline yet gets its first. */
export async function readWords(
  unit: Unit,
  workspaces: Workspace[],
  now: Date,
): Promise<Map<string, WorkspaceWords>> {
  const ids = [...new Set(workspaces.map((workspace) => workspace.id))]
  const unknown = ids.filter((id) => !remembered.has(id))
  // In this order: what is read after its version is at least as new.
  const [rows, first] = await Promise.all([listReferenceVersions(unit.tx, ids), load(unit, unknown, now)])
  const versions = new Map(rows.map((row) => [row.workspaceId, row.version]))
  const words = new Map<string, WorkspaceWords>()
  for (const id of ids) {
    const known = remembered.get(id)
    if (known !== undefined && known.version === versions.get(id)) words.set(id, known.words)
  }
  const stale = ids.filter((id) => !words.has(id) && !first.has(id))
  for (const loaded of [first, await load(unit, stale, now)])
    for (const [id, one] of loaded) {
      words.set(id, one.words)
      const version = versions.get(id)
      if (version !== undefined && one.isLasting) remember(id, version, one.words)
    }
  return words
}

async function load(unit: Unit, ids: string[], now: Date): Promise<Map<string, Loaded>> {
  if (ids.length === 0) return new Map()
  const [{ pipelines, begun }, members, rules] = await Promise.all([
    readPipelines(unit, ids, now),
    listTeams(unit.tx, ids),
    listAssignments(unit.tx, ids),
  ])
  const teams = Map.groupBy(members, (member) => member.workspaceId)
  const ruleOf = new Map(rules.map((rule) => [rule.workspaceId, rule]))
  return new Map(
    ids.map((id) => [
      id,
      {
        words: { pipeline: pipelines.get(id)!, team: teams.get(id) ?? [], rule: ruleOf.get(id) },
        isLasting: !begun.has(id),
      },
    ]),
  )
}

function remember(id: string, version: string, words: WorkspaceWords): void {
  remembered.delete(id)
  const { standing, lostReasons, removedReasons } = words.pipeline
  if (standing.size + lostReasons.length + removedReasons.length + words.team.length > MAX_ROWS) return
  remembered.set(id, { version, words })
  if (remembered.size > MAX_WORKSPACES) remembered.delete(remembered.keys().next().value as string)
}
