import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import * as changes from '../operations/change-pipeline.ts'
import { addLostReason, addStage, changeLostReason, changeStage } from '../operations/change-pipeline.ts'
import { changeAssignment, readAssignment } from '../operations/lead-assignment.ts'
import { initialStage } from '../operations/pipeline.ts'
import { readPipeline } from '../operations/read-pipeline.ts'
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
  summary: 'Get the stages and lost reasons, in order.',
  tag: 'Pipeline',
  tool: {
    title: 'Read the pipeline',
    when: 'Use it to learn the names and ids of stages and lost reasons before you move a lead.',
  },
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
  summary: 'Add a stage. Changes to the pipeline trigger no events.',
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
  summary: 'Rename, recolor, or move a stage, or make it the initial stage.',
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
  summary: 'Delete a stage. Its leads move to the stage in `moveTo`.',
  ...settings,
  subject: 'stage',
  query: z.object({
    moveTo: NameOrId.meta({
      description: 'Name or id of the stage that receives the leads.',
      example: 'Lost',
    }),
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
  summary: 'Delete a lost reason. Leads that have it keep showing it.',
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
  summary: 'Get the rule that assigns new leads without an owner.',
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
  summary: 'Assign new leads to no member, to one member, or to several in turn.',
  ...settings,
  body: AssignmentPatch,
  example: { mode: 'none', members: [] },
  replies: { 200: Assignment },
  refuses: [],
  handle: async (ctx, { body }) => reply(200, await changeAssignment(ctx, body)),
})
