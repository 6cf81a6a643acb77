import { z } from 'zod'
import { endpoint, outsideEndpoint, reply, replyInPieces } from '../../../../core/endpoint.ts'
import { cursorPage, cursorQuery, idsQuery } from '../../../../core/paging.ts'
import { InstantInput } from '../../../../core/values/text.ts'
import { SearchText } from '../../contacts/schema.ts'
import { chooseVariant } from '../operations/choose-variant.ts'
import {
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
} from '../operations/control-broadcast.ts'
import { createBroadcast } from '../operations/create-broadcast.ts'
import { exportRecipients } from '../operations/export-recipients.ts'
import { moveBroadcast } from '../operations/move-broadcast.ts'
import { answerOf } from '../operations/present-broadcast.ts'
import { getBroadcast, listBroadcasts, readRecipients } from '../operations/read-broadcasts.ts'
import {
  BROADCAST_STATUSES,
  Broadcast,
  BroadcastAnswer,
  BroadcastPatch,
  BroadcastRecipient,
  NewBroadcast,
  RecipientFilter,
  StartBody,
} from '../schema.ts'
import { ChooseBody } from '../variant-schema.ts'

const shared = { tag: 'Campaigns', section: '4.4', scope: 'broadcasts:write', role: 'admin' } as const
const read = {
  tag: 'Campaigns',
  section: '4.4',
  scope: 'broadcasts:read',
  role: 'viewer',
  bucket: 'reads',
} as const
const GATES = [
  'invalid_reference',
  'number_banned',
  'sending_blocked',
  'meta_error',
  'invalid_template_parameters',
  'template_header_media_required',
  'quota_exceeded',
  'notice_to_new_recipients',
  'follow_up_notice_template',
  'new_recipients_unconfirmed',
  'new_recipient_cool_off',
  'follow_up_too_soon',
] as const
const OneBroadcast = z.object({ broadcast: Broadcast })

export const postBroadcast = endpoint({
  ...shared,
  name: 'createBroadcast',
  method: 'POST',
  path: '/broadcasts',
  summary: 'Create a campaign: start it immediately, schedule it, or save a draft.',
  description:
    'Parley checks everything before it stores anything. Errors about recipients contain `message`, `newRecipients`, and `knownRecipients`. Recipients who never messaged you receive the campaign gradually, within a daily limit for each number, so a campaign can run for several days.',
  bucket: 'broadcast-create',
  critical: true,
  body: NewBroadcast,
  example: {
    name: 'Diwali offer',
    templateId: '0197a1b2-0000-7000-8000-000000000041',
    phoneNumberId: '0197a1b2-0000-7000-8000-000000000042',
    segment: { tags: ['vip'], excludeTags: ['staff'] },
    sendNow: true,
  },
  replies: { 201: BroadcastAnswer },
  refuses: [...GATES],
  handle: async (ctx, { body }) => reply(201, answerOf(await createBroadcast(ctx, body))),
})

export const getBroadcasts = endpoint({
  ...read,
  name: 'listBroadcasts',
  method: 'GET',
  path: '/broadcasts',
  summary: 'List campaigns with live counts, newest first.',
  query: z.object({
    ...cursorQuery,
    ...idsQuery,
    status: z
      .enum(BROADCAST_STATUSES, `Must be one of ${BROADCAST_STATUSES.join(', ')}.`)
      .optional()
      .meta({ description: 'Only campaigns in this state.' }),
    search: SearchText.optional().meta({ description: 'Part of a name.' }),
    from: InstantInput.optional().meta({
      description: 'Only campaigns that started, or are scheduled, at this time or later.',
    }),
    to: InstantInput.optional().meta({
      description: 'Only campaigns that started, or are scheduled, before this time.',
    }),
  }),
  tool: { title: 'List campaigns', when: 'Use it to see planned, running, and finished campaigns.' },
  replies: { 200: cursorPage('broadcasts', Broadcast) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listBroadcasts(ctx, query)),
})

export const getOneBroadcast = endpoint({
  ...read,
  name: 'getBroadcast',
  method: 'GET',
  path: '/broadcasts/:id',
  summary: 'Get one campaign with its delivery progress.',
  subject: 'campaign',
  tool: { title: 'Read a campaign', when: 'Use it to see the progress of one campaign.' },
  replies: { 200: OneBroadcast },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { broadcast: await getBroadcast(ctx, params.id) }),
})

