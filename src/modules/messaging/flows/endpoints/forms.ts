/** Forms that are designed here, and the answers to forms. */
import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage } from '../../../../core/paging.ts'
import { changeForm, createForm, deleteForm, deprecateForm, publishForm } from '../operations/change-forms.ts'
import { getFlow, listAnswers, presentForm } from '../operations/read-form.ts'
import { summarizeForm } from '../operations/summarize-answers.ts'
import type { FlowRow } from '../queries/flows.ts'
import {
  AnswerFilter,
  AnswerPeriod,
  FlowAnswer,
  FlowAnswerSummary,
  FlowDetails,
  FlowPatch,
  NewFlow,
} from '../schema.ts'

const OneFlow = z.object({ flow: FlowDetails })
const shared = {
  tag: 'In-chat forms',
  section: '4.10',
  scope: 'templates:write',
  role: 'agent',
  bucket: 'template-create',
} as const
const REFUSALS = ['conflict', 'meta_error', 'sending_blocked', 'number_banned'] as const
const SCREENS = [
  {
    title: 'Book a visit',
    text: 'We are open from 9 to 6.',
    fields: [
      { name: 'visit_day', kind: 'date', label: 'Day of your visit', required: true },
      {
        name: 'part_of_day',
        kind: 'choice',
        label: 'Part of the day',
        required: true,
        options: ['Morning', 'Evening'],
      },
    ],
    button: 'Send',
  },
] as const

export const getOneFlow = endpoint({
  name: 'getFlow',
  method: 'GET',
  path: '/flows/:id',
  summary: 'Get one in-chat form with its design.',
  description: "`id` is Parley's id or the operator's id.",
  tag: 'In-chat forms',
  section: '4.10',
  scope: 'flows:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'flow',
  replies: { 200: OneFlow },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { flow: presentForm(ctx, await getFlow(ctx, params.id)) }),
})

export const getFlowAnswers = endpoint({
  name: 'listFlowAnswers',
  method: 'GET',
  path: '/flows/:id/answers',
  summary: 'List the answers of customers to an in-chat form, newest first.',
  description:
    'Only answers to forms that were sent with `POST /flows/{id}/send` or as an interactive message. They are deleted with their message.',
  tag: 'In-chat forms',
  section: '4.10',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'flow',
  query: AnswerFilter,
  replies: { 200: cursorPage('answers', FlowAnswer) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) => reply(200, await listAnswers(ctx, params.id, query)),
})

export const getFlowAnswerSummary = endpoint({
  name: 'getFlowAnswerSummary',
  method: 'GET',
  path: '/flows/:id/answers/summary',
  summary: 'Summarize the answers of customers to an in-chat form.',
  description:
    'Counts the options of each question, and shows the smallest, middle, and largest number or date and the newest texts. Reads the newest 20,000 answers of the period. Over 5,000 answers, a workspace runs at most three summaries at the same time; others return `rate_limited`.',
  tag: 'In-chat forms',
  section: '4.10',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'flow',
  query: AnswerPeriod,
  replies: { 200: z.object({ summary: FlowAnswerSummary }) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) =>
    reply(200, { summary: await summarizeForm(ctx, params.id, query) }),
})

export const postFlow = outsideEndpoint({
  ...shared,
  name: 'createFlow',
  method: 'POST',
  path: '/flows',
  summary: 'Create an in-chat form, as a draft.',
  description:
    "Parley translates the screens into the operator's format and creates the form there. `faults` lists errors that the operator found. Send the draft to yourself with `mode: draft`, then publish it.",
  body: NewFlow,
  example: { name: 'Visits in summer', categories: ['APPOINTMENT_BOOKING'], screens: SCREENS },
  replies: { 200: OneFlow },
  refuses: [...REFUSALS, 'invalid_reference'],
  handle: (request, { body }) =>
    request.answering(
      (row: FlowRow) => reply(200, { flow: presentForm(request, row) }),
      (ctx) => createForm(ctx, body),
    ),
})

export const patchFlow = outsideEndpoint({
  ...shared,
  name: 'updateFlow',
  method: 'PATCH',
  path: '/flows/:id',
  summary: 'Change a draft of an in-chat form. New screens replace all screens.',
  subject: 'flow',
  body: FlowPatch,
  example: { screens: SCREENS },
  replies: { 200: OneFlow },
  refuses: ['not_found', ...REFUSALS],
  handle: (request, { params, body }) =>
    request.answering(
      (row: FlowRow | null) => reply(200, { flow: presentForm(request, row!) }),
      (ctx) => changeForm(ctx, params.id, body),
    ),
})

export const postFlowPublish = outsideEndpoint({
  ...shared,
  name: 'publishFlow',
  method: 'POST',
  path: '/flows/:id/publish',
  summary: 'Publish a draft of an in-chat form, so that it can be sent.',
  description: 'A published form cannot be changed. Create a new one, and withdraw the old one.',
  subject: 'flow',
  replies: { 200: OneFlow },
  refuses: ['not_found', ...REFUSALS],
  handle: (request, { params }) =>
    request.answering(
      (row: FlowRow | null) => reply(200, { flow: presentForm(request, row!) }),
      (ctx) => publishForm(ctx, params.id),
    ),
})

export const postFlowDeprecate = outsideEndpoint({
  ...shared,
  name: 'deprecateFlow',
  method: 'POST',
  path: '/flows/:id/deprecate',
  summary: 'Withdraw a published in-chat form: it can neither be sent nor opened any more.',
  subject: 'flow',
  replies: { 200: OneFlow },
  refuses: ['not_found', ...REFUSALS],
  handle: (request, { params }) =>
    request.answering(
      (row: FlowRow | null) => reply(200, { flow: presentForm(request, row!) }),
      (ctx) => deprecateForm(ctx, params.id),
    ),
})

export const deleteFlow = outsideEndpoint({
  ...shared,
  name: 'deleteFlow',
  method: 'DELETE',
  path: '/flows/:id',
  summary: 'Delete a draft of an in-chat form, in Parley and at the operator.',
  subject: 'flow',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found', ...REFUSALS],
  handle: (request, { params }) =>
    request.answering(
      (_gone: FlowRow | null) => reply(200, { ok: true, deleted: true }),
      (ctx) => deleteForm(ctx, params.id),
    ),
})
