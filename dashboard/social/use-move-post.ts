/**
 * Moves scheduled posts: immediately on the screen, with undo, and back again if the server rejects the move.
 */
import { useMutation } from '@tanstack/react-query'
import type { SocialPost } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { daysLater } from '../kit/month-days.ts'
import { workspaceNow } from '../kit/time.tsx'
import { notify } from '../kit/toasts.tsx'
import { formatDueIn } from '../kit/zone-times.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { calendarQuery, refreshSocial } from './queries.ts'
import { t } from './texts.ts'

/** Keeps the focus on the post's button, which may have moved. */
function keepFocus(id: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(`[data-post="${id}"]`)?.focus()
  })
}

export function useMovePost(month: string, zone: string) {
  const { queryKey } = calendarQuery(month, zone)
  const updateCache = (id: string, scheduledAt: string | null) =>
    queryClient.setQueryData(queryKey, (posts: SocialPost[] | undefined) =>
      posts?.map((post) => (post.id === id ? { ...post, scheduledAt } : post)),
    )
  const { mutate } = useMutation({
    mutationFn: ({ post, at }: { post: SocialPost; at: string; isUndo?: boolean }) =>
      call('PATCH /social/posts/{id}', { params: { id: post.id }, body: { scheduledAt: at } }),
    onMutate: async ({ post, at }) => {
      await queryClient.cancelQueries({ queryKey })
      updateCache(post.id, at)
      keepFocus(post.id)
    },
    onSuccess: (_, { post, at, isUndo }) => {
      const previousTime = post.scheduledAt as string
      notify({
        title: t('calendar.moved', { time: formatDueIn(zone, at, workspaceNow()) }),
        kind: 'good',
        ...(!isUndo && {
          action: {
            label: t('undo'),
            run: () => mutate({ post: { ...post, scheduledAt: at }, at: previousTime, isUndo: true }),
          },
        }),
      })
    },
    onError: (error, { post }) => {
      updateCache(post.id, post.scheduledAt)
      keepFocus(post.id)
      notifyError(error)
    },
    onSettled: () => refreshSocial('socialPost'),
  })
  const cancel = useMutation({
    mutationFn: ({ id }: SocialPost) => call('POST /social/posts/{id}/cancel', { params: { id } }),
    onSuccess: () => notify({ title: t('posts.cancel.done'), kind: 'good' }),
    onError: notifyError,
    onSettled: () => refreshSocial('socialPost'),
  })
  const moveTo = (post: SocialPost, time: string) => mutate({ post, at: time })
  return {
    moveTo,
    move: (post: SocialPost, days: number) => moveTo(post, daysLater(zone, post.scheduledAt as string, days)),
    cancel: (post: SocialPost) => cancel.mutate(post),
  }
}
