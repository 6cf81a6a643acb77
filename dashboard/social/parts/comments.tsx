/** Shows comments and mentions: those that wait for a reply, and those with replies. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { useState } from 'react'
import type { WorkspaceSession } from '../../api/session.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { Select } from '../../kit/select.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { type CommentFilter, commentsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { Comment } from './comment.tsx'
import { Refused } from './gate.tsx'

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
            <Comment key={comment.id} comment={comment} workspaceId={workspace.id} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      <LoadMore query={query} className="mt-3 self-start">
        {t('more')}
      </LoadMore>
    </div>
  )
}
