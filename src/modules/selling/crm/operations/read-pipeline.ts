import type { Context, Unit } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import {
  insertLostReasons,
  insertStages,
  type LostReasonRow,
  listLostReasons,
  listStages,
  type StageRow,
} from '../queries/pipeline.ts'
import type { StageKind } from '../schema.ts'
import { type Pipeline, pipelineOf } from './pipeline.ts'

/** The default pipeline of a new workspace. */
const FIRST_STAGES: [string, string, StageKind][] = [
  ['New', '#64748b', 'initial'],
  ['Contacted', '#3b82f6', 'active'],
  ['Qualified', '#8b5cf6', 'active'],
  ['Proposal', '#f59e0b', 'active'],
  ['Won', '#22c55e', 'won'],
  ['Lost', '#ef4444', 'lost'],
]
const FIRST_LOST_REASONS = ['Price', 'No response', 'Chose a competitor', 'Not interested', 'Other']

/**
 * Returns the pipelines of workspaces, by workspace id. Creates the default pipeline if a workspace has none,
 * and lists it in `begun`. Concurrent duplicates insert the same names, and all use the rows of the first.
 */
export async function readPipelines(
  unit: Unit,
  ids: string[],
  now: Date,
): Promise<{ pipelines: Map<string, Pipeline>; begun: Set<string> }> {
  const found = await load(unit, ids)
  const without = ids.filter((id) => found.get(id)!.stages.length === 0)
  const createdIds = new Set(without)
  if (without.length === 0) return { pipelines: found, begun: createdIds }
  await Promise.all([
    insertStages(
      unit.tx,
      without.flatMap((id) => firstStages(id, now)),
    ),
    insertLostReasons(
      unit.tx,
      without.flatMap((id) => firstLostReasons(id, now)),
    ),
  ])
  return { pipelines: await load(unit, ids), begun: createdIds }
}

/** Returns the pipeline of the context's workspace. */
export async function readPipeline(ctx: Context): Promise<Pipeline> {
  const { pipelines } = await readPipelines(ctx, [ctx.workspace.id], ctx.now)
  return pipelines.get(ctx.workspace.id)!
}

async function load(unit: Unit, ids: string[]): Promise<Map<string, Pipeline>> {
  const [stages, lostReasons] = await Promise.all([listStages(unit.tx, ids), listLostReasons(unit.tx, ids)])
  const stagesOf = Map.groupBy(stages, (stage) => stage.workspaceId)
  const reasonsOf = Map.groupBy(lostReasons, (reason) => reason.workspaceId)
  return new Map(ids.map((id) => [id, pipelineOf(stagesOf.get(id) ?? [], reasonsOf.get(id) ?? [])]))
}

const firstStages = (workspaceId: string, createdAt: Date): StageRow[] =>
  FIRST_STAGES.map(([name, color, kind], position) => ({
    workspaceId,
    id: newId(),
    name,
    color,
    kind,
    position,
    createdAt,
    removedAt: null,
    replacedBy: null,
  }))

const firstLostReasons = (workspaceId: string, createdAt: Date): LostReasonRow[] =>
  FIRST_LOST_REASONS.map((label, position) => ({
    workspaceId,
    id: newId(),
    label,
    position,
    createdAt,
    removedAt: null,
  }))
