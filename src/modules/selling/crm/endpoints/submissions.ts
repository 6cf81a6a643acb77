import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage } from '../../../../core/paging.ts'
import {
  changeSubmission,
  listSubmissions,
  mapSubmission,
  showSubmission,
} from '../operations/submissions.ts'
import { Lead } from '../schema.ts'
import {
  OPEN_MAX,
  Submission,
  SubmissionMapping,
  SubmissionPatch,
  SubmissionQuery,
  SubmissionSummary,
} from '../submission-schema.ts'

const shared = { tag: 'Leads', section: '1' } as const
const read = { ...shared, scope: 'crm:read', role: 'viewer', bucket: 'reads' } as const
const write = {
  ...shared,
  scope: 'crm:write',
  role: 'agent',
  bucket: 'crm-writes',
  subject: 'submission',
} as const

const open = z
  .number()
  .int()
  .meta({ description: `Number of submissions that need attention. The count stops at ${OPEN_MAX}.` })

export const getLeadSubmissions = endpoint({
  ...read,
  name: 'listLeadSubmissions',
  method: 'GET',
  path: '/lead-submissions',
  summary: 'List submissions at the capture link that did not become leads automatically, newest first.',
  description:
    'Parley keeps submissions for 30 days. Use `state` to list those that became leads or were dismissed.',
  query: SubmissionQuery,
  replies: { 200: cursorPage('submissions', SubmissionSummary).extend({ open }) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listSubmissions(ctx, query)),
})

export const getLeadSubmission = endpoint({
  ...read,
  name: 'getLeadSubmission',
  method: 'GET',
  path: '/lead-submissions/:id',
  summary: 'Get one submission with its fields and its original body.',
  subject: 'submission',
  replies: { 200: z.object({ submission: Submission }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { submission: await showSubmission(ctx, params.id) }),
})

export const postSubmissionLead = endpoint({
  ...write,
  name: 'createLeadFromSubmission',
  method: 'POST',
  path: '/lead-submissions/:id/lead',
  summary: 'Create a lead from a submission: map its fields, or enter the phone number.',
  description:
    'The lead, its events, and its timeline are the same as for a submission that Parley understood. Unless `remember` is false, Parley reads the next submissions with the same form and fields in the same way.',
  body: SubmissionMapping,
  example: { fields: { 'answers.q7': 'phone', 'answers.q2': 'name', 'answers.q9': 'attributes.budget' } },
  replies: {
    200: z.object({ created: z.literal(false), lead: Lead, submission: SubmissionSummary }),
    201: z.object({ created: z.literal(true), lead: Lead, submission: SubmissionSummary }),
  },
  refuses: ['not_found', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { params, body }) => {
    const result = await mapSubmission(ctx, params.id, body)
    return result.created
      ? reply(201, { ...result, created: true })
      : reply(200, { ...result, created: false })
  },
})

export const patchLeadSubmission = endpoint({
  ...write,
  name: 'updateLeadSubmission',
  method: 'PATCH',
  path: '/lead-submissions/:id',
  summary: 'Dismiss a submission, or restore it.',
  body: SubmissionPatch,
  example: { state: 'dismissed' },
  replies: { 200: z.object({ submission: SubmissionSummary }) },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, { submission: await changeSubmission(ctx, params.id, body) }),
})
