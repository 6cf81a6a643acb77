import { z } from 'zod'
import { customerText } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { Instant } from '../../../core/values/text.ts'

/** The kinds of notifications (DECISIONS.md). */
const NOTIFICATION_KINDS = [
  'mention',
  'conversation_assigned',
  'lead_assigned',
  'task_assigned',
  'task_due',
  'campaign_paused',
  'campaign_completed',
  'campaign_to_decide',
  'webhook_disabled',
  'number_failing',
  'submission_needs_attention',
  'order_paid_late',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

export const Notification = z
  .object({
    id: Id,
    kind: z.enum(NOTIFICATION_KINDS),
    actorName: z.string().nullable().meta({ description: 'Member who caused it; null if Parley did.' }),
    title: customerText(z.string()).meta({
      description: 'Name of the subject: the customer, task, campaign, webhook endpoint, number, or order.',
    }),
    body: z.string().nullable().meta({
      description:
        'Text of the note, or the reason why a campaign paused, a number cannot send, or an order was paid late, with the next step.',
    }),
    subjectId: Id.meta({
      description: 'Id of the conversation, lead, task, campaign, webhook endpoint, number, or order.',
    }),
    parentId: Id.nullable().meta({ description: 'Id of the lead of a task.' }),
    createdAt: Instant,
    readAt: Instant.nullable(),
  })
  .meta({ id: 'Notification' })

export const NotificationQuery = z.object({
  ...cursorQuery,
  kind: z.enum(NOTIFICATION_KINDS).optional().meta({ description: 'Only notifications of this kind.' }),
  unread: z.enum(['true']).optional().meta({ description: '`true`: only unread notifications.' }),
})
export type NotificationQuery = z.output<typeof NotificationQuery>

/** Unread notifications are counted up to this number. */
export const UNREAD_MAX = 100
const MARKED_MAX = 100

export const MarkRead = z
  .strictObject({
    ids: z.array(Id).min(1).max(MARKED_MAX).optional(),
    upTo: Id.optional().meta({
      description: 'Id of a notification. Marks it and all earlier notifications.',
    }),
  })
  .refine(({ ids, upTo }) => (ids === undefined) !== (upTo === undefined), {
    message: 'Must have either ids or upTo.',
    path: ['ids'],
  })
export type MarkRead = z.output<typeof MarkRead>
