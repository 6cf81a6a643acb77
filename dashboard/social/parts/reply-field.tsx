/** The field for a direct message. */
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { refreshSocial } from '../queries.ts'
import { t } from '../texts.ts'
import { useIdempotentSend } from '../use-idempotent-send.ts'
import { SendFailure } from './send-failure.tsx'

/** The network's maximum size of a message, in bytes of UTF-8. */
const MAX_BYTES = 1_000
const bytesOf = (text: string): number => new TextEncoder().encode(text).length

export function ReplyField({ conversationId }: { conversationId: string }) {
  const [text, setText] = useState('')
  const sending = useIdempotentSend(
    (message, idempotencyKey) =>
      call('POST /social/send', { body: { conversationId, text: message }, idempotencyKey }).finally(() =>
        refreshSocial('socialConversation'),
      ),
    () => setText(''),
  )
  const tooLong = bytesOf(text.trim()) - MAX_BYTES
  const send = () => {
    if (text.trim() !== '' && tooLong <= 0 && !sending.isPending) sending.send(text.trim())
  }
  const leave = () => {
    sending.leave()
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <div className="flex flex-col gap-2 border-t p-3">
      <SendFailure sending={sending} subject="message" onRetry={send} onLeave={leave} />
      {tooLong > 0 && (
        <p role="alert" className="text-sm text-bad">
          {t('reply.tooLong', { count: tooLong })}
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          rows={1}
          dir="auto"
          aria-label={t('reply.label')}
          placeholder={t('reply.placeholder')}
          className="field-sizing-content max-h-48 min-h-9 w-full min-w-0 flex-1 resize-none rounded-md border border-edge bg-surface-1 px-3 py-2 pointer-coarse:text-md"
        />
        <Button
          variant="primary"
          icon={SendHorizontal}
          busy={sending.isPending}
          disabled={text.trim() === '' || tooLong > 0}
          onClick={send}
        >
          {t('reply.send')}
        </Button>
      </div>
    </div>
  )
}
