/** Shows the private reply to a comment, and the field for it. */
import { Link } from '@tanstack/react-router'
import type { SocialComment } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { Time, workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { refreshSocial } from '../queries.ts'
import { t } from '../texts.ts'
import { useIdempotentSend } from '../use-idempotent-send.ts'
import { CommentAnswer } from './comment-answer.tsx'

/** The network's maximum size of a direct message, in bytes of UTF-8. */
const MAX_BYTES = 1_000
/** The time in which the network takes a private reply. */
const PRIVATE_REPLY_MS = 7 * 24 * 3_600_000

/** Returns whether a comment can be answered privately: once, within seven days, and under our own posts. */
export const canReplyPrivately = ({
  privateReply,
  kind,
  socialCommentId,
  commentedAt,
}: SocialComment): boolean =>
  privateReply === null &&
  kind !== 'mention' &&
  socialCommentId !== null &&
  workspaceNow() - Date.parse(commentedAt) < PRIVATE_REPLY_MS

/** Shows the private reply, with a link to the chat with the author. */
export function PrivateReply({ comment, workspaceId }: { comment: SocialComment; workspaceId: string }) {
  const { privateReply } = comment
  if (!privateReply) return null
  const { text, status, conversationId, sentAt, createdAt } = privateReply
  return (
    <div className="mt-2 border-s-2 border-note ps-3">
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {text}
      </p>
      <p className={status === 'unconfirmed' ? 'text-xs text-warn' : 'text-xs text-ink-3'}>
        {t(`comments.private.${status}`)} · <Time at={sentAt ?? createdAt} />
      </p>
      {conversationId && (
        <Link
          to={`/w/${workspaceId}/inbox/${conversationId}`}
          search={{ channel: 'social', state: 'any' } as never}
          className="inline-flex items-center text-sm text-accent underline underline-offset-2 pointer-coarse:min-h-11"
        >
          {t('comments.private.chat')}
        </Link>
      )}
    </div>
  )
}

export function PrivateAnswer({ id, onDone }: { id: string; onDone: () => void }) {
  const sending = useIdempotentSend(
    (message, idempotencyKey) =>
      call('POST /social/comments/{id}/private-reply', {
        params: { id },
        body: { text: message },
        idempotencyKey,
      }).finally(() => refreshSocial('socialComment')),
    () => {
      notify({ title: t('comments.private.done'), kind: 'good' })
      onDone()
    },
  )
  return (
    <CommentAnswer
      label={t('comments.private.label')}
      hint={t('comments.private.hint')}
      subject="message"
      excessOf={(text) => new TextEncoder().encode(text).length - MAX_BYTES}
      tooLong={(count) => t('reply.tooLong', { count })}
      sending={sending}
      onLeave={onDone}
    />
  )
}
