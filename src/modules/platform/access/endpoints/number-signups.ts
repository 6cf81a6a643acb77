import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { Instant } from '../../../../core/values/text.ts'
import { continueSignup } from '../operations/continue-signup.ts'
import {
  discardSignup,
  getSignup,
  listSignups,
  type ShownSignup,
  startSignup,
} from '../operations/number-signup.ts'
import { SIGNUP_PROBLEMS } from '../queries/number-signups.ts'
import { DASHBOARD } from './session.ts'

const OWN = { ...DASHBOARD, role: 'admin', subject: 'numberSignup' } as const

/** A connection of a number with the operator's hosted signup. */
const NumberSignup = z.object({
  id: Id,
  state: z.enum(['open', 'working', 'unfinished', 'choosing', 'connected', 'cancelled', 'failed']).meta({
    description:
      "open: the operator's page is open. working: a request continues it. unfinished: it can be continued. choosing: the owner shared several numbers.",
  }),
  keepsPhoneApp: z.boolean(),
  numbers: z
    .array(z.object({ operatorId: z.string(), number: z.string(), displayName: z.string().nullable() }))
    .meta({ description: 'The shared numbers, while one of them must be chosen.' }),
  number: z.string().nullable(),
  phoneNumberId: Id.nullable(),
  problem: z
    .object({ reason: z.enum(SIGNUP_PROBLEMS), message: z.string().nullable() })
    .nullable()
    .meta({ description: "Why it failed or waits. message: the operator's words." }),
  createdAt: Instant,
})
const SignupReply = z.object({ signup: NumberSignup })

export const getNumberSignups = outsideEndpoint({
  ...DASHBOARD,
  name: 'listNumberSignups',
  method: 'GET',
  path: '/number-signups',
  summary:
    "List the caller's signups of numbers of the last day, and whether the operator's signup is set up.",
  role: 'admin',
  bucket: 'reads',
  replies: {
    200: z.object({
      available: z.boolean(),
      signups: z.array(NumberSignup).meta({ description: 'The newest 20.' }),
    }),
  },
  refuses: [],
  handle: async (ctx) => {
    const signups = await ctx.transaction(listSignups)
    return reply(200, { available: ctx.outside.operatorSignup !== null && !ctx.workspace.sandbox, signups })
  },
})

export const postNumberSignup = outsideEndpoint({
  ...DASHBOARD,
  name: 'startNumberSignup',
  method: 'POST',
  path: '/number-signups',
  summary:
    "Start to connect a number with the operator's hosted signup. Open `url` in this browser within an hour.",
  role: 'admin',
  bucket: 'settings-writes',
  fresh: true,
  body: z.strictObject({ keepsPhoneApp: z.boolean() }),
  replies: { 201: SignupReply.extend({ url: z.string() }) },
  refuses: ['sandbox', 'not_available'],
  handle: (request, { body }) =>
    request.answering(
      (started: { signup: ShownSignup; url: string }) => reply(201, started),
      (ctx) => startSignup(ctx, body),
    ),
})

export const getNumberSignup = endpoint({
  ...OWN,
  name: 'getNumberSignup',
  method: 'GET',
  path: '/number-signups/:id',
  summary: 'Get a signup of a number.',
  bucket: 'reads',
  replies: { 200: SignupReply },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { signup: await getSignup(ctx, params.id) }),
})

export const postNumberSignupContinue = outsideEndpoint({
  ...OWN,
  name: 'continueNumberSignup',
  method: 'POST',
  path: '/number-signups/:id/continue',
  summary: "Continue a signup after the return from the operator's page, until the number is connected.",
  bucket: 'settings-writes',
  body: z.strictObject({
    operatorId: z
      .string()
      .regex(/^\d{1,30}$/, 'Must be an id from the operator, digits only.')
      .optional(),
    pin: z
      .string()
      .regex(/^\d{6}$/, 'Must be 6 digits.')
      .optional(),
  }),
  replies: { 200: SignupReply },
  refuses: ['not_found', 'not_available', 'invalid_reference'],
  handle: (request, { params, body }) =>
    request.answering(
      (signup: ShownSignup) => reply(200, { signup }),
      (ctx) => continueSignup(ctx, params.id, body),
    ),
})

export const deleteNumberSignup = endpoint({
  ...OWN,
  name: 'discardNumberSignup',
  method: 'DELETE',
  path: '/number-signups/:id',
  summary: 'Discard a signup with its credentials. A connected number stays.',
  bucket: 'settings-writes',
  replies: { 204: z.undefined() },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await discardSignup(ctx, params.id)
    return reply(204, undefined)
  },
})
