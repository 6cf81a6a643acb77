/** Schemas of the activity log (DECISIONS.md). */
import { z } from 'zod'
import { customerData } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'

/** A member, and the address and device of their request. */
const FromWhere = z.object({ memberId: Id, address: z.string(), device: z.string() })
const Campaign = z.object({ broadcastId: Id, name: z.string() })

/** All logged actions and their shown fields: ids and settings, never a customer's data. */
export const ACTIVITY = {
  'broadcast.new_recipients_confirmed': Campaign.extend({ newRecipients: z.number().int() }),
  'broadcast.scheduled': Campaign.extend({ scheduledAt: Instant }),
  'broadcast.started': Campaign,
  'broadcast.paused': Campaign,
  'broadcast.resumed': Campaign,
  'broadcast.cancelled': Campaign,
  'broadcast.variant_chosen': Campaign.extend({ variant: z.string() }),
  'social_post.scheduled': z.object({ postId: Id, scheduledAt: Instant }),
  'social_post.publishing': z.object({ postId: Id }),
  'social_post.cancelled': z.object({ postId: Id }),
  'contact.erased': z.object({ contactId: Id }),
  'contact.merged': z.object({ contactId: Id, mergedContactId: Id }),
  'flow.published': z.object({ flowId: Id, name: z.string() }),
  'flow.deprecated': z.object({ flowId: Id, name: z.string() }),
  'flow.deleted': z.object({ flowId: Id, name: z.string() }),
  'template.deleted': z.object({ templateId: Id, name: z.string(), language: z.string() }),
  'pipeline.changed': z.object({ change: z.string(), id: Id, name: z.string() }),
  'assignment.changed': z.object({ mode: z.string(), memberIds: z.array(Id) }),
  'webhook.disabled': z.object({ webhookId: Id, reason: z.string() }),
  'webhook.backlog_dropped': z.object({
    webhookId: Id,
    deliveries: z.number().int(),
    oldest: Instant,
    newest: Instant,
  }),
  'key.created': z.object({
    keyId: Id,
    label: z.string(),
    role: z.string(),
    scopes: z.array(z.string()).nullable(),
  }),
  'key.revoked': z.object({ keyId: Id, label: z.string() }),
  'member.added': z.object({ memberId: Id, role: z.string() }),
  'social.connected': z.object({ accountId: Id, username: z.string() }),
  'social.disconnected': z.object({ accountId: Id, username: z.string() }),
  'member.changed': z.object({ memberId: Id, role: z.string(), left: z.boolean() }),
  'member.invited': z.object({ memberId: Id }),
  'member.signed_in': FromWhere.extend({ method: z.string() }),
  'member.sign_in_refused': FromWhere.extend({ failures: z.number().int() }),
  'member.access_changed': z.object({ memberId: Id, change: z.string() }),
  'session.revoked': FromWhere,
  'number.added': z.object({ phoneNumberId: Id, operator: z.string() }),
  'number.changed': z.object({ phoneNumberId: Id, changed: z.array(z.string()) }),
  'number.disconnected': z.object({ phoneNumberId: Id }),
  'security.changed': z.object({
    requireSecondFactor: z.boolean(),
    idleDays: z.number().int(),
    absoluteDays: z.number().int(),
  }),
  'workspace.changed': z.object({ changed: z.array(z.string()) }),
  'modules.changed': z.object({ on: z.array(z.string()), off: z.array(z.string()) }),
} as const
export type ActivityKind = keyof typeof ACTIVITY
export type ActivityData<Kind extends ActivityKind> = z.input<(typeof ACTIVITY)[Kind]>

export const ACTIVITY_KINDS = Object.keys(ACTIVITY) as [ActivityKind, ...ActivityKind[]]
const ACTORS = ['key', 'member', 'cli', 'platform'] as const

/** One entry of the log. */
export const Activity = z
  .object({
    id: Id,
    kind: z.enum(ACTIVITY_KINDS),
    actor: z.object({
      kind: z
        .enum(ACTORS)
        .meta({ description: 'Kind of actor. `cli`: the command line; `platform`: Parley itself.' }),
      id: Id.nullable().meta({ description: 'Id of the key or the member.' }),
      name: z
        .string()
        .nullable()
        .meta({ description: 'Label of the key, or name of the member, at the time of the action.' }),
    }),
    data: customerData(JsonObject).meta({ description: 'Ids and settings of the action, by kind.' }),
    createdAt: Instant,
  })
  .meta({
    id: 'Activity',
    description: 'An entry of the activity log.',
    fields: { kind: 'Kind of action.', actor: 'Key, member, or process that acted.' },
  })
