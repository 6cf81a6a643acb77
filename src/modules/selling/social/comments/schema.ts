import { z } from 'zod'
import { isLonger } from '../../../../core/values/cut-text.ts'
import { Instant } from '../../../../core/values/text.ts'
import type { ListedPrivateReply } from '../private-replies/queries/private-replies.ts'
import { presentPrivateReply, SocialPrivateReply } from '../private-replies/schema.ts'
import type { CommentRow } from './queries/comments.ts'
import type { ReplyRow } from './queries/replies.ts'

const MAX_REPLY = 2_200

export const COMMENT_KINDS = ['comment', 'reply', 'mention'] as const
export const COMMENT_FILTERS = ['needs_reply', 'all', 'mentions', 'hidden'] as const
export const REPLY_STATUSES = ['sending', 'sent', 'unconfirmed'] as const

/** The account's reply to a comment. */
export const SocialReply = z
  .object({
    id: z.string(),
    text: z.string(),
    status: z.enum(REPLY_STATUSES).meta({
      description:
        'State of the reply. `unconfirmed`: the network did not respond, so the reply may have been posted. A later report decides.',
    }),
    socialCommentId: z.string().nullable().meta({ description: "The network's id; null until it is known." }),
    createdAt: Instant,
    sentAt: Instant.nullable(),
  })
  .meta({
    id: 'SocialReply',
    description: 'A reply of your account to a comment.',
    fields: { text: 'Text of the reply.' },
  })

/** Descriptions of the fields. */
export const COMMENT_FIELDS = {
  kind: 'Whether it is a comment, a reply in a thread, or a mention.',
  text: 'Text of the comment; null if the network does not provide it.',
  commentedAt: 'When it was written, in UTC.',
  socialMediaId: "The network's id of the post; null if unknown.",
}

/** A comment, a reply in a thread, or a mention (spec 2.9). */
export const SocialComment = z
  .object({
    id: z.string().meta({ description: 'Id of the comment for the comment endpoints.' }),
    kind: z.enum(COMMENT_KINDS),
    socialCommentId: z
      .string()
      .nullable()
      .meta({ description: "The network's id of the comment; null for a mention in a caption." }),
    socialMediaId: z.string().nullable(),
    parentSocialCommentId: z
      .string()
      .nullable()
      .meta({ description: "The network's id of the comment that it replies to." }),
    username: z.string().nullable(),
    text: z.string().nullable(),
    permalink: z.string().nullable(),
    hidden: z.boolean(),
    needsReply: z.boolean(),
    replies: z
      .array(SocialReply)
      .meta({ description: "The account's replies, oldest first; at most the latest 20." }),
    privateReply: SocialPrivateReply.nullable().meta({
      description: "The account's private reply to the author; null for none.",
    }),
    commentedAt: Instant,
    createdAt: Instant,
  })
  .meta({
    id: 'SocialComment',
    description: 'A comment, a reply in a thread, or a mention.',
    fields: {
      ...COMMENT_FIELDS,
      hidden: 'Whether the comment is hidden.',
      needsReply: 'Whether it is neither answered nor hidden.',
    },
  })

/** Body of `POST /social/comments/{id}/reply`. */
export const ReplyBody = z
  .strictObject({
    text: z
      .string()
      .refine((text) => text.trim() !== '', 'Must not be empty.')
      .refine((text) => !isLonger(text, MAX_REPLY), `Must have at most ${MAX_REPLY} characters.`)
      .meta({ minLength: 1, maxLength: MAX_REPLY }),
  })
  .meta({ fields: { text: 'Text of the reply.' } })
export type ReplyBody = z.output<typeof ReplyBody>

/** Body of `POST /social/comments/{id}/hide`. */
export const HideBody = z
  .strictObject({ hidden: z.boolean() })
  .meta({ fields: { hidden: 'Whether to hide the comment (`true`) or show it again (`false`).' } })

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

export const presentReply = (row: ReplyRow): z.input<typeof SocialReply> => ({
  id: row.id,
  text: row.text,
  status: row.status,
  socialCommentId: row.networkId,
  createdAt: row.createdAt.toISOString(),
  sentAt: iso(row.sentAt),
})

/** Presents a stored comment with its replies in answers. */
export const presentComment = (
  row: CommentRow,
  replies: ReplyRow[],
  privateReply: ListedPrivateReply | undefined,
): z.input<typeof SocialComment> => ({
  id: row.id,
  kind: row.kind,
  socialCommentId: row.networkId,
  socialMediaId: row.mediaId,
  parentSocialCommentId: row.parentId,
  username: row.username,
  text: row.text,
  permalink: row.permalink,
  hidden: row.hidden,
  needsReply: row.repliedAt === null && !row.hidden,
  replies: replies.map(presentReply),
  privateReply: privateReply ? presentPrivateReply(privateReply) : null,
  commentedAt: row.commentedAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
})
