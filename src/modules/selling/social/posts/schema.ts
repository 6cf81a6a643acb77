/** Posts in the API (spec 2.9, 4.6). */
import { z } from 'zod'
import { Id } from '../../../../core/ids.ts'
import { cursorQuery, wholeNumber } from '../../../../core/paging.ts'
import { Instant, InstantInput } from '../../../../core/values/text.ts'

export const POST_KINDS = ['image', 'carousel', 'reel'] as const
export type PostKind = (typeof POST_KINDS)[number]
const POST_STATUSES = ['draft', 'scheduled', 'published', 'failed', 'cancelled'] as const
export type PostStatus = (typeof POST_STATUSES)[number]
const POST_ACTIONS = ['draft', 'schedule', 'publish'] as const
const CHANGE_ACTIONS = ['schedule', 'publish'] as const

const oneOf = (names: readonly string[]): string => `Must be one of ${names.join(', ')}.`
/** Far more than any post has: a number above the limit of its kind is `invalid_post`. */
const MAX_MEDIA_IDS = 100

/** Body of `POST /social/posts` (spec 4.6). */
export const NewPost = z.strictObject({
  kind: z.enum(POST_KINDS, oneOf(POST_KINDS)).meta({
    description: 'Kind of post: image (one photo), carousel (2 to 10 photos), or reel (one video).',
  }),
  caption: z.string('Must be text.').default('').meta({
    description: 'Caption of at most 2,200 characters, 30 hashtags, and 20 mentions.',
    example: 'The new silks are here. #handloom',
  }),
  media: z
    .array(Id)
    .max(MAX_MEDIA_IDS, `Must have at most ${MAX_MEDIA_IDS} ids.`)
    .default([])
    .meta({ description: 'Ids from POST /social/media, in order. A draft can be empty.' }),
  action: z.enum(POST_ACTIONS, oneOf(POST_ACTIONS)).default('draft').meta({
    description: 'Action for the post. `schedule` and `publish` need the role admin.',
  }),
  scheduledAt: InstantInput.nullish().meta({
    description: 'When to publish: in the future, at most 75 days ahead. Only with the action `schedule`.',
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
        'State of the post. A post that is to be published immediately is `scheduled`, without a time, until it is published or failed.',
    }),
    publishing: z.boolean().meta({
      description: 'Whether it is publishing now and can no longer be canceled.',
    }),
    scheduledAt: Instant.nullable(),
    publishedAt: Instant.nullable(),
    socialMediaId: z
      .string()
      .nullable()
      .meta({ description: "The network's id of the post; null until it is published." }),
    permalink: z.string().nullable(),
    failure: z
      .object({
        message: z.string(),
        code: z.number().int().nullable().meta({ description: "The network's own error code." }),
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
export const PostPatch = z.strictObject({
  kind: NewPost.shape.kind.optional().meta({ description: 'New kind of post.' }),
  caption: z.string('Must be text.').optional().meta({
    description: 'New caption of at most 2,200 characters, 30 hashtags, and 20 mentions.',
    example: 'The new silks are here. #handloom',
  }),
  media: z
    .array(Id)
    .max(MAX_MEDIA_IDS, `Must have at most ${MAX_MEDIA_IDS} ids.`)
    .optional()
    .meta({ description: 'Ids from POST /social/media, in order. They replace the present files.' }),
  action: z.enum(CHANGE_ACTIONS, oneOf(CHANGE_ACTIONS)).optional().meta({
    description: 'Schedules the post, or publishes it immediately. Without it, a draft stays a draft.',
  }),
  scheduledAt: InstantInput.optional().meta({
    description: 'New time: in the future, at most 75 days ahead. It schedules a draft.',
  }),
})
export type PostPatch = z.output<typeof PostPatch>

/** Query of `GET /social/posts`. */
export const PostFilter = z.object({
  ...cursorQuery,
  from: InstantInput.optional().meta({
    description: 'Only posts published, or scheduled, at this time or later.',
  }),
  to: InstantInput.optional().meta({ description: 'Only posts published, or scheduled, before this time.' }),
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
      description: `Number of posts, 1 to ${MAX_RECENT}. Default: ${RECENT_DEFAULT}.`,
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
    postId: Id.nullable().meta({ description: "Parley's id of the post, if it was created in Parley." }),
    kind: z.enum([...POST_KINDS, 'video', 'other']),
    caption: z.string().nullable(),
    mediaUrl: z.string().nullable(),
    thumbnailUrl: z.string().nullable(),
    permalink: z.string().nullable(),
    publishedAt: Instant.nullable(),
    likes: count.meta({ description: 'Number of likes; null if unknown.' }),
    comments: count,
    files: z
      .array(
        z.object({
          kind: z.enum(['image', 'video']),
          mediaUrl: z.string().nullable(),
          thumbnailUrl: z.string().nullable(),
        }),
      )
      .meta({ description: 'Photos and videos of a carousel, in order; empty for other posts.' }),
  })
  .meta({
    id: 'SocialLivePost',
    description: 'A post of your account as it is on the network now.',
    fields: {
      socialMediaId: "The network's id of the post.",
      kind: 'Kind of post.',
      mediaUrl: 'Address of the photo or video; null if unknown.',
      thumbnailUrl: 'Address of the thumbnail of a video; null for none.',
      comments: 'Number of comments; null if unknown.',
      'files.kind': 'Kind of file.',
      'files.mediaUrl': 'Address of the photo or video; null if unknown.',
      'files.thumbnailUrl': 'Address of the thumbnail of a video; null for none.',
    },
  })
export type LivePost = z.output<typeof LivePost>

/** The connected account and its current posts. */
export const RecentPosts = z.object({
  account: z
    .object({
      username: z.string().meta({ description: 'Name of your account on the network.' }),
      socialAccountId: z.string().meta({ description: "The network's id of your account." }),
    })
    .meta({ description: 'The connected account.' }),
  posts: z.array(LivePost),
})
export type RecentPosts = z.output<typeof RecentPosts>

const INSIGHT_DAYS = ['7', '28', '90'] as const

/** Query of `GET /social/insights`. */
export const InsightsFilter = z.object({
  days: z
    .enum(INSIGHT_DAYS, `Must be one of ${INSIGHT_DAYS.join(', ')}.`)
    .transform(Number)
    .default(28)
    .meta({
      description: 'Number of days up to now. Default: 28.',
      type: 'integer',
      enum: INSIGHT_DAYS.map(Number),
      example: 28,
    }),
})

/** The account's figures over a window (DECISIONS.md). */
export const Insights = z
  .object({
    days: z.number().int(),
    since: Instant,
    until: Instant,
    followers: count.meta({ description: 'Number of followers now.' }),
    views: count.meta({ description: 'Number of views in the period; null if the network has no data.' }),
    reach: count.meta({
      description:
        'Number of accounts that saw content. The network counts at most 30 days at a time. For 90 days, this is the largest value of `periods`, because the same account may be in several.',
    }),
    engagement: count.meta({
      description: 'Number of interactions in the period: likes, comments, saves, shares, and others.',
    }),
    accountsEngaged: count.meta({
      description: 'Number of accounts that interacted. For 90 days, it is counted as `reach` is.',
    }),
    periods: z
      .array(z.object({ since: Instant, until: Instant, reach: count, accountsEngaged: count }))
      .meta({ description: 'Parts of the period that the network counted, oldest first.' }),
    topPosts: z.array(LivePost).meta({
      description: 'Up to five posts published in the period, sorted by likes and comments.',
    }),
  })
  .meta({
    id: 'SocialInsights',
    description: 'Figures of your account over a period.',
    fields: {
      days: 'Number of days.',
      since: 'Start of the period, in UTC.',
      until: 'End of the period, in UTC.',
      'periods.since': 'Start of the part, in UTC.',
      'periods.until': 'End of the part, in UTC.',
      'periods.reach': 'Number of accounts that saw content; null if the network has no data.',
      'periods.accountsEngaged': 'Number of accounts that interacted; null if the network has no data.',
    },
  })
export type Insights = z.output<typeof Insights>
