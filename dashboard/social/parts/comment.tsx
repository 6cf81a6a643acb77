/** Shows one comment with our replies, and its actions. */
import { useMutation } from '@tanstack/react-query'
import { Eye, EyeOff, MessageCircle, Reply } from 'lucide-react'
import { useState } from 'react'
import type { SocialComment, SocialLivePost } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { notify } from '../../kit/toasts.tsx'
import { DueIn } from '../../kit/zone-times.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { refreshSocial } from '../queries.ts'
import { t } from '../texts.ts'
import { useIdempotentSend } from '../use-idempotent-send.ts'
import { CommentAnswer } from './comment-answer.tsx'
import { captionName } from './cut-caption.ts'
import { ExternalLink } from './external-link.tsx'
import { isVideoKind } from './media.ts'
import { PlayMark } from './play-mark.tsx'
import { canReplyPrivately, PrivateAnswer, PrivateReply } from './private-reply.tsx'
import { fileAddress, Thumbnail } from './thumbnail.tsx'

const MAX_REPLY = 2_200

const setHidden = (id: string, isHidden: boolean) =>
  call('POST /social/comments/{id}/hide', { params: { id }, body: { hidden: isHidden } }).finally(() =>
    refreshSocial('socialComment'),
  )

/** Hides or shows a comment, and offers undo. */
function hideComment(id: string, isHidden: boolean): Promise<void> {
  return setHidden(id, isHidden).then(
    () =>
      notify({
        title: t(isHidden ? 'comments.hide.done' : 'comments.show.done'),
        kind: 'good',
        action: { label: t('undo'), run: () => void setHidden(id, !isHidden).catch(notifyError) },
      }),
    notifyError,
  )
}

function Answer({ id, onDone }: { id: string; onDone: () => void }) {
  const sending = useIdempotentSend(
    (reply, idempotencyKey) =>
      call('POST /social/comments/{id}/reply', {
        params: { id },
        body: { text: reply },
        idempotencyKey,
      }).finally(() => refreshSocial('socialComment')),
    () => {
      notify({ title: t('comments.answered'), kind: 'good' })
      onDone()
    },
  )
  return (
    <CommentAnswer
      label={t('comments.answer.label')}
      subject="reply"
      excessOf={(text) => Array.from(text).length - MAX_REPLY}
      tooLong={(count) => t('comments.answer.tooLong', { count })}
      sending={sending}
      onLeave={onDone}
    />
  )
}

function Replies({ replies, zone }: Pick<SocialComment, 'replies'> & { zone: string }) {
  if (replies.length === 0) return null
  return (
    <ul className="mt-2 flex flex-col gap-1 border-s-2 border-accent ps-3">
      {replies.map((reply) => (
        <li key={reply.id}>
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {reply.text}
          </p>
          <p className={reply.status === 'unconfirmed' ? 'text-xs text-warn' : 'text-xs text-ink-3'}>
            {t(`comments.reply.${reply.status}`)} ·{' '}
            <DueIn at={reply.sentAt ?? reply.createdAt} zone={zone} className="" />
          </p>
        </li>
      ))}
    </ul>
  )
}

type Props = {
  comment: SocialComment
  /** The post, if it is one of the latest. */
  post: SocialLivePost | undefined
  onOpen: (post: SocialLivePost) => void
  workspace: { id: string; timezone: string }
  mayWrite: boolean
}

export function Comment({ comment, post, onOpen, workspace, mayWrite }: Props) {
  const { id: workspaceId, timezone: zone } = workspace
  const [answering, setAnswering] = useState<'publicly' | 'privately'>()
  const { mutate, isPending } = useMutation({ mutationFn: () => hideComment(comment.id, !comment.hidden) })
  const name = comment.username ? `@${comment.username}` : t('unknownSender')
  const caption = post && (captionName(post.caption ?? '') || t('posts.noCaption'))
  const isFilm = post && (isVideoKind(post.kind) || post.files.some(({ kind }) => kind === 'video'))
  const picture = (
    <Thumbnail
      src={comment.socialMediaId ? fileAddress(comment.socialMediaId, workspaceId) : undefined}
      kind={post?.kind ?? 'other'}
      className="size-12 sm:size-16"
    />
  )
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 rounded-lg border p-3">
      {post ? (
        <button
          type="button"
          aria-label={t('posts.open', { caption: caption ?? '' })}
          onClick={() => onOpen(post)}
          className="relative self-start rounded-md"
        >
          {picture}
          {isFilm && <PlayMark size="size-6" icon={11} />}
        </button>
      ) : (
        picture
      )}
      <div className="min-w-0">
        <div className="flex flex-wrap items-start gap-x-2">
          <p className="flex max-w-full min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
            <span dir="auto" className="min-w-0 truncate font-medium">
              {name}
            </span>
            {comment.kind !== 'comment' && <Badge>{t(`comments.kind.${comment.kind}`)}</Badge>}
            {comment.needsReply && <Badge tone="accent">{t('comments.filter.needs_reply')}</Badge>}
            {comment.hidden && <Badge tone="warn">{t('comments.hidden')}</Badge>}
          </p>
          <DueIn at={comment.commentedAt} zone={zone} className="shrink-0 text-xs leading-5 text-ink-3" />
        </div>
        {comment.text && (
          <p dir="auto" className="mt-1 break-words whitespace-pre-wrap">
            {comment.text}
          </p>
        )}
        {caption && (
          <p dir="auto" className="mt-0.5 truncate text-sm text-ink-3">
            {t('comments.on', { caption })}
          </p>
        )}
        <Replies replies={comment.replies} zone={zone} />
        <PrivateReply comment={comment} workspaceId={workspaceId} />
      </div>
      <div className="min-w-0 max-sm:col-span-2 sm:col-start-2">
        <div className="flex flex-wrap items-center gap-2">
          {mayWrite && !answering && (
            <Button
              size="sm"
              icon={Reply}
              data-social
              aria-label={t('comments.answer.of', { name })}
              onClick={() => setAnswering('publicly')}
            >
              {t('comments.answer')}
            </Button>
          )}
          {mayWrite && !answering && canReplyPrivately(comment) && (
            <Button
              size="sm"
              icon={MessageCircle}
              aria-label={t('comments.private.of', { name })}
              onClick={() => setAnswering('privately')}
            >
              {t('comments.private')}
            </Button>
          )}
          {mayWrite && comment.socialCommentId && (
            <Button
              size="sm"
              variant="ghost"
              icon={comment.hidden ? Eye : EyeOff}
              busy={isPending}
              aria-label={t(comment.hidden ? 'comments.show.of' : 'comments.hide.of', { name })}
              onClick={() => mutate()}
            >
              {t(comment.hidden ? 'comments.show' : 'comments.hide')}
            </Button>
          )}
          {comment.permalink && (
            <ExternalLink href={comment.permalink} className="text-sm">
              {t('comments.see')}
            </ExternalLink>
          )}
        </div>
        {answering === 'publicly' && <Answer id={comment.id} onDone={() => setAnswering(undefined)} />}
        {answering === 'privately' && (
          <PrivateAnswer id={comment.id} onDone={() => setAnswering(undefined)} />
        )}
      </div>
    </li>
  )
}
