/** Posts in the API (spec 2.9, 4.6). */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { cursorQuery, wholeNumber } from '../../../core/paging.ts'
import { Instant, InstantInput } from '../../../core/text.ts'

export const POST_KINDS = ['image', 'carousel', 'reel'] as const
export type PostKind = (typeof POST_KINDS)[number]
const POST_STATUSES = ['draft', 'scheduled', 'published', 'failed', 'cancelled'] as const
export type PostStatus = (typeof POST_STATUSES)[number]
const POST_ACTIONS = ['draft', 'schedule', 'publish'] as const

const oneOf = (names: readonly string[]): string => `Must be one of ${names.join(', ')}.`
/** Far more than any post has: a number above the limit of its kind is `invalid_post`. */
const MAX_MEDIA_IDS = 100

/** Body of `POST /social/posts` (spec 4.6). */
export const NewPost = z.strictObject({
  kind: z.enum(POST_KINDS, oneOf(POST_KINDS)).meta({
    description: 'image: one photo; carousel: 2 to 10 photos; reel: one video.',
  }),
  caption: z.string('Must be text.').default('').meta({
    description: 'At most 2,200 characters, 30 hashtags and 20 mentions.',
    example: 'The new silks are here. #handloom',
  }),
  media: z
    .array(Id)
    .max(MAX_MEDIA_IDS, `Must have at most ${MAX_MEDIA_IDS} ids.`)
    .default([])
    .meta({ description: 'Ids of POST /social/media, in their order; a draft may have none yet.' }),
  action: z.enum(POST_ACTIONS, oneOf(POST_ACTIONS)).default('draft').meta({
    description: 'schedule and publish need the role admin.',
  }),
  scheduledAt: InstantInput.nullish().meta({
    description:
      'When a scheduled post goes out: in the future, at most 75 days ahead. With action schedule alone.',
  }),
})
export type NewPost = z.output<typeof NewPost>

/** A post created in Parley (spec 2.9). */
export const Post = z
  .object({
    id: Id,
    kind: z.enum(POST_KINDS),
    caption: z.string(),
    media: z.array(Id),
    status: z.enum(POST_STATUSES).meta({
      description:
        'A post that is to go out at once is scheduled, without a time, until it is published or failed.',
    }),
    publishing: z.boolean().meta({
      description: 'It is on its way to the network, and cannot be cancelled any more.',
    }),
    scheduledAt: Instant.nullable(),
    publishedAt: Instant.nullable(),
    socialMediaId: z.string().nullable().meta({ description: "The network's id, once it is out." }),
    permalink: z.string().nullable(),
    failure: z
      .object({
        message: z.string(),
        code: z.number().int().nullable().meta({ description: "The network's own code." }),
      })
      .nullable()
      .meta({ description: 'Why it failed.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'SocialPost',
    description: 'A post for the photo network.',
    fields: {
      kind: 'Kind of post.',
      media: 'Ids of its photos or its video, in order.',
      'failure.code': "The network's own code; null without one.",
    },
  })
export type Post = z.output<typeof Post>
export const OnePost = z.object({ post: Post })

/** Body of `PATCH /social/posts/{id}`. */
export const PostMove = z.strictObject({
  scheduledAt: InstantInput.meta({
    description: 'When the scheduled post goes out instead: in the future, at most 75 days ahead.',
  }),
})
export type PostMove = z.output<typeof PostMove>

/** Query of `GET /social/posts`. */
export const PostFilter = z.object({
  ...cursorQuery,
  from: InstantInput.optional().meta({ description: 'Only posts that go out, or went out, from then on.' }),
  to: InstantInput.optional().meta({ description: 'Only posts that go out, or went out, before then.' }),
  status: z.enum(POST_STATUSES, oneOf(POST_STATUSES)).optional().meta({
    description: 'Only posts in this state.',
  }),
})
export type PostFilter = z.output<typeof PostFilter>

const RECENT_DEFAULT = 25
const MAX_RECENT = 50

/** Query of `GET /social/posts/recent`. */
export const RecentFilter = z.object({
  limit: wholeNumber(1, MAX_RECENT)
    .default(RECENT_DEFAULT)
    .meta({
      description: `Posts to show, 1 to ${MAX_RECENT}; ${RECENT_DEFAULT} unless said.`,
      type: 'integer',
      minimum: 1,
      maximum: MAX_RECENT,
    }),
})

const count = z.number().int().nullable()

/** A current post of the account at the network, whether or not Parley published it. */
export const LivePost = z
  .object({
    socialMediaId: z.string(),
    postId: Id.nullable().meta({ description: 'Ours, when it was written in the service.' }),
    kind: z.enum([...POST_KINDS, 'video', 'other']),
    caption: z.string().nullable(),
    mediaUrl: z.string().nullable(),
    thumbnailUrl: z.string().nullable(),
    permalink: z.string().nullable(),
    publishedAt: Instant.nullable(),
    likes: count.meta({ description: 'Null where the network does not say.' }),
    comments: count,
  })
  .meta({
    id: 'SocialLivePost',
    description: 'A post of your account as the network shows it now.',
    fields: {
      socialMediaId: "The network's id of the post.",
      kind: 'Kind of post.',
      mediaUrl: "Address of the photo or video; null if the network doesn't say.",
      thumbnailUrl: 'Address of the thumbnail of a video; null for none.',
      comments: "Number of comments; null if the network doesn't say.",
    },
  })
export type LivePost = z.output<typeof LivePost>

const INSIGHT_DAYS = ['7', '28', '90'] as const

/** Query of `GET /social/insights`. */
export const InsightsFilter = z.object({
  days: z
    .enum(INSIGHT_DAYS, `Must be one of ${INSIGHT_DAYS.join(', ')}.`)
    .transform(Number)
    .default(28)
    .meta({
      description: 'Days to look back on, up to now; 28 unless said.',
      type: 'integer',
      enum: INSIGHT_DAYS.map(Number),
      example: 28,
    }),
})

/** The account's figures over a window (docs/decisions/photo-network.md). */
export const Insights = z
  .object({
    days: z.number().int(),
    since: Instant,
    until: Instant,
    followers: count.meta({ description: 'Now.' }),
    views: count.meta({ description: 'Sum over the window; null where the network has no data.' }),
    reach: count.meta({
      description:
        'Accounts that saw something. Counted by the network within at most 30 days at a time: for 90 days the largest of ' +
        '`periods`, because the same account may be in several.',
    }),
    engagement: count.meta({
      description: 'Interactions (likes, comments, saves, shares …), summed over the window.',
    }),
    accountsEngaged: count.meta({ description: 'Accounts that interacted; for 90 days as `reach` is.' }),
    periods: z
      .array(z.object({ since: Instant, until: Instant, reach: count, accountsEngaged: count }))
      .meta({ description: 'The stretches that the network was asked for, oldest first.' }),
    topPosts: z.array(LivePost).meta({
      description: 'Up to five posts published within the window, most likes and comments first.',
    }),
  })
  .meta({
    id: 'SocialInsights',
    description: 'Figures of your account over a period.',
    fields: {
      days: 'Number of days looked back on.',
      since: 'Start of the period, in UTC.',
      until: 'End of the period, in UTC.',
      'periods.since': 'Start of the stretch, in UTC.',
      'periods.until': 'End of the stretch, in UTC.',
      'periods.reach': 'Accounts that saw something; null if the network has no data.',
      'periods.accountsEngaged': 'Accounts that interacted; null if the network has no data.',
    },
  })
export type Insights = z.output<typeof Insights>
