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

/**
 * Stages and lost reasons of a workspace, in order. Removed ones are separate, for leads that still refer to
 * them.
 */
export type Pipeline = {
  stages: StageRow[]
  lostReasons: LostReasonRow[]
  removedStages: StageRow[]
  removedReasons: LostReasonRow[]
  /** The current stage for every stage id, including removed stages. */
  standing: Map<string, StageRow>
}

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

/** Returns the stage for new leads. */
export const initialStage = ({ stages }: Pipeline): StageRow => {
  const stage = stages.find((candidate) => candidate.kind === 'initial')
  if (!stage) throw new Error('a pipeline has lost its initial stage')
  return stage
}

async function load(unit: Unit, ids: string[]): Promise<Map<string, Pipeline>> {
  const [stages, lostReasons] = await Promise.all([listStages(unit.tx, ids), listLostReasons(unit.tx, ids)])
  const stagesOf = Map.groupBy(stages, (stage) => stage.workspaceId)
  const reasonsOf = Map.groupBy(lostReasons, (reason) => reason.workspaceId)
  return new Map(ids.map((id) => [id, pipelineOf(stagesOf.get(id) ?? [], reasonsOf.get(id) ?? [])]))
}

function pipelineOf(rows: StageRow[], reasons: LostReasonRow[]): Pipeline {
  const stages = rows.filter((stage) => stage.removedAt === null)
  const removedStages = rows.filter((stage) => stage.removedAt !== null)
  return {
    stages,
    lostReasons: reasons.filter((reason) => reason.removedAt === null),
    removedStages,
    removedReasons: reasons.filter((reason) => reason.removedAt !== null),
    standing: currentStages(stages, removedStages),
  }
}

/**
 * Maps every stage to its current stage. Each chain of removed stages is walked once, because results on the
 * way are stored.
 */
function currentStages(stages: StageRow[], removedStages: StageRow[]): Map<string, StageRow> {
  const currentOf = new Map(stages.map((stage) => [stage.id, stage]))
  const nextOf = new Map(removedStages.map((stage) => [stage.id, stage.replacedBy]))
  for (const { id } of removedStages) {
    const path: string[] = []
    let current: string | null | undefined = id
    for (; current && !currentOf.has(current); current = nextOf.get(current)) {
      path.push(current)
      if (path.length > removedStages.length) throw new Error(`the removed stage ${id} leads to no stage`)
    }
    const last = current ? currentOf.get(current) : undefined
    if (last) for (const passed of path) currentOf.set(passed, last)
  }
  return currentOf
}

/** Returns whether the pipeline was read after this stage was created. */
export const knowsStage = ({ standing }: Pipeline, id: string): boolean => standing.has(id)

/** Returns the current stage for this stage id: itself or its replacement. */
export function standingStage({ standing }: Pipeline, id: string): StageRow {
  const stage = standing.get(id)
  if (!stage) throw new Error(`the lead's stage is unknown: ${id}`)
  return stage
}

/** Returns every stage id that leads to this stage: its own, and those of stages it replaced. */
export const stageIdsOf = ({ removedStages, standing }: Pipeline, stageId: string): string[] => [
  stageId,
  ...removedStages.filter(({ id }) => standing.get(id)?.id === stageId).map(({ id }) => id),
]

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
