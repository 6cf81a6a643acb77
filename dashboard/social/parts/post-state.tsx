import type { SocialPost } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../texts.ts'

const STATES: Record<SocialPost['status'], Tone> = {
  draft: 'plain',
  scheduled: 'accent',
  published: 'good',
  failed: 'bad',
  cancelled: 'plain',
}
export const POST_STATES = Object.keys(STATES) as SocialPost['status'][]

/** Returns whether the post is being published: one that is published immediately is scheduled without a time. */
export const isGoing = ({ status, publishing, scheduledAt }: SocialPost): boolean =>
  status === 'scheduled' && (publishing || scheduledAt === null)

/** Shows the state of a post that was created here. */
export const PostState = ({ post }: { post: SocialPost }) => (
  <Badge tone={isGoing(post) ? 'warn' : STATES[post.status]}>
    {t(isGoing(post) ? 'posts.state.publishing' : `posts.state.${post.status}`)}
  </Badge>
)
