/** The form for an answer to a comment, in public or in private. */
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { TextArea } from '../../kit/field.tsx'
import { t } from '../texts.ts'
import type { useIdempotentSend } from '../use-idempotent-send.ts'
import { SendFailure } from './send-failure.tsx'

type Props = {
  label: string
  hint?: string
  subject: 'message' | 'reply'
  /** Returns by how much a text is longer than the network takes. */
  excessOf: (text: string) => number
  tooLong: (count: number) => string
  sending: ReturnType<typeof useIdempotentSend>
  onLeave: () => void
}

export function CommentAnswer({ label, hint, subject, excessOf, tooLong, sending, onLeave }: Props) {
  const [text, setText] = useState('')
  const excess = excessOf(text.trim())
  const send = () => sending.send(text.trim())
  return (
    <div className="mt-3 flex flex-col gap-2">
      <TextArea
        label={label}
        hint={hint}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={excess > 0 ? tooLong(excess) : undefined}
      />
      <SendFailure sending={sending} subject={subject} onRetry={send} onLeave={onLeave} />
      <div className="flex gap-2">
        <Button
          variant="primary"
          size="sm"
          busy={sending.isPending}
          disabled={text.trim() === '' || excess > 0}
          onClick={send}
        >
          {t('reply.send')}
        </Button>
        <Button size="sm" onClick={onLeave}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  )
}
