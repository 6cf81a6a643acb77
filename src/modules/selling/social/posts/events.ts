import { z } from 'zod'
import { event } from '../../../../core/event.ts'
import { Id } from '../../../../core/ids.ts'
import { Instant } from '../../../../core/values/text.ts'
import { POST_KINDS } from './schema.ts'

export const socialPostPublished = event({
  name: 'social.post.published',
  when: 'A post created in Parley was published. Once per post. A post that fails triggers no event: poll it.',
  scope: 'social:read',
  data: z
    .object({
      postId: Id,
      kind: z.enum(POST_KINDS),
      caption: z.string(),
      socialMediaId: z.string().nullable().meta({
        description:
          "The network's id of the post; null if the network reports that the post is published but does not show it.",
      }),
      permalink: z.string().nullable(),
      scheduledAt: Instant.nullable().meta({
        description: 'When it was scheduled for, in UTC; null if it was published immediately.',
      }),
      publishedAt: Instant,
    })
    .meta({ fields: { postId: 'Id of the post.', kind: 'Kind of post.' } }),
  example: {
    postId: '0197a1b2-0000-7000-8000-000000000071',
    kind: 'image',
    caption: 'The new silks are here. #handloom',
    socialMediaId: '17920238422030506',
    permalink: 'https://photos.example/p/Abc/',
    scheduledAt: '2026-06-01T09:30:00.000Z',
    publishedAt: '2026-06-01T09:30:04.000Z',
  },
  touches: ({ postId }) => ({ socialPost: postId }),
})
