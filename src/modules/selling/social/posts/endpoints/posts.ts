import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../../core/endpoint.ts'
import { cursorPage } from '../../../../../core/paging.ts'
import { socialAccount, socialFeature } from '../../gates.ts'
import { cancelPost } from '../operations/cancel-post.ts'
import { createPost } from '../operations/create-post.ts'
import { deleteDraft } from '../operations/delete-draft.ts'
import { readInsights } from '../operations/insights.ts'
import { readRecentPosts } from '../operations/live-posts.ts'
import { getPost, listPosts } from '../operations/read-posts.ts'
import { updatePost } from '../operations/update-post.ts'
import {
  Insights,
  InsightsFilter,
  NewPost,
  OnePost,
  Post,
  PostFilter,
  PostPatch,
  RecentFilter,
  RecentPosts,
} from '../schema.ts'

const shared = { tag: 'Photo network', section: '4.6', gates: [socialFeature] } as const
const read = { ...shared, method: 'GET', scope: 'social:read', role: 'viewer', bucket: 'reads' } as const
const live = { ...read, gates: [socialFeature, socialAccount], refuses: ['meta_error'] } as const
const write = { ...shared, method: 'POST', scope: 'social:write', bucket: 'social-posts' } as const

export const getSocialPosts = endpoint({
  ...read,
  path: '/social/posts',
  name: 'listSocialPosts',
  summary: 'List posts created in Parley, newest first.',
  query: PostFilter,
  replies: { 200: cursorPage('posts', Post) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listPosts(ctx, query)),
})

export const postSocialPost = endpoint({
  ...write,
  path: '/social/posts',
  name: 'createSocialPost',
  summary: 'Create a post: save a draft, schedule it, or publish it immediately.',
  description:
    'Drafts need the role agent and no connected account. The actions `schedule` and `publish` need the role admin. Publishing continues in the background: poll GET /social/posts/{id} for published or failed, or subscribe to `social.post.published`.',
  role: 'agent',
  body: NewPost,
  example: {
    kind: 'image',
    caption: 'The new silks are here. #handloom',
    media: ['0197a1b2-0000-7000-8000-000000000072'],
    action: 'schedule',
    scheduledAt: '2026-06-01T09:30:00Z',
  },
  replies: { 201: OnePost },
  refuses: [
    'forbidden',
    'not_connected',
    'reconnect_required',
    'invalid_reference',
    'invalid_post',
    'invalid_schedule',
  ],
  handle: async (ctx, { body }) => reply(201, { post: await createPost(ctx, body) }),
})

export const getRecentSocialPosts = outsideEndpoint({
  ...live,
  refuses: ['meta_error'],
  path: '/social/posts/recent',
  name: 'listLiveSocialPosts',
  summary: "List the account's published posts, live, with likes and comments.",
  description:
    'Shows all posts of the account as they are on the network, including posts created outside Parley. The data is at most ten seconds old.',
  bucket: 'social-live',
  query: RecentFilter,
  replies: { 200: RecentPosts },
  handle: async (ctx, { query }) => reply(200, await readRecentPosts(ctx, query.limit)),
})

export const getOneSocialPost = endpoint({
  ...read,
  path: '/social/posts/:id',
  name: 'getSocialPost',
  summary: 'Get one post. Poll it for published or failed.',
  subject: 'social post',
  replies: { 200: OnePost },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { post: await getPost(ctx, params.id) }),
})

export const patchSocialPost = endpoint({
  ...write,
  method: 'PATCH',
  path: '/social/posts/:id',
  name: 'updateSocialPost',
  summary: 'Change a draft, or a scheduled post that is not publishing yet.',
  description:
    'The changed post follows the rules of a new post. Drafts need the role agent. Scheduled posts, and scheduling or publishing a draft, need the role admin.',
  role: 'agent',
  subject: 'social post',
  body: PostPatch,
  example: { scheduledAt: '2026-06-02T09:30:00Z' },
  replies: { 200: OnePost },
  refuses: [
    'forbidden',
    'not_found',
    'conflict',
    'not_connected',
    'reconnect_required',
    'invalid_reference',
    'invalid_post',
    'invalid_schedule',
  ],
  handle: async (ctx, { params, body }) => reply(200, { post: await updatePost(ctx, params.id, body) }),
})

export const deleteSocialPost = endpoint({
  ...write,
  method: 'DELETE',
  path: '/social/posts/:id',
  name: 'deleteSocialPost',
  summary: 'Delete a draft.',
  role: 'agent',
  subject: 'social post',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) => {
    await deleteDraft(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const postSocialPostCancel = endpoint({
  ...write,
  path: '/social/posts/:id/cancel',
  name: 'cancelSocialPost',
  summary: 'Cancel a scheduled post that is not publishing yet.',
  role: 'admin',
  subject: 'social post',
  replies: { 200: OnePost },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) => reply(200, { post: await cancelPost(ctx, params.id) }),
})

export const getSocialInsights = outsideEndpoint({
  ...live,
  refuses: ['meta_error'],
  path: '/social/insights',
  name: 'getSocialInsights',
  summary: 'Get a summary of the account: followers, views, reach, engagement, and top posts.',
  description: 'Covers the last 7, 28, or 90 days. The data is at most a minute old.',
  query: InsightsFilter,
  replies: { 200: Insights },
  handle: async (ctx, { query }) => reply(200, await readInsights(ctx, query.days)),
})
