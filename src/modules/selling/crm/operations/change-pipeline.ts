/**
 * Restructures the pipeline (DECISIONS.md "Leads"). Fires no event (spec 3) and writes no lead: a removed
 * stage is read as its replacement.
 */
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { isSameName } from '../../../../core/resolve.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import type { LostReasonPatch, NewLostReason, NewStage, StagePatch } from '../pipeline-schema.ts'
import {
  insertLostReasons,
  insertStages,
  type LostReasonRow,
  lockStages,
  type StageRow,
  updateLostReasons,
  updateStages,
} from '../queries/pipeline.ts'
import { insertAt } from './insert-at.ts'
import type { Pipeline } from './pipeline.ts'
import { readPipeline } from './read-pipeline.ts'
import { resolveStage } from './references.ts'

const MAX_STAGES = 50
const MAX_REASONS = 50
/** Removed rows are read with the pipeline, so their number is limited. */
const MAX_REMOVED = 1_000

/** Reads and locks the pipeline. Concurrent changes of it run one after the other. */
async function pipelineForUpdate(ctx: Context): Promise<Pipeline> {
  await readPipeline(ctx)
  await lockStages(ctx.tx, ctx.workspace.id)
  return readPipeline(ctx)
}

const tooManyRemoved = (items: string): string =>
  `This pipeline already has ${MAX_REMOVED} removed ${items}, the limit. Rename one of the others instead.`

function logged(ctx: Context, change: string, { id, name }: { id: string; name: string }): Promise<void> {
  touch(ctx, { pipeline: id })
  return recordActivity(ctx, 'pipeline.changed', { change, id, name })
}

export async function addStage(ctx: Context, body: NewStage): Promise<StageRow> {
  const { stages, removedStages } = await pipelineForUpdate(ctx)
  if (stages.length >= MAX_STAGES)
    refuse('conflict', `Stage limit reached (${MAX_STAGES}). Delete one first.`)
  if (removedStages.length >= MAX_REMOVED) refuse('conflict', tooManyRemoved('stages'))
  refuseTaken(stages, body.name, undefined)
  const stage: StageRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    name: body.name,
    color: body.color,
    kind: body.kind,
    position: 0,
    createdAt: ctx.now,
    removedAt: null,
    replacedBy: null,
  }
  const orderedStages = insertAt(stages, stage, body.position ?? stages.length)
  await updateStages(
    ctx.tx,
    orderedStages.filter((candidate) => candidate.id !== stage.id),
  )
  const added = orderedStages.find((candidate) => candidate.id === stage.id)!
  await insertStages(ctx.tx, [added])
  await logged(ctx, 'stage added', added)
  return added
}

export async function changeStage(ctx: Context, ref: string, patch: StagePatch): Promise<StageRow> {
  const { stages } = await pipelineForUpdate(ctx)
  const before = stageById(stages, ref)
  const { id } = before
  if (patch.name !== undefined) refuseTaken(stages, patch.name, id)
  if (before.kind === 'initial' && patch.kind !== undefined && patch.kind !== 'initial')
    refuse('conflict', 'A pipeline must have exactly one initial stage. Make another stage initial instead.')
  const after = {
    ...before,
    name: patch.name ?? before.name,
    color: patch.color ?? before.color,
    kind: patch.kind ?? before.kind,
  }
  // If the initial stage changes, the former one becomes active first, so that there are never two.
  const otherStages = stages
    .filter((stage) => stage.id !== id)
    .map((stage) =>
      after.kind === 'initial' && stage.kind === 'initial' ? { ...stage, kind: 'active' as const } : stage,
    )
  const orderedStages = insertAt(otherStages, after, patch.position ?? stages.indexOf(before))
  await updateStages(
    ctx.tx,
    orderedStages.filter((stage) => stage.id !== id),
  )
  const changedStage = orderedStages.find((stage) => stage.id === id)!
  await updateStages(ctx.tx, [changedStage])
  await logged(ctx, 'stage changed', changedStage)
  return changedStage
}