export const patchBroadcast = endpoint({
  ...shared,
  name: 'moveBroadcast',
  method: 'PATCH',
  path: '/broadcasts/:id',
  summary: 'Schedule a draft, or move a scheduled campaign to another time.',
  description: 'Parley checks everything again for the new time before it moves the campaign.',
  section: '4.10',
  subject: 'campaign',
  bucket: 'broadcast-cancel',
  body: BroadcastPatch,
  example: { scheduledAt: '2026-11-08T09:30:00.000Z' },
  replies: { 200: OneBroadcast },
  refuses: ['not_found', 'conflict', ...GATES],
  handle: async (ctx, { params, body }) => {
    const { id } = await moveBroadcast(ctx, params.id, body.scheduledAt)
    return reply(200, { broadcast: await getBroadcast(ctx, id) })
  },
})

export const deleteBroadcast = endpoint({
  ...shared,
  name: 'cancelBroadcast',
  method: 'DELETE',
  path: '/broadcasts/:id',
  summary: 'Cancel a campaign. Messages that are already submitted cannot be recalled.',
  subject: 'campaign',
  bucket: 'broadcast-cancel',
  replies: { 200: BroadcastAnswer },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) => reply(200, answerOf(await cancelBroadcast(ctx, params.id))),
})

export const postBroadcastStart = endpoint({
  ...shared,
  name: 'startBroadcast',
  method: 'POST',
  path: '/broadcasts/:id/start',
  summary: 'Start a draft, or a scheduled campaign before its time. All checks run again.',
  subject: 'campaign',
  bucket: 'broadcast-create',
  critical: true,
  bodyOptional: true,
  body: StartBody,
  example: { confirmNewRecipients: true },
  replies: { 200: BroadcastAnswer },
  refuses: ['not_found', 'conflict', ...GATES],
  handle: async (ctx, { params, body }) =>
    reply(200, answerOf(await startBroadcast(ctx, params.id, body.confirmNewRecipients))),
})

export const postBroadcastPause = endpoint({
  ...shared,
  name: 'pauseBroadcast',
  method: 'POST',
  path: '/broadcasts/:id/pause',
  summary: 'Pause a campaign. No more messages are submitted until it is resumed.',
  subject: 'campaign',
  bucket: 'broadcast-cancel',
  replies: { 200: BroadcastAnswer },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) => reply(200, answerOf(await pauseBroadcast(ctx, params.id))),
})

export const postBroadcastResume = endpoint({
  ...shared,
  name: 'resumeBroadcast',
  method: 'POST',
  path: '/broadcasts/:id/resume',
  summary: 'Resume a paused campaign. A campaign that Parley paused also resumes automatically.',
  subject: 'campaign',
  bucket: 'broadcast-cancel',
  critical: true,
  replies: { 200: BroadcastAnswer },
  refuses: [
    'not_found',
    'conflict',
    'number_banned',
    'sending_blocked',
    'quota_exceeded',
    'meta_error',
    'invalid_template_parameters',
    'template_header_media_required',
  ],
  handle: async (ctx, { params }) => reply(200, answerOf(await resumeBroadcast(ctx, params.id))),
})

export const postBroadcastChoose = endpoint({
  ...shared,
  name: 'chooseBroadcastVariant',
  method: 'POST',
  path: '/broadcasts/:id/choose',
  summary: 'Choose the variant of a campaign that the rest of its audience gets.',
  description:
    'For a campaign that compares templates, after its sample is sent. Parley no longer chooses a variant itself.',
  section: '4.10',
  subject: 'campaign',
  bucket: 'broadcast-cancel',
  critical: true,
  body: ChooseBody,
  example: { variant: 'B' },
  replies: { 200: OneBroadcast },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params, body }) => {
    const { id } = await chooseVariant(ctx, params.id, body.variant)
    return reply(200, { broadcast: await getBroadcast(ctx, id) })
  },
})

export const getBroadcastRecipients = outsideEndpoint({
  ...read,
  name: 'listBroadcastRecipients',
  method: 'GET',
  path: '/broadcasts/:id/recipients',
  summary:
    'List the recipients of a campaign, each with its state and the reason. As a page, or all recipients as CSV.',
  section: '4.10',
  subject: 'campaign',
  query: RecipientFilter,
  replies: { 200: cursorPage('recipients', BroadcastRecipient) },
  alsoAs: {
    'text/csv':
      "With `format=csv`: `contactId,phone,name,status,reason,messageId,errorCode,response`, one line for each recipient. A campaign that compares templates has the columns `variant` and `template` at the end; `template` is the name of the template that was sent. A value that a spreadsheet could read as a formula, phone numbers included, starts with `'`.",
  },
  refuses: ['not_found'],
  handle: async ({ transaction }, { params, query }) =>
    query.format === 'csv'
      ? replyInPieces(await exportRecipients(transaction, params.id, query))
      : reply(200, await transaction((ctx) => readRecipients(ctx, params.id, query))),
})
