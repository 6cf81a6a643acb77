import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../core/paging.ts'
import { socialAccount, socialFeature } from '../gates.ts'
import { hideComment } from './operations/hide-comment.ts'
import { listComments } from './operations/read-comments.ts'
import { replyToComment } from './operations/reply-to-comment.ts'
import type { ReplyRow } from './queries/replies.ts'
import { COMMENT_FILTERS, HideBody, presentReply, ReplyBody, SocialComment, SocialReply } from './schema.ts'

export const getSocialComments = endpoint({
  name: 'listSocialComments',
  method: 'GET',
  path: '/social/comments',
  summary: 'List comments, replies in threads and mentions, newest first.',
  tag: 'Social',
  section: '4.6',
  scope: 'social:read',
  role: 'viewer',
  bucket: 'reads',
  gates: [socialFeature],
  query: z.object({
    ...cursorQuery,
    filter: z.enum(COMMENT_FILTERS).default('all').meta({
      description: '`needs_reply`: neither answered by the account nor hidden. `all` unless said.',
    }),
  }),
  replies: { 200: cursorPage('comments', SocialComment) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listComments(ctx, query)),
})

export const postSocialReply = endpoint({
  name: 'replyToSocialComment',
  method: 'POST',
  path: '/social/comments/:id/reply',
  summary: 'Reply to a comment or mention in public.',
  description:
    'Answers when the network has taken the reply. Where it gives no answer, 502 `reply_unconfirmed` says that the reply may stand there; a retry with the same Idempotency-Key gets that answer again and replies nothing.',
  tag: 'Social',
  section: '4.6',
  scope: 'social:write',
  role: 'agent',
  bucket: 'social-comment-reply',
  gates: [socialFeature, socialAccount],
  subject: 'comment',
  body: ReplyBody,
  example: { text: 'We have sent you the details.' },
  replies: { 200: z.object({ ok: z.literal(true), reply: SocialReply }) },
  refuses: ['not_found', 'reply_unconfirmed', 'meta_error'],
  handleOutside: (request, { params, body }) =>
    request.answering(
      (replyRow: ReplyRow) => reply(200, { ok: true, reply: presentReply(replyRow) }),
      (ctx) => replyToComment(ctx, params.id, body.text),
    ),
})

export const postSocialHide = endpoint({
  name: 'hideSocialComment',
  method: 'POST',
  path: '/social/comments/:id/hide',
  summary: 'Hide a comment from everyone but its author, or show it again.',
  tag: 'Social',
  section: '4.6',
  scope: 'social:write',
  role: 'agent',
  bucket: 'social-comment-hide',
  gates: [socialFeature, socialAccount],
  subject: 'comment',
  body: HideBody,
  example: { hidden: true },
  replies: { 200: z.object({ comment: SocialComment }) },
  refuses: ['not_found', 'conflict', 'meta_error'],
  handleOutside: (request, { params, body }) =>
    request.answering(
      (comment: z.input<typeof SocialComment>) => reply(200, { comment }),
      (ctx) => hideComment(ctx, params.id, body.hidden),
    ),
})
