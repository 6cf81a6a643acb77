/** Shows posts: those created here with their states, and those on the network now. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Copy, Image, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import type { SocialPost } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { hasRole, type Role, type WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { Section } from '../../kit/page.tsx'
import { Select } from '../../kit/select.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { POSTS_COMMANDS } from '../commands.ts'
import { type PostFilter, postsQuery, recentQuery, refreshSocial } from '../queries.ts'
import { t } from '../texts.ts'
import { Refused } from './gate.tsx'
import { PostDetail } from './lazy-post-detail.ts'
import { LivePosts } from './live-posts.tsx'
import { canEdit, PostRow } from './post-row.tsx'
import { POST_STATES } from './post-state.tsx'

const NewPost = lazyComponent(() => import('./new-post.tsx').then((module) => module.NewPost))

const FILTERS: readonly PostFilter[] = ['all', ...POST_STATES]

type Props = { workspace: WorkspaceSession['workspace']; role: Role }

export function Posts({ workspace, role }: Props) {
  const [filter, setFilter] = useState<PostFilter>('all')
  const [writing, setWriting] = useState<{ from: SocialPost | undefined; isEdit: boolean; key: number }>()
  const [isOpen, setOpen] = useState(false)
  const begin = (from?: SocialPost, isEdit = false) => {
    setWriting((before) => ({ from, isEdit, key: (before?.key ?? 0) + 1 }))
    setOpen(true)
  }
  const mayWrite = hasRole(role, 'agent')
  useCommands(POSTS_COMMANDS, { mayWrite, create: () => begin() }, { title: t })
  const create = mayWrite && (
    <Button variant="primary" icon={Plus} keys="c" onClick={() => begin()}>
      {t('posts.create')}
    </Button>
  )
  return (
    <div className="pane flex-1 px-4 py-4 sm:px-6">
      <div className="max-w-4xl">
        <Section
          title={t('posts.title')}
          actions={
            <>
              <div className="w-40">
                <Select
                  name={t('posts.filter')}
                  value={filter}
                  onChange={setFilter}
                  choices={FILTERS.map((value) => ({
                    value,
                    label: t(value === 'all' ? 'posts.filter.all' : `posts.state.${value}`),
                  }))}
                />
              </div>
              {create}
            </>
          }
        >
          <PostList
            filter={filter}
            workspace={workspace}
            role={role}
            onUse={mayWrite ? (post) => begin(post) : undefined}
            onEdit={(post) => begin(post, true)}
          />
        </Section>
        <Section title={t('posts.recent')} description={t('posts.recent.text')}>
          <Recent workspace={workspace} />
        </Section>
      </div>
      {writing && (
        <NewPost
          key={writing.key}
          from={writing.from}
          isEdit={writing.isEdit}
          workspace={workspace}
          mayPublish={hasRole(role, 'admin')}
          open={isOpen}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

type WrittenProps = Props & {
  filter: PostFilter
  onUse: ((post: SocialPost) => void) | undefined
  onEdit: (post: SocialPost) => void
}

function PostList({ filter, workspace, role, onUse, onEdit }: WrittenProps) {
  const query = useInfiniteQuery(postsQuery(filter))
  const posts = query.data?.pages.flatMap((page) => page.posts) ?? []
  const [leaving, setLeaving] = useState<SocialPost>()
  const [deleting, setDeleting] = useState<SocialPost>()
  const [opened, setOpened] = useState<SocialPost>()
  const deletion = useMutation({
    mutationFn: (id: string) => call('DELETE /social/posts/{id}', { params: { id } }),
    onSuccess: () => notify({ title: t('posts.delete.done'), kind: 'good' }),
    onError: notifyError,
    onSettled: () => {
      setDeleting(undefined)
      return refreshSocial('socialPost')
    },
  })
  const leaveFor = (action: (post: SocialPost) => void, post: SocialPost) => () => {
    setOpened(undefined)
    action(post)
  }
  const mayPublish = hasRole(role, 'admin')
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) => call('POST /social/posts/{id}/cancel', { params: { id } }),
    onSuccess: () => notify({ title: t('posts.cancel.done'), kind: 'good' }),
    onError: notifyError,
    onSettled: () => {
      setLeaving(undefined)
      return refreshSocial('socialPost')
    },
  })
  if (query.isPending) return <SkeletonRows />
  if (query.isError)
    return <Refused error={query.error} workspace={workspace} onRetry={() => void query.refetch()} />
  if (posts.length === 0)
    return (
      <Empty icon={Image} title={t(filter === 'all' ? 'posts.empty' : 'posts.empty.filtered')}>
        {t('posts.empty.text')}
      </Empty>
    )
  return (
    <>
      <ul aria-label={t('posts.list')} className="flex flex-col rounded-lg border">
        {posts.map((post) => (
          <PostRow
            key={post.id}
            post={post}
            workspace={workspace}
            onOpen={setOpened}
            onEdit={onUse && canEdit(post, mayPublish) ? onEdit : undefined}
            onDelete={onUse && setDeleting}
            onUse={onUse}
            onCancel={mayPublish ? setLeaving : undefined}
          />
        ))}
      </ul>
      <LoadMore query={query}>{t('more')}</LoadMore>
      {opened && (
        <PostDetail
          post={{ own: opened }}
          workspace={workspace}
          onClose={() => setOpened(undefined)}
          actions={
            onUse && (
              <>
                {canEdit(opened, mayPublish) && (
                  <Button icon={Pencil} onClick={leaveFor(onEdit, opened)}>
                    {t('posts.edit')}
                  </Button>
                )}
                <Button icon={Copy} onClick={leaveFor(onUse, opened)}>
                  {t('posts.use.short')}
                </Button>
              </>
            )
          }
        />
      )}
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('posts.cancel.title')}
        description={t('posts.cancel.text')}
        action={t('posts.cancel.action')}
        onConfirm={() => leaving && mutate(leaving.id)}
        busy={isPending}
        danger
      />
      <Confirm
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={t('posts.delete.title')}
        description={t('posts.delete.text')}
        action={t('posts.delete.action')}
        onConfirm={() => deleting && deletion.mutate(deleting.id)}
        busy={deletion.isPending}
        danger
      />
    </>
  )
}

function Recent({ workspace }: { workspace: WorkspaceSession['workspace'] }) {
  const { data, error, isPending, refetch } = useQuery(recentQuery)
  if (isPending) return <SkeletonRows rows={3} />
  if (error) return <Refused error={error} workspace={workspace} onRetry={() => void refetch()} />
  const { posts } = data
  if (posts.length === 0) return <p className="text-ink-2">{t('posts.recent.empty')}</p>
  return <LivePosts label={t('posts.recent.list')} posts={posts} workspace={workspace} />
}
