/** Shows a summary of the chat, to copy or to save as a note. */
import { useMutation } from '@tanstack/react-query'
import { StickyNote } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useAttempt } from '../../../api/attempt.ts'
import { queryClient } from '../../../api/cache.ts'
import { messageOf } from '../../../api/errors.ts'
import { call } from '../../../api/request.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy.tsx'
import { notify } from '../../../kit/toasts.tsx'
import { notifyError } from '../../../shell/notify-error.ts'
import { language } from '../../../texts.ts'
import { notesQuery } from '../../queries.ts'
import { Card } from './card.tsx'
import { closeHelp } from './opened.ts'
import { TextOfAssistant } from './text-of-assistant.tsx'
import { t } from './texts.ts'

export function SummaryCard({ conversationId }: { conversationId: string }) {
  const attempt = useAttempt()
  const noteAttempt = useAttempt()
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () => {
      const body = { language }
      return attempt(body, (idempotencyKey) =>
        call('POST /conversations/{id}/summary', { params: { id: conversationId }, body, idempotencyKey }),
      )
    },
  })
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isStarted.current) mutate()
    isStarted.current = true
  }, [mutate])
  const close = () => closeHelp(conversationId, 'summary')
  const note = useMutation({
    mutationFn: (text: string) => {
      const body = { body: text }
      return noteAttempt(body, (idempotencyKey) =>
        call('POST /conversations/{id}/notes', { params: { id: conversationId }, body, idempotencyKey }),
      )
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: notesQuery(conversationId).queryKey })
      notify({ title: t('summary.noted'), kind: 'good' })
      close()
    },
    onError: notifyError,
  })
  return (
    <Card
      title={t('summary.title')}
      closeLabel={t('close.summary')}
      onClose={close}
      status={isPending ? t('summary.writing') : undefined}
      error={error && !isPending ? messageOf(error) : undefined}
      onRetry={() => mutate()}
    >
      {data && !isPending && (
        <>
          <TextOfAssistant label={t('summary.title')} text={data.text} />
          <div className="flex items-center gap-2">
            <Button size="sm" icon={StickyNote} busy={note.isPending} onClick={() => note.mutate(data.text)}>
              {t('summary.note')}
            </Button>
            <CopyButton text={data.text} label={t('summary.copy')} />
          </div>
        </>
      )}
    </Card>
  )
}
