/** Shows a post that was created here: its state, and its actions. */
import type { SocialPost } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { withYear } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { fileAddress, Thumbnail } from './thumbnail.tsx'

const times = withYear({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })
const formatTime = (time: string): string => times(Date.parse(time))

const STATES: Record<SocialPost['status'], Tone> = {
  draft: 'plain',
  scheduled: 'accent',
  published: 'good',
  failed: 'bad',
  cancelled: 'plain',
}
export const POST_STATES = Object.keys(STATES) as SocialPost['status'][]

/** Returns whether the post can still change: the role may change it, and it is not being published. */
export const canEdit = (post: SocialPost, mayPublish: boolean): boolean =>
  post.status === 'draft' || (mayPublish && post.status === 'scheduled' && !isGoing(post))

/** A post that is published immediately is scheduled without a time. */
const isGoing = ({ status, publishing, scheduledAt }: SocialPost): boolean =>
  status === 'scheduled' && (publishing || scheduledAt === null)

function timeText(post: SocialPost): string | undefined {
  if (post.publishedAt) return t('posts.wentOut', { time: formatTime(post.publishedAt) })
  if (post.status === 'scheduled' && post.scheduledAt)
    return t('posts.goesOut', { time: formatTime(post.scheduledAt) })
  return undefined
}

type Props = {
  post: SocialPost
  workspaceId: string
  onEdit: ((post: SocialPost) => void) | undefined
  onDelete: ((post: SocialPost) => void) | undefined
  onUse: ((post: SocialPost) => void) | undefined
  onCancel: ((post: SocialPost) => void) | undefined
}

export function PostRow({ post, workspaceId, onEdit, onDelete, onUse, onCancel }: Props) {
  const caption = post.caption || t('posts.noCaption')
  const time = timeText(post)
  const canCancel = post.status === 'scheduled' && !isGoing(post)
  return (
    <li className="flex gap-3 border-b px-3 py-2.5 last:border-0">
      <Thumbnail
        src={post.media[0] && fileAddress(post.media[0], workspaceId)}
        kind={post.kind}
        className="size-10 sm:size-14"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex items-center gap-2">
          <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
            {caption}
          </span>
          <Badge tone={isGoing(post) ? 'warn' : STATES[post.status]}>
            {t(isGoing(post) ? 'posts.state.publishing' : `posts.state.${post.status}`)}
          </Badge>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 text-sm text-ink-3">
          {/* One line: a narrow screen cuts the kind, not the time. */}
          <span className="max-w-full truncate">
            {time && <span className="text-ink-2">{time} · </span>}
            {t(`kind.${post.kind}`)}
            {post.media.length > 1 && ` · ${t('posts.media', { count: post.media.length })}`}
          </span>
          {post.permalink && (
            <a
              href={post.permalink}
              target="_blank"
              rel="noreferrer noopener"
              className="text-accent underline underline-offset-2"
            >
              {t('posts.see')}
            </a>
          )}
          <span className="ms-auto flex flex-wrap gap-1 pointer-coarse:-my-2">
            {onEdit && (
              <Button
                size="sm"
                variant="ghost"
                data-social
                aria-label={t('posts.edit.of', { caption })}
                onClick={() => onEdit(post)}
              >
                {t('posts.edit')}
              </Button>
            )}
            {onDelete && post.status === 'draft' && (
              <Button
                size="sm"
                variant="ghost"
                data-social
                aria-label={t('posts.delete.of', { caption })}
                onClick={() => onDelete(post)}
              >
                {t('posts.delete')}
              </Button>
            )}
            {onUse && post.status !== 'scheduled' && post.status !== 'draft' && (
              <Button
                size="sm"
                variant="ghost"
                data-social
                title={t('posts.use')}
                onClick={() => onUse(post)}
              >
                {t('posts.use.short')}
              </Button>
            )}
            {onCancel && canCancel && (
              <Button
                size="sm"
                variant="ghost"
                data-social
                aria-label={t('posts.cancel.of', { caption })}
                onClick={() => onCancel(post)}
              >
                {t('posts.cancel')}
              </Button>
            )}
          </span>
        </div>
        {post.failure && (
          <p className="text-sm text-bad">{t('posts.failed', { message: post.failure.message })}</p>
        )}
      </div>
    </li>
  )
}
