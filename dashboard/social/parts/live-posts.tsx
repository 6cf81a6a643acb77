import { useState } from 'react'
import type { SocialLivePost } from '../../../sdk/api.ts'
import { DueIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { ExternalLink } from './external-link.tsx'
import { PostDetail } from './lazy-post-detail.ts'
import { liveMediaOf } from './media.ts'
import { PostMedia } from './post-media.tsx'
import { PostTitle } from './post-title.tsx'

type Props = {
  label: string
  posts: readonly SocialLivePost[]
  workspace: { id: string; name: string; timezone: string }
}

/** Shows the posts on the network, with their likes and comments. */
export function LivePosts({ label, posts, workspace }: Props) {
  const [opened, setOpened] = useState<SocialLivePost>()
  return (
    <>
      <ul aria-label={label} className="flex flex-col rounded-lg border">
        {posts.map((post) => {
          const caption = post.caption || t('posts.noCaption')
          return (
            <li key={post.socialMediaId} className="flex gap-3 border-b px-3 py-2.5 last:border-0">
              <PostMedia
                media={liveMediaOf(post, workspace.id)}
                kind={post.kind}
                caption={caption}
                onOpen={() => setOpened(post)}
              />
              <div className="flex min-w-0 flex-1 flex-col justify-between gap-1">
                <PostTitle caption={caption} onOpen={() => setOpened(post)} />
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
                  <span>
                    {post.files.length > 1
                      ? t('posts.media', { count: post.files.length })
                      : t(`kind.${post.kind}`)}
                  </span>
                  {post.likes !== null && <span>{t('posts.likes', { count: post.likes })}</span>}
                  {post.comments !== null && <span>{t('posts.comments', { count: post.comments })}</span>}
                  {post.publishedAt && <DueIn at={post.publishedAt} zone={workspace.timezone} className="" />}
                  {post.permalink && <ExternalLink href={post.permalink}>{t('posts.see')}</ExternalLink>}
                </div>
              </div>
            </li>
          )
        })}
      </ul>
      {opened && (
        <PostDetail post={{ live: opened }} workspace={workspace} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
