/** Shows comments and mentions: those that wait for a reply, and those with replies. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import type { SocialLivePost } from '../../../sdk/api.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { Select } from '../../kit/select.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { type CommentFilter, commentsQuery, recentQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { Comment } from './comment.tsx'
import { Refused } from './gate.tsx'
import { PostDetail } from './lazy-post-detail.ts'

const POSTS_STALE_MS = 300_000

const FILTERS: readonly CommentFilter[] = ['needs_reply', 'all', 'mentions', 'hidden']

export function Comments({
  workspace,
  mayWrite,
}: {
  workspace: WorkspaceSession['workspace']
  mayWrite: boolean
}) {
  const [filter, setFilter] = useState<CommentFilter>('all')
  const query = useInfiniteQuery(commentsQuery(filter))
  const comments = query.data?.pages.flatMap((page) => page.comments) ?? []
  const [opened, setOpened] = useState<SocialLivePost>()
  // The posts only add their captions: comments are shown without them too.
  const { data: recent } = useQuery({
    ...recentQuery,
    staleTime: POSTS_STALE_MS,
    enabled: comments.length > 0,
  })
  const posts = new Map(recent?.posts.map((post) => [post.socialMediaId, post]))
  return (
    <div className="pane flex flex-1 flex-col px-4 py-4 sm:px-6">
      <Select
        name={t('comments.filter')}
        className="mb-3 w-full max-w-56 shrink-0"
        value={filter}
        onChange={setFilter}
        choices={FILTERS.map((value) => ({ value, label: t(`comments.filter.${value}`) }))}
      />
      {query.isPending ? (
        <SkeletonRows tall />
      ) : query.isError ? (
        <Refused error={query.error} workspace={workspace} onRetry={() => void query.refetch()} />
      ) : comments.length === 0 ? (
        <Empty icon={MessagesSquare} title={t(`comments.empty.${filter}`)}>
          {t('comments.empty.text')}
        </Empty>
      ) : (
        <ul aria-label={t('comments.list')} className="flex max-w-3xl flex-col gap-3">
          {comments.map((comment) => (
            <Comment
              key={comment.id}
              comment={comment}
              post={posts.get(comment.socialMediaId ?? '')}
              onOpen={setOpened}
              workspace={workspace}
              mayWrite={mayWrite}
            />
          ))}
        </ul>
      )}
      {opened && (
        <PostDetail post={{ live: opened }} workspace={workspace} onClose={() => setOpened(undefined)} />
      )}
      <LoadMore query={query} className="mt-3 self-start">
        {t('more')}
      </LoadMore>
    </div>
  )
}
