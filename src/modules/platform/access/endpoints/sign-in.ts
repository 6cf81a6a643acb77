import { z } from 'zod'
import { accountEndpoint, type Reply, reply } from '../../../../core/endpoint.ts'
import { passkeySignInOptions, passkeysWork, signInByPasskey } from '../operations/passkeys.ts'
import { readToken, redeem } from '../operations/redeem.ts'
import { resetByMail } from '../operations/reset.ts'
import { type SignInOutcome, signInByCode, signInByPassword } from '../operations/sign-in.ts'
import { Code, Email, NewPassword, Ok, PasskeyAnswer, PersonName, Secret } from '../schema.ts'
import { DASHBOARD } from './session.ts'

const OkOrTicket = z.union([Ok, z.object({ next: z.enum(['totp', 'passkey']), ticket: z.string() })])

function answer(outcome: SignInOutcome): Reply {
  if ('ticket' in outcome) return reply(200, outcome)
  return { ...reply(200, { ok: true }), ...('session' in outcome ? { session: outcome.session } : {}) }
}

const KEYLESS = { ...DASHBOARD, role: null, bucket: 'keyless' } as const

export const getSignInOptions = accountEndpoint({
  ...KEYLESS,
  name: 'getSignInOptions',
  method: 'GET',
  path: '/sign-in/options',
  summary: 'List the available ways to sign in.',
  replies: {
    200: z.object({
      password: z.boolean(),
      passkey: z.boolean(),
      oidc: z
        .string()
        .nullable()
        .meta({ description: 'The name of the identity provider for single sign-on.' }),
      mail: z.boolean(),
    }),
  },
  refuses: [],
  handle: async ({ siteUrl, outside }) => {
    const { identityProvider, mailer } = outside
    const isOnly = identityProvider?.only === true
    return reply(200, {
      password: !isOnly,
      passkey: !isOnly && passkeysWork(siteUrl),
      oidc: identityProvider?.label ?? null,
      mail: !isOnly && mailer !== null,
    })
  },
})

export const postSignIn = accountEndpoint({
  ...KEYLESS,
  name: 'signIn',
  method: 'POST',
  path: '/sign-in',
  summary: 'Sign in with a password. An account with a second factor must confirm it next.',
  body: z.strictObject({ email: Email, password: Secret }),
  replies: { 200: OkOrTicket },
  refuses: ['sign_in_refused'],
  handle: async (ctx, { body }) => answer(await signInByPassword(ctx, body)),
})

export const postSignInTotp = accountEndpoint({
  ...KEYLESS,
  name: 'signInByCode',
  method: 'POST',
  path: '/sign-in/totp',
  summary: 'Confirm the second factor with a code of the app or a recovery code.',
  body: z.strictObject({ ticket: Secret, code: Code }),
  replies: { 200: Ok },
  refuses: ['sign_in_refused'],
  handle: async (ctx, { body }) => answer(await signInByCode(ctx, body)),
})

export const postSignInPasskeyOptions = accountEndpoint({
  ...KEYLESS,
  name: 'beginPasskeySignIn',
  method: 'POST',
  path: '/sign-in/passkey/options',
  summary: 'Get the options for the browser to request a passkey.',
  replies: { 200: z.object({ ticket: z.string(), options: z.record(z.string(), z.unknown()) }) },
  refuses: ['not_available'],
  handle: async (ctx) => reply(200, await passkeySignInOptions(ctx)),
})

export const postSignInPasskey = accountEndpoint({
  ...KEYLESS,
  name: 'signInByPasskey',
  method: 'POST',
  path: '/sign-in/passkey',
  summary: 'Sign in with a passkey.',
  body: PasskeyAnswer,
  replies: { 200: Ok },
  refuses: ['sign_in_refused', 'not_available'],
  handle: async (ctx, { body }) => answer(await signInByPasskey(ctx, body)),
})

export const postSignInReset = accountEndpoint({
  ...KEYLESS,
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/sign-in/reset',
  summary: 'Send an email with a link for a new password, if an account has this address.',
  body: z.strictObject({ email: Email }),
  replies: { 204: z.undefined() },
  refuses: [],
  handle: async (ctx, { body }) => {
    await resetByMail(ctx, body.email)
    return reply(204, undefined)
  },
})

export const postSignInToken = accountEndpoint({
  ...KEYLESS,
  name: 'readToken',
  method: 'POST',
  path: '/sign-in/token',
  summary: 'Get the purpose of an emailed link. The link stays valid.',
  body: z.strictObject({ token: Secret }),
  replies: {
    200: z.object({
      purpose: z.enum(['invitation', 'reset', 'email']),
      workspace: z.string().nullable().meta({ description: 'Name of the workspace to join.' }),
      workspaceId: z.uuid().nullable(),
      name: z.string(),
      email: z.string().nullable(),
      account: z.enum(['new', 'known', 'own']).meta({
        description:
          'For an invitation. new: an account is created. known: the email address has an account, which only the emailed link reveals. own: you are signed in.',
      }),
    }),
  },
  refuses: ['not_found'],
  handle: async (ctx, { body }) => reply(200, await readToken(ctx, body.token)),
})

export const postSignInRedeem = accountEndpoint({
  ...KEYLESS,
  name: 'redeemToken',
  method: 'POST',
  path: '/sign-in/redeem',
  summary: 'Accept an invitation, set a new password, or confirm an email address with an emailed link.',
  description:
    'A signed-in caller accepts an invitation with the current account. Other callers create an account with the password in the request.',
  body: z.strictObject({ token: Secret, name: PersonName.optional(), password: NewPassword.optional() }),
  replies: { 200: OkOrTicket },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { body }) => answer(await redeem(ctx, body)),
})
