import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { Instant } from '../../../core/text.ts'
import { linkMessageMedia } from '../operations/message-media.ts'

/** A message's file as a link that ends by itself (spec 4.3). */
export const MessageMedia = z
  .object({
    url: z.string().meta({ description: 'Opens without a key until `expiresAt`; takes Range requests.' }),
    mimeType: z.string(),
    filename: z.string(),
    sizeBytes: z.number().int(),
    expiresAt: Instant,
  })
  .meta({ id: 'MessageMedia' })

export const getMessageMedia = endpoint({
  method: 'GET',
  path: '/messages/:id/media',
  summary: "A message's file as a five-minute download link; the id is ours or the channel message id.",
  description:
    "A customer's file is fetched from the operator as soon as its message arrives; until it is there the answer is 409 " +
    '`conflict`. Files that we sent by id are those of `POST /media`.',
  tag: 'Messages',
  section: '4.3',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'message',
  replies: { 200: MessageMedia },
  refuses: ['not_found', 'conflict'],
  handleOutside: async (ctx, { params }) => reply(200, await linkMessageMedia(ctx, params.id)),
})