/** Removes a stage. Its leads belong to `moveTo` from now on. */
export async function deleteStage(ctx: Context, ref: string, moveTo: string): Promise<void> {
  const pipeline = await pipelineForUpdate(ctx)
  const stage = stageById(pipeline.stages, ref)
  const { id } = stage
  if (stage.kind === 'initial')
    refuse('conflict', "The initial stage can't be deleted. Make another stage initial first.")
  const target = resolveStage(moveTo, pipeline)
  if (target instanceof Refusal)
    throw invalid([{ path: 'moveTo', message: target.message.replace(/^stage: /, '') }])
  if (target.id === id) throw invalid([{ path: 'moveTo', message: 'Must be another stage.' }])
  const left = pipeline.stages
    .filter((stage) => stage.id !== id)
    .map((stage, position) => ({ ...stage, position }))
  // Stages that it replaced get its target, so that every replacement is one step away.
  const earlierStages = pipeline.removedStages.filter(
    ({ id: removedId }) => pipeline.standing.get(removedId)?.id === id,
  )
  await updateStages(ctx.tx, [
    { ...stage, removedAt: ctx.now, replacedBy: target.id },
    ...earlierStages.map((removed) => ({ ...removed, replacedBy: target.id })),
  ])
  await updateStages(ctx.tx, left)
  await logged(ctx, 'stage removed', stage)
}

export async function addLostReason(ctx: Context, body: NewLostReason): Promise<LostReasonRow> {
  const { lostReasons, removedReasons } = await pipelineForUpdate(ctx)
  if (lostReasons.length >= MAX_REASONS)
    refuse('conflict', `Lost reason limit reached (${MAX_REASONS}). Delete one first.`)
  if (removedReasons.length >= MAX_REMOVED) refuse('conflict', tooManyRemoved('lost reasons'))
  refuseLabelTaken(lostReasons, body.label, undefined)
  const reason: LostReasonRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    label: body.label,
    position: 0,
    createdAt: ctx.now,
    removedAt: null,
  }
  const orderedReasons = insertAt(lostReasons, reason, body.position ?? lostReasons.length)
  await updateLostReasons(
    ctx.tx,
    orderedReasons.filter((candidate) => candidate.id !== reason.id),
  )
  const added = orderedReasons.find((candidate) => candidate.id === reason.id)!
  await insertLostReasons(ctx.tx, [added])
  await logged(ctx, 'lost reason added', { id: added.id, name: added.label })
  return added
}

export async function changeLostReason(
  ctx: Context,
  ref: string,
  patch: LostReasonPatch,
): Promise<LostReasonRow> {
  const { lostReasons } = await pipelineForUpdate(ctx)
  const before = reasonOf(lostReasons, ref)
  const { id } = before
  if (patch.label !== undefined) refuseLabelTaken(lostReasons, patch.label, id)
  const after = { ...before, label: patch.label ?? before.label }
  const otherReasons = lostReasons.filter((reason) => reason.id !== id)
  const orderedReasons = insertAt(otherReasons, after, patch.position ?? lostReasons.indexOf(before))
  await updateLostReasons(ctx.tx, orderedReasons)
  await logged(ctx, 'lost reason changed', { id, name: after.label })
  return orderedReasons.find((reason) => reason.id === id)!
}

/** Removes a lost reason. Leads with this reason keep showing it. */
export async function deleteLostReason(ctx: Context, ref: string): Promise<void> {
  const { lostReasons } = await pipelineForUpdate(ctx)
  const reason = reasonOf(lostReasons, ref)
  const { id } = reason
  const left = lostReasons
    .filter((reason) => reason.id !== id)
    .map((reason, position) => ({ ...reason, position }))
  await updateLostReasons(ctx.tx, [{ ...reason, removedAt: ctx.now }, ...left])
  await logged(ctx, 'lost reason removed', { id, name: reason.label })
}

/** Returns the stage with this id, in upper or lower case. */
const stageById = (stages: StageRow[], ref: string): StageRow =>
  stages.find((stage) => stage.id === ref.toLowerCase()) ??
  refuse('not_found', 'Stage not found. See GET /pipeline.')

const reasonOf = (reasons: LostReasonRow[], ref: string): LostReasonRow =>
  reasons.find((reason) => reason.id === ref.toLowerCase()) ??
  refuse('not_found', 'Lost reason not found. See GET /pipeline.')

function refuseTaken(stages: StageRow[], name: string, id: string | undefined): void {
  const namesake = stages.find((stage) => stage.id !== id && isSameName(stage.name, name))
  if (namesake)
    refuse(
      'conflict',
      `The stage ${namesake.id} is already called "${namesake.name}". Choose another name.`,
      {
        id: namesake.id,
      },
    )
}

function refuseLabelTaken(reasons: LostReasonRow[], label: string, id: string | undefined): void {
  const namesake = reasons.find((reason) => reason.id !== id && isSameName(reason.label, label))
  if (namesake)
    refuse(
      'conflict',
      `The lost reason ${namesake.id} is already called "${namesake.label}". Choose another name.`,
      { id: namesake.id },
    )
}
