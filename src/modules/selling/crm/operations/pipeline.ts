import type { LostReasonRow, StageRow } from '../queries/pipeline.ts'

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

/** Returns the pipeline of the rows of one workspace, which are in order. */
export function pipelineOf(rows: StageRow[], reasons: LostReasonRow[]): Pipeline {
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

/** Returns the stage for new leads. */
export const initialStage = ({ stages }: Pipeline): StageRow => {
  const stage = stages.find((candidate) => candidate.kind === 'initial')
  if (!stage) throw new Error('a pipeline has lost its initial stage')
  return stage
}
