import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import * as changes from '../operations/change-pipeline.ts'
import { addLostReason, addStage, changeLostReason, changeStage } from '../operations/change-pipeline.ts'
import { changeAssignment, readAssignment } from '../operations/lead-assignment.ts'
import { initialStage, readPipeline } from '../operations/read-pipeline.ts'
import {
  Assignment,
  AssignmentPatch,
  LostReasonPatch,
  NewLostReason,
  NewStage,
  StagePatch,
} from '../pipeline-schema.ts'
import { LostReason, NameOrId, Pipeline, Stage } from '../schema.ts'

export const getPipeline = endpoint({
  name: 'getPipeline',
  method: 'GET',
  path: '/pipeline',
  summary: 'Stages and lost reasons, in order.',
  tag: 'Pipeline',
  section: '4.5',
  scope: 'crm:read',
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: Pipeline },
  refuses: [],
  handle: async (ctx) => {
    const pipeline = await readPipeline(ctx)
    return reply(200, { ...pipeline, initialStageId: initialStage(pipeline).id })
  },
})

const Removed = z.object({ ok: z.literal(true), deleted: z.literal(true) })
const settings = {
  tag: 'Pipeline',
  section: '2.4a',
  scope: 'crm:write',
  role: 'admin',
  bucket: 'settings-writes',
} as const

export const postStage = endpoint({
  name: 'createStage',
  method: 'POST',
  path: '/pipeline/stages',
  summary: 'Add a stage; restructuring fires no event.',
  ...settings,
  body: NewStage,
  example: { name: 'Negotiation', color: '#0ea5e9', kind: 'active', position: 4 },
  replies: { 201: z.object({ stage: Stage }) },
  refuses: ['conflict'],
  handle: async (ctx, { body }) => reply(201, { stage: await addStage(ctx, body) }),
})

export const patchStage = endpoint({
  name: 'updateStage',
  method: 'PATCH',
  path: '/pipeline/stages/:id',
  summary: 'Rename, recolour or move a stage, or make it the initial one.',
  ...settings,
  subject: 'stage',
  body: StagePatch,
  example: { name: 'In talks', position: 2 },
  replies: { 200: z.object({ stage: Stage }) },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) => reply(200, { stage: await changeStage(ctx, params.id, body) }),
})

export const deleteStage = endpoint({
  name: 'deleteStage',
  method: 'DELETE',
  path: '/pipeline/stages/:id',
  summary: 'Remove a stage; its leads stand in `moveTo` from then on.',
  ...settings,
  subject: 'stage',
  query: z.object({
    moveTo: NameOrId.meta({ description: 'The stage that takes its leads, by name or id.', example: 'Lost' }),
  }),
  replies: { 200: Removed },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, query }) => {
    await changes.deleteStage(ctx, params.id, query.moveTo)
    return reply(200, { ok: true, deleted: true })
  },
})

export const postLostReason = endpoint({
  name: 'createLostReason',
  method: 'POST',
  path: '/pipeline/lost-reasons',
  summary: 'Add a lost reason.',
  ...settings,
  body: NewLostReason,
  example: { label: 'Moved away' },
  replies: { 201: z.object({ lostReason: LostReason }) },
  refuses: ['conflict'],
  handle: async (ctx, { body }) => reply(201, { lostReason: await addLostReason(ctx, body) }),
})

export const patchLostReason = endpoint({
  name: 'updateLostReason',
  method: 'PATCH',
  path: '/pipeline/lost-reasons/:id',
  summary: 'Rename or move a lost reason.',
  ...settings,
  subject: 'lost reason',
  body: LostReasonPatch,
  example: { label: 'Too expensive' },
  replies: { 200: z.object({ lostReason: LostReason }) },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { lostReason: await changeLostReason(ctx, params.id, body) }),
})

export const deleteLostReason = endpoint({
  name: 'deleteLostReason',
  method: 'DELETE',
  path: '/pipeline/lost-reasons/:id',
  summary: 'Remove a lost reason; leads that were lost for it keep showing it.',
  ...settings,
  subject: 'lost reason',
  replies: { 200: Removed },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await changes.deleteLostReason(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const getLeadAssignment = endpoint({
  name: 'getLeadAssignment',
  method: 'GET',
  path: '/pipeline/assignment',
  summary: 'Who gets new leads that name no owner.',
  tag: 'Pipeline',
  section: '2.4a',
  scope: 'crm:read',
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: Assignment },
  refuses: [],
  handle: async (ctx) => reply(200, await readAssignment(ctx)),
})

export const patchLeadAssignment = endpoint({
  name: 'updateLeadAssignment',
  method: 'PATCH',
  path: '/pipeline/assignment',
  summary: 'Give new leads to nobody, to one teammate, or to several in turn.',
  ...settings,
  body: AssignmentPatch,
  example: { mode: 'none', members: [] },
  replies: { 200: Assignment },
  refuses: [],
  handle: async (ctx, { body }) => reply(200, await changeAssignment(ctx, body)),
})
