import { outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { socialAccount, socialFeature } from '../gates.ts'
import { replyPrivately, type SentPrivately } from './operations/reply-privately.ts'
import { PrivateReplyBody, SentPrivateReply } from './schema.ts'

export const postSocialPrivateReply = outsideEndpoint({
  name: 'replyPrivatelyToSocialComment',
  method: 'POST',
  path: '/social/comments/:id/private-reply',
  summary: 'Reply to a comment with a direct message to its author, once, within seven days.',
  description:
    'The message opens or continues the direct chat with the author. They must reply before you can send them another. Mentions under posts of other accounts cannot be answered privately. Responds after the network accepted the message. If the network does not respond, 502 `reply_unconfirmed` means that the message may have been sent. A retry with the same Idempotency-Key returns that response again and sends nothing.',
  tag: 'Photo network',
  section: '4.10',
  scope: 'social:write',
  role: 'agent',
  bucket: 'social-reply',
  gates: [socialFeature, socialAccount],
  subject: 'comment',
  body: PrivateReplyBody,
  example: { text: 'It is 450 with delivery. Shall we keep one for you?' },
  replies: { 200: SentPrivateReply },
  refuses: ['not_found', 'conflict', 'contact_opted_out', 'reply_unconfirmed', 'meta_error'],
  handle: (request, { params, body }) =>
    request.answering(
      (sent: SentPrivately) => reply(200, { ok: true, ...sent }),
      (ctx) => replyPrivately(ctx, params.id, body.text),
    ),
})
