import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/text.ts'
import { changeAccount, confirm } from '../operations/change-account.ts'
import { beginPasskey, finishPasskey, removePasskey } from '../operations/passkeys.ts'
import { replaceRecoveryCodes } from '../operations/recovery-codes.ts'
import { beginTotp, deleteTotp, finishTotp } from '../operations/second-factor.ts'
import { Code, Email, NewPassword, Ok, PasskeyAnswer, PersonName, Secret } from '../schema.ts'
import { DASHBOARD } from './session.ts'

const OWN = { ...DASHBOARD, role: 'viewer', bucket: 'settings-writes' } as const

export const postSessionConfirm = endpoint({
  ...OWN,
  name: 'confirmSession',
  method: 'POST',
  path: '/session/confirm',
  summary: 'Show again who is there: by password, by a code, or by what a passkey answered.',
  body: z.union([z.object({ password: Secret }), z.object({ code: Code }), PasskeyAnswer]),
  replies: { 200: Ok },
  refuses: ['sign_in_refused'],
  handleSession: async (ctx, { body }) => ({
    ...reply(200, { ok: true }),
    session: await confirm(ctx, body),
  }),
})

export const patchAccount = endpoint({
  ...OWN,
  name: 'updateAccount',
  method: 'PATCH',
  path: '/account',
  summary: 'Change the name, the e-mail or the password of the own account.',
  fresh: true,
  body: z.strictObject({
    name: PersonName.optional(),
    email: Email.optional(),
    password: NewPassword.optional(),
  }),
  description:
    'Where mail is sent from here a new e-mail counts once the link that goes to it was opened; `confirm` is that address.',
  replies: { 200: Ok.extend({ confirm: z.string().optional() }) },
  refuses: ['conflict', 'second_factor_required'],
  handleSession: async (ctx, { body }) => {
    const { session, confirm } = await changeAccount(ctx, body)
    return { ...reply(200, { ok: true, confirm }), ...(session ? { session } : {}) }
  },
})

export const postAccountTotp = endpoint({
  ...OWN,
  name: 'setUpTotp',
  method: 'POST',
  path: '/account/totp',
  summary: 'Set up an authenticator app: without a code its secret, with the first code the recovery codes.',
  fresh: true,
  bodyOptional: true,
  body: z.strictObject({ code: Code.optional() }),
  replies: {
    200: z.union([z.object({ uri: z.string() }), z.object({ recoveryCodes: z.array(z.string()) })]),
  },
  refuses: ['conflict', 'second_factor_required'],
  handleSession: async (ctx, { body }) => {
    if (body.code === undefined) return reply(200, await beginTotp(ctx))
    const { recoveryCodes, session } = await finishTotp(ctx, body.code)
    return { ...reply(200, { recoveryCodes }), session }
  },
})

export const deleteAccountTotp = endpoint({
  ...OWN,
  name: 'removeTotp',
  method: 'DELETE',
  path: '/account/totp',
  summary: 'Remove the authenticator app, and the recovery codes when no other factor is left.',
  fresh: true,
  replies: { 200: Ok },
  refuses: ['not_found', 'second_factor_required'],
  handleSession: async (ctx) => {
    await deleteTotp(ctx)
    return reply(200, { ok: true })
  },
})

export const postAccountRecoveryCodes = endpoint({
  ...OWN,
  name: 'replaceRecoveryCodes',
  method: 'POST',
  path: '/account/recovery-codes',
  summary: 'Create recovery codes in place of the earlier ones; they are shown this once.',
  fresh: true,
  replies: { 200: z.object({ recoveryCodes: z.array(z.string()) }) },
  refuses: ['conflict', 'second_factor_required'],
  handleSession: async (ctx) => reply(200, { recoveryCodes: await replaceRecoveryCodes(ctx) }),
})

const NewPasskey = z.object({ id: Id, name: z.string(), createdAt: Instant })

export const postAccountPasskey = endpoint({
  ...OWN,
  name: 'addPasskey',
  method: 'POST',
  path: '/account/passkeys',
  summary: 'Add a passkey: without an answer what the browser is to ask, with it the passkey.',
  fresh: true,
  bodyOptional: true,
  body: PasskeyAnswer.extend({ name: PersonName })
    .partial()
    .refine(({ ticket, response, name }) => {
      const given = [ticket, response, name].filter((one) => one !== undefined)
      return given.length === 0 || given.length === 3
    }, 'Send `ticket`, `response`, and `name` together, or none of them.'),
  replies: {
    200: z.object({ ticket: z.string(), options: z.record(z.string(), z.unknown()) }),
    201: z.object({
      passkey: NewPasskey,
      recoveryCodes: z.array(z.string()).optional().meta({
        description: 'With the first factor of an account, shown this once.',
      }),
    }),
  },
  refuses: ['conflict', 'not_available', 'second_factor_required', 'sign_in_refused'],
  handleSession: async (ctx, { body }) => {
    const { ticket, response, name } = body
    if (ticket === undefined || response === undefined || name === undefined)
      return reply(200, await beginPasskey(ctx))
    const { session, ...made } = await finishPasskey(ctx, { ticket, response, name })
    return { ...reply(201, made), session }
  },
})

export const deleteAccountPasskey = endpoint({
  ...OWN,
  name: 'removePasskey',
  method: 'DELETE',
  path: '/account/passkeys/:id',
  summary: 'Remove a passkey.',
  fresh: true,
  replies: { 200: Ok },
  refuses: ['not_found', 'second_factor_required'],
  handleSession: async (ctx, { params }) => {
    await removePasskey(ctx, params.id)
    return reply(200, { ok: true })
  },
})
