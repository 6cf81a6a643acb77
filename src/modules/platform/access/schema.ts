/** Accounts and sessions as the dashboard receives them. */
import { z } from 'zod'
import { ROLES } from '../../../core/context.ts'
import { Id } from '../../../core/ids.ts'
import { LANGUAGES } from '../../../core/values/languages.ts'
import { Instant } from '../../../core/values/text.ts'
import { WorkspaceFace } from '../workspaces/schema.ts'

export const Ok = z.object({ ok: z.literal(true) })

const WorkspaceInSession = WorkspaceFace.extend({
  socialAddon: z.boolean(),
  socialEnabled: z.boolean(),
  modules: z.array(z.string()),
  language: z.enum(LANGUAGES),
})

/** The signed-in account, its member, and its workspaces. */
export const SessionView = z.object({
  account: z.object({
    id: Id,
    name: z.string(),
    email: z.string().nullable(),
    /** Null for the language of the workspace. */
    language: z.enum(LANGUAGES).nullable(),
    hasPassword: z.boolean(),
    hasTotp: z.boolean(),
    recoveryCodesLeft: z.number().int(),
    passkeys: z.array(
      z.object({ id: Id, name: z.string(), createdAt: Instant, lastUsedAt: Instant.nullable() }),
    ),
  }),
  member: z
    .object({ id: Id, name: z.string(), email: z.string(), role: z.enum(ROLES), owner: z.boolean() })
    .nullable(),
  workspace: WorkspaceInSession.nullable(),
  workspaces: z.array(z.object({ id: Id, name: z.string(), sandbox: z.boolean(), role: z.enum(ROLES) })),
  /** Until then, changes that require a confirmation are allowed. */
  freshUntil: Instant,
  /** True if the workspace requires a second factor that this session did not use. */
  secondFactorRequired: z.boolean(),
  build: z.string().nullable(),
})

/** The email that a person signs in with. */
export const Email = z
  .string()
  .max(254)
  // Excludes characters that a mail header reads as a second address or as other text.
  .regex(/^[^\s@()<>[\]\\,;:"]+@[^\s@()<>[\]\\,;:"]+$/, 'Must be an email address.')
export const PersonName = z.string().trim().min(1).max(100)
/** A secret in a request. The operation checks whether it is right. */
export const Secret = z.string().min(1).max(1_000)
/** The operation checks length and strength, because they depend on the person's name and email. */
export const NewPassword = z.string().max(1_000)
export const Code = z.string().min(1).max(40)

/** A passkey's answer: a credential in the JSON form that browsers write. */
export const PasskeyAnswer = z.object({
  ticket: Secret,
  response: z.looseObject({ id: z.string().max(2_000) }),
})
