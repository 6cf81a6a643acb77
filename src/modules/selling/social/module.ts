import { routes } from '../../../core/endpoint.ts'
import {
  getSocialConversations,
  getSocialMessages,
  patchSocialConversation,
  postSocialSend,
} from './chats/endpoints.ts'
import { socialMessageReceived } from './chats/events.ts'
import { settleSend } from './chats/jobs.ts'
import { getSocialComments, postSocialHide, postSocialReply } from './comments/endpoints.ts'
import { socialCommentReceived } from './comments/events.ts'
import { settleReply } from './comments/jobs.ts'
import { postSocialMedia, postSocialMediaUpload } from './posts/endpoints/media.ts'
import {
  deleteSocialPost,
  getOneSocialPost,
  getRecentSocialPosts,
  getSocialInsights,
  getSocialPosts,
  patchSocialPost,
  postSocialPost,
  postSocialPostCancel,
} from './posts/endpoints/posts.ts'
import { socialPostPublished } from './posts/events.ts'
import { publishPost, sweepPostMedia } from './posts/jobs.ts'
import { postSocialPrivateReply } from './private-replies/endpoints.ts'
import { settlePrivateReply } from './private-replies/jobs.ts'
import { socialRetentionSource } from './work/social-retention-source.ts'
import { socialUpdatesSource } from './work/social-updates-source.ts'
import { socialWordsSource } from './work/social-words-source.ts'
import { tokenRefreshSource } from './work/token-refresh-source.ts'

export const social = {
  endpoints: routes({
    'GET /social/conversations': getSocialConversations,
    'GET /social/conversations/:id/messages': getSocialMessages,
    'PATCH /social/conversations/:id': patchSocialConversation,
    'POST /social/send': postSocialSend,
    'POST /social/media': postSocialMedia,
    'POST /social/media/upload': postSocialMediaUpload,
    'GET /social/posts': getSocialPosts,
    'POST /social/posts': postSocialPost,
    'GET /social/posts/recent': getRecentSocialPosts,
    'GET /social/posts/:id': getOneSocialPost,
    'PATCH /social/posts/:id': patchSocialPost,
    'DELETE /social/posts/:id': deleteSocialPost,
    'POST /social/posts/:id/cancel': postSocialPostCancel,
    'GET /social/comments': getSocialComments,
    'POST /social/comments/:id/reply': postSocialReply,
    'POST /social/comments/:id/private-reply': postSocialPrivateReply,
    'POST /social/comments/:id/hide': postSocialHide,
    'GET /social/insights': getSocialInsights,
  }),
  events: [socialMessageReceived, socialCommentReceived, socialPostPublished],
  jobs: [settleSend, settleReply, settlePrivateReply, publishPost, sweepPostMedia],
  sources: {
    'social-updates': socialUpdatesSource,
    'social-tokens': tokenRefreshSource,
    'social-retention': socialRetentionSource,
    'social-words': socialWordsSource,
  },
}
