/** Shows a post that was created here: its state, and its actions. */
import type { SocialPost } from '../../../sdk/api.ts'
import { Button } from '../../kit/button.tsx'
import { useNow } from '../../kit/time.tsx'
import { formatDueIn, formatFullIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { ExternalLink } from './external-link.tsx'
import { mediaOf } from './media.ts'
import { PostMedia } from './post-media.tsx'
import { isGoing, PostState } from './post-state.tsx'
import { PostTitle } from './post-title.tsx'

/** Returns whether the post can still change: the role may change it, and it is not being published. */
export const canEdit = (post: SocialPost, mayPublish: boolean): boolean =>
  post.status === 'draft' || (mayPublish && post.status === 'scheduled' && !isGoing(post))

/** Returns when the post was or will be published; other posts have no time. */
const timeOf = ({ publishedAt, status, scheduledAt }: SocialPost): string | null =>
  publishedAt ?? (status === 'scheduled' ? scheduledAt : null)

function PostTime({ post, at, zone }: { post: SocialPost; at: string; zone: string }) {
  const time = formatDueIn(zone, at, useNow())
  return (
    <time dateTime={at} title={formatFullIn(zone, at)} className="text-ink-2">
      {t(post.publishedAt ? 'posts.wentOut' : 'posts.goesOut', { time })}
    </time>
  )
}

type Props = {
  post: SocialPost
  workspace: { id: string; timezone: string }
  onOpen: (post: SocialPost) => void
  onEdit: ((post: SocialPost) => void) | undefined
  onDelete: ((post: SocialPost) => void) | undefined
  onUse: ((post: SocialPost) => void) | undefined
  onCancel: ((post: SocialPost) => void) | undefined
}

export function PostRow({ post, workspace, onOpen, onEdit, onDelete, onUse, onCancel }: Props) {
  const caption = post.caption || t('posts.noCaption')
  const at = timeOf(post)
  const canCancel = post.status === 'scheduled' && !isGoing(post)
  return (
    <li className="flex gap-3 border-b px-3 py-2.5 last:border-0">
      <PostMedia
        media={mediaOf(post, workspace.id)}
        kind={post.kind}
        caption={caption}
        onOpen={() => onOpen(post)}
      />
      <div className="flex min-w-0 flex-1 flex-col justify-between gap-1">
        <div className="flex items-start gap-2">
          <PostTitle caption={caption} onOpen={() => onOpen(post)} className="min-w-0 flex-1" />
          <PostState post={post} />
        </div>
        <div className="flex flex-wrap items-center gap-x-3 text-sm text-ink-3">
          {/* One line: a narrow screen cuts the kind, not the time. */}
          <span className="max-w-full truncate">
            {at && (
              <>
                <PostTime post={post} at={at} zone={workspace.timezone} /> ·{' '}
              </>
            )}
            {post.media.length > 1 ? t('posts.media', { count: post.media.length }) : t(`kind.${post.kind}`)}
          </span>
          {post.permalink && <ExternalLink href={post.permalink}>{t('posts.see')}</ExternalLink>}
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
