import { messageOf } from '../../api/errors.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { t } from '../texts.ts'
import type { useIdempotentSend } from '../use-idempotent-send.ts'

type Props = {
  sending: ReturnType<typeof useIdempotentSend>
  subject: 'message' | 'reply'
  onRetry: () => void
  onLeave: () => void
}

/** Shows why a message was not sent, or may not have been, and whether it is safe to send it again. */
export function SendFailure({ sending, subject, onRetry, onLeave }: Props) {
  const { error, isUnconfirmed, isPending } = sending
  if (!error) return null
  if (!isUnconfirmed)
    return (
      <Callout
        kind="bad"
        role="alert"
        action={
          <Button size="sm" busy={isPending} onClick={onRetry}>
            {t('reply.retry')}
          </Button>
        }
      >
        {t('reply.failed', { message: messageOf(error) })} {t('reply.retry.safe')}
      </Callout>
    )
  return (
    <Callout
      kind="warn"
      role="alert"
      action={
        <span className="flex flex-wrap justify-end gap-1">
          <Button size="sm" busy={isPending} onClick={onRetry}>
            {t('unconfirmed.check')}
          </Button>
          <Button size="sm" variant="ghost" onClick={onLeave}>
            {t('unconfirmed.done')}
          </Button>
        </span>
      }
    >
      <p className="font-medium">{t(`unconfirmed.${subject}`)}</p>
      <p>{t('unconfirmed.text')}</p>
    </Callout>
  )
}
