import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
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
  summary: 'List comments, thread replies, and mentions, newest first.',
  tag: 'Photo network',
  tool: { title: 'List comments', when: 'Use it to read comments and mentions on the photo network.' },
  section: '4.6',
  scope: 'social:read',
  role: 'viewer',
  bucket: 'reads',
  gates: [socialFeature],
  query: z.object({
    ...cursorQuery,
    filter: z.enum(COMMENT_FILTERS).default('all').meta({
      description:
        '`needs_reply`: only comments that are neither answered by the account nor hidden. Default: `all`.',
    }),
  }),
  replies: { 200: cursorPage('comments', SocialComment) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listComments(ctx, query)),
})

export const postSocialReply = outsideEndpoint({
  name: 'replyToSocialComment',
  method: 'POST',
  path: '/social/comments/:id/reply',
  summary: 'Reply publicly to a comment or mention.',
  description:
    'Responds after the network accepted the reply. If the network does not respond, 502 `reply_unconfirmed` means that the reply may have been posted. A retry with the same Idempotency-Key returns that response again and posts nothing.',
  tag: 'Photo network',
  tool: {
    title: 'Reply to a comment',
    when: 'Use it to answer a comment in public, after the person you work for approved the words.',
    effect: 'acts',
  },
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
  handle: (request, { params, body }) =>
    request.answering(
      (replyRow: ReplyRow) => reply(200, { ok: true, reply: presentReply(replyRow) }),
      (ctx) => replyToComment(ctx, params.id, body.text),
    ),
})

export const postSocialHide = outsideEndpoint({
  name: 'hideSocialComment',
  method: 'POST',
  path: '/social/comments/:id/hide',
  summary: 'Hide a comment from all people except its author, or show it again.',
  tag: 'Photo network',
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
  handle: (request, { params, body }) =>
    request.answering(
      (comment: z.input<typeof SocialComment>) => reply(200, { comment }),
      (ctx) => hideComment(ctx, params.id, body.hidden),
    ),
})
