import type { SocialLivePost } from '../../../sdk/api.ts'
import { Time } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { fileAddress, Thumbnail } from './thumbnail.tsx'

type Props = { label: string; posts: readonly SocialLivePost[]; workspaceId: string }

/** Shows the posts on the network, with their likes and comments. */
export const LivePosts = ({ label, posts, workspaceId }: Props) => (
  <ul aria-label={label} className="flex flex-col rounded-lg border">
    {posts.map((post) => (
      <li key={post.socialMediaId} className="flex items-center gap-3 border-b px-3 py-2 last:border-0">
        <Thumbnail
          src={
            post.mediaUrl || post.thumbnailUrl || post.postId
              ? fileAddress(post.socialMediaId, workspaceId)
              : undefined
          }
          kind={post.kind}
        />
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span dir="auto" className="min-w-40 flex-1 truncate">
            {post.caption || t('posts.noCaption')}
          </span>
          <span className="text-sm text-ink-3">{t(`kind.${post.kind}`)}</span>
          {post.likes !== null && <span className="text-sm">{t('posts.likes', { count: post.likes })}</span>}
          {post.comments !== null && (
            <span className="text-sm">{t('posts.comments', { count: post.comments })}</span>
          )}
          {post.publishedAt && <Time at={post.publishedAt} className="text-sm text-ink-3" />}
          {post.permalink && (
            <a
              href={post.permalink}
              target="_blank"
              rel="noreferrer noopener"
              className="text-sm text-accent underline underline-offset-2"
            >
              {t('posts.see')}
            </a>
          )}
        </div>
      </li>
    ))}
  </ul>
)
