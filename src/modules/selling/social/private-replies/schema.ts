import { z } from 'zod'
import { DAY_MS } from '../../../../core/clock.ts'
import { Id } from '../../../../core/ids.ts'
import { Instant } from '../../../../core/values/text.ts'
import { DirectText } from '../chats/schema.ts'
import type { ListedPrivateReply } from './queries/private-replies.ts'

/** The time in which the network takes a private reply to a comment (docs/formats.md section 14). */
export const PRIVATE_REPLY_MS = 7 * DAY_MS

export const PRIVATE_REPLY_STATUSES = ['sending', 'sent', 'unconfirmed'] as const

/** The account's private reply to a comment. */
export const SocialPrivateReply = z
  .object({
    text: z.string(),
    status: z.enum(PRIVATE_REPLY_STATUSES).meta({
      description:
        'State of the private reply. `unconfirmed`: the network did not respond, so it may have been sent. A later report decides.',
    }),
    messageId: z.string().nullable().meta({
      description: 'Id of the message in the direct chat; null until the network has it.',
    }),
    conversationId: z.string().nullable().meta({
      description: 'Id of the direct chat with the author; null until the network has the message.',
    }),
    createdAt: Instant,
    sentAt: Instant.nullable(),
  })
  .meta({
    id: 'SocialPrivateReply',
    description: 'A private reply of your account to a comment: a direct message to its author.',
    fields: { text: 'Text of the private reply.' },
  })

/** Body of `POST /social/comments/{id}/private-reply`. */
export const PrivateReplyBody = z
  .strictObject({ text: DirectText })
  .meta({ fields: { text: 'Text of the message, at most 1,000 bytes of UTF-8.' } })

/** Response of `POST /social/comments/{id}/private-reply`. */
export const SentPrivateReply = z.object({
  ok: z.literal(true),
  messageId: Id.meta({ description: 'Id of the message in the direct chat.' }),
  conversationId: Id.meta({ description: 'Id of the direct chat with the author of the comment.' }),
  mid: z.string().meta({ description: "The network's id of the message." }),
})

export const presentPrivateReply = (row: ListedPrivateReply): z.input<typeof SocialPrivateReply> => ({
  text: row.text,
  status: row.status,
  messageId: row.conversationId && row.messageId,
  conversationId: row.conversationId,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
})
