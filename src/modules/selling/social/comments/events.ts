import { z } from 'zod'
import { event } from '../../../../core/event.ts'
import { Id } from '../../../../core/ids.ts'
import { COMMENT_FIELDS, SocialComment } from './schema.ts'

/** The fields that the event shares with the comment. */
const { kind, socialCommentId, socialMediaId, username, text, permalink, commentedAt } = SocialComment.shape
const SHARED_FIELDS = { kind, socialCommentId, socialMediaId, username, text, permalink, commentedAt }

export const socialCommentReceived = event({
  name: 'social.comment.received',
  when: "A person commented on one of the account's posts, replied in a thread, or mentioned the account. The account's own replies never trigger it.",
  scope: 'social:read',
  data: z
    .object({
      commentId: Id.meta({ description: 'Id of the comment for the comment endpoints.' }),
      ...SHARED_FIELDS,
    })
    .meta({ fields: COMMENT_FIELDS }),
  example: {
    commentId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a13',
    kind: 'comment',
    socialCommentId: '17900000000000001',
    socialMediaId: '17911111111111111',
    username: 'asha_r',
    text: 'Price?',
    permalink: 'https://photos.example.com/p/Abc/',
    commentedAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ commentId }) => ({ socialComment: commentId }),
})
