import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { parsePhone } from '../../../../core/values/phone.ts'
import { PhoneNumber } from '../../workspaces/schema.ts'
import {
  changeNumber,
  checkNumber,
  connectNumber,
  operatorCallbackUrl,
  removeNumber,
} from '../operations/numbers.ts'
import { Secret } from '../schema.ts'
import { DASHBOARD } from './session.ts'

const ADMIN = {
  ...DASHBOARD,
  role: 'admin',
  subject: 'phoneNumber',
  bucket: 'settings-writes',
  fresh: true,
} as const

const E164 = z
  .string()
  .max(20)
  .refine(
    (number) => number.startsWith('+') && parsePhone(number, '1') === number,
    'Must be a phone number in E.164 format, such as +14155550100.',
  )
const OperatorId = z.string().regex(/^\d{5,30}$/, 'Must be an id from the operator, digits only.')
const NumberReply = z.object({ number: PhoneNumber })

const NewNumber = z.discriminatedUnion('operator', [
  z.strictObject({ operator: z.literal('simulator'), number: E164 }),
  z.strictObject({
    operator: z.literal('cloud'),
    number: E164,
    accountId: OperatorId,
    operatorId: OperatorId,
    token: Secret,
    appSecret: Secret,
    verifyToken: z.string().min(8).max(200).optional(),
  }),
])

export const postNumber = endpoint({
  ...DASHBOARD,
  name: 'connectNumber',
  method: 'POST',
  path: '/numbers',
  summary: 'Connect a number. The verify token, for the webhook at the operator, is shown only once.',
  role: 'admin',
  bucket: 'settings-writes',
  fresh: true,
  body: NewNumber,
  replies: { 201: NumberReply.extend({ callbackUrl: z.string(), verifyToken: z.string() }) },
  refuses: ['conflict', 'sandbox'],
  handle: async (ctx, { body }) => {
    const connected = await connectNumber(ctx, body)
    return reply(201, { ...connected, callbackUrl: operatorCallbackUrl(ctx) })
  },
})

export const patchNumber = endpoint({
  ...ADMIN,
  name: 'updateNumber',
  method: 'PATCH',
  path: '/numbers/:id',
  summary: "Replace a number's credentials, or its daily limit of new recipients.",
  body: z.strictObject({
    token: Secret.optional(),
    appSecret: Secret.optional(),
    verifyToken: z.string().min(8).max(200).optional(),
    dailyNewRecipients: z.number().int().min(1).max(1_000_000).optional(),
  }),
  replies: { 200: NumberReply },
  refuses: ['not_found'],
  handle: async (ctx, { params, body }) => reply(200, { number: await changeNumber(ctx, params.id, body) }),
})

export const deleteNumber = endpoint({
  ...ADMIN,
  name: 'disconnectNumber',
  method: 'DELETE',
  path: '/numbers/:id',
  summary: 'Disconnect a number. Its credentials are deleted, and its chats are kept.',
  replies: { 200: NumberReply },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { number: await removeNumber(ctx, params.id) }),
})

export const postNumberCheck = outsideEndpoint({
  ...DASHBOARD,
  name: 'checkNumber',
  method: 'POST',
  path: '/numbers/:id/check',
  summary: 'Check the state of a number at the operator now.',
  role: 'admin',
  subject: 'phoneNumber',
  bucket: 'settings-writes',
  replies: { 200: NumberReply.extend({ ok: z.boolean(), problem: z.string().nullable() }) },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) => reply(200, await checkNumber(ctx, params.id)),
})
