/** What the dashboard is shown of accounts and sessions. */
import { z } from 'zod'
import { ROLES } from '../../core/context.ts'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'
import { WorkspaceFace } from '../workspaces/schema.ts'

export const Ok = z.object({ ok: z.literal(true) })

const WorkspaceInSession = WorkspaceFace.extend({
  socialAddon: z.boolean(),
  socialEnabled: z.boolean(),
  modules: z.array(z.string()),
})

/** Who is signed in, and where. */
export const SessionView = z.object({
  account: z.object({
    id: Id,
    name: z.string(),
    email: z.string().nullable(),
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
  /** Until then what asks for a confirmation is open. */
  freshUntil: Instant,
  /** Whether the workspace asks for a second factor that this session did not give. */
  secondFactorRequired: z.boolean(),
  build: z.string().nullable(),
})

/** What somebody signs in by. */
export const Email = z
  .string()
  .max(254)
  // Nothing that the head of a mail would read as another address, or as words beside it.
  .regex(/^[^\s@()<>[\]\\,;:"]+@[^\s@()<>[\]\\,;:"]+$/, 'Must be an email address.')
export const PersonName = z.string().trim().min(1).max(100)
/** A secret as it is given: whether it is right is looked at later. */
export const Secret = z.string().min(1).max(1_000)
/** Its length and strength are looked at with who it is for. */
export const NewPassword = z.string().max(1_000)
export const Code = z.string().min(1).max(40)

/** What a passkey answered: a credential as browsers write it in JSON. */
export const PasskeyAnswer = z.object({
  ticket: Secret,
  response: z.looseObject({ id: z.string().max(2_000) }),
})
