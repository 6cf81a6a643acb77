import { z } from 'zod'
import { accountEndpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { LANGUAGES } from '../../../../core/values/languages.ts'
import { Instant } from '../../../../core/values/text.ts'
import { changeAccount, confirm } from '../operations/change-account.ts'
import { beginPasskey, finishPasskey, removePasskey } from '../operations/passkeys.ts'
import { replaceRecoveryCodes } from '../operations/recovery-codes.ts'
import { beginTotp, deleteTotp, finishTotp } from '../operations/second-factor.ts'
import { Code, Email, NewPassword, Ok, PasskeyAnswer, PersonName, Secret } from '../schema.ts'
import { DASHBOARD } from './session.ts'

const OWN = { ...DASHBOARD, role: 'viewer', bucket: 'settings-writes' } as const

export const postSessionConfirm = accountEndpoint({
  ...OWN,
  name: 'confirmSession',
  method: 'POST',
  path: '/session/confirm',
  summary: "Confirm the caller's identity again: with a password, a code, or a passkey.",
  body: z.union([z.object({ password: Secret }), z.object({ code: Code }), PasskeyAnswer]),
  replies: { 200: Ok },
  refuses: ['sign_in_refused'],
  handle: async (ctx, { body }) => ({
    ...reply(200, { ok: true }),
    session: await confirm(ctx, body),
  }),
})

export const patchAccount = accountEndpoint({
  ...OWN,
  name: 'updateAccount',
  method: 'PATCH',
  path: '/account',
  summary: "Change the name, email address, password, or language of the caller's account.",
  fresh: 'after-first',
  body: z.strictObject({
    name: PersonName.optional(),
    email: Email.optional(),
    password: NewPassword.optional(),
    language: z.enum(LANGUAGES).nullable().optional(),
  }),
  description:
    'If Parley sends email, a new address takes effect when its confirmation link is opened; `confirm` is that address. `language` is the language of the dashboard; null for the language of the workspace.',
  replies: { 200: Ok.extend({ confirm: z.string().optional() }) },
  refuses: ['conflict', 'second_factor_required'],
  handle: async (ctx, { body }) => {
    const { session, confirm } = await changeAccount(ctx, body)
    return { ...reply(200, { ok: true, confirm }), ...(session ? { session } : {}) }
  },
})

export const postAccountTotp = accountEndpoint({
  ...OWN,
  name: 'setUpTotp',
  method: 'POST',
  path: '/account/totp',
  summary:
    'Set up an authenticator app. Without a code, returns its secret; with the first code, returns the recovery codes.',
  fresh: true,
  bodyOptional: true,
  body: z.strictObject({ code: Code.optional() }),
  replies: {
    200: z.union([z.object({ uri: z.string() }), z.object({ recoveryCodes: z.array(z.string()) })]),
  },
  refuses: ['conflict', 'second_factor_required'],
  handle: async (ctx, { body }) => {
    if (body.code === undefined) return reply(200, await beginTotp(ctx))
    const { recoveryCodes, session } = await finishTotp(ctx, body.code)
    return { ...reply(200, { recoveryCodes }), session }
  },
})

export const deleteAccountTotp = accountEndpoint({
  ...OWN,
  name: 'removeTotp',
  method: 'DELETE',
  path: '/account/totp',
  summary: 'Remove the authenticator app, and the recovery codes if no other factor is left.',
  fresh: true,
  replies: { 200: Ok },
  refuses: ['not_found', 'second_factor_required'],
  handle: async (ctx) => {
    await deleteTotp(ctx)
    return reply(200, { ok: true })
  },
})

export const postAccountRecoveryCodes = accountEndpoint({
  ...OWN,
  name: 'replaceRecoveryCodes',
  method: 'POST',
  path: '/account/recovery-codes',
  summary: 'Create recovery codes that replace the earlier ones. They are shown only once.',
  fresh: true,
  replies: { 200: z.object({ recoveryCodes: z.array(z.string()) }) },
  refuses: ['conflict', 'second_factor_required'],
  handle: async (ctx) => reply(200, { recoveryCodes: await replaceRecoveryCodes(ctx) }),
})

const NewPasskey = z.object({ id: Id, name: z.string(), createdAt: Instant })

export const postAccountPasskey = accountEndpoint({
  ...OWN,
  name: 'addPasskey',
  method: 'POST',
  path: '/account/passkeys',
  summary:
    "Add a passkey. Without an answer, returns the options for the browser; with the browser's answer, returns the passkey.",
  fresh: 'after-first',
  bodyOptional: true,
  body: PasskeyAnswer.extend({ name: PersonName })
    .partial()
    .refine(({ ticket, response, name }) => {
      const fields = [ticket, response, name].filter((value) => value !== undefined)
      return fields.length === 0 || fields.length === 3
    }, 'Send `ticket`, `response`, and `name` together, or none of them.'),
  replies: {
    200: z.object({ ticket: z.string(), options: z.record(z.string(), z.unknown()) }),
    201: z.object({
      passkey: NewPasskey,
      recoveryCodes: z.array(z.string()).optional().meta({
        description: 'Recovery codes, with the first factor of an account. They are shown only once.',
      }),
    }),
  },
  refuses: ['conflict', 'not_available', 'second_factor_required', 'sign_in_refused'],
  handle: async (ctx, { body }) => {
    const { ticket, response, name } = body
    if (ticket === undefined || response === undefined || name === undefined)
      return reply(200, await beginPasskey(ctx))
    const { session, ...result } = await finishPasskey(ctx, { ticket, response, name })
    return { ...reply(201, result), session }
  },
})

export const deleteAccountPasskey = accountEndpoint({
  ...OWN,
  name: 'removePasskey',
  method: 'DELETE',
  path: '/account/passkeys/:id',
  summary: 'Remove a passkey.',
  fresh: true,
  replies: { 200: Ok },
  refuses: ['not_found', 'second_factor_required'],
  handle: async (ctx, { params }) => {
    await removePasskey(ctx, params.id)
    return reply(200, { ok: true })
  },
})
