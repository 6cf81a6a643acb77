/**
 * Requests a draft and puts it into the message field, where its writer edits it. Text that the writer typed is
 * never replaced without a question.
 */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useAttempt } from '../../../api/attempt.ts'
import { messageOf } from '../../../api/errors.ts'
import { call } from '../../../api/request.ts'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { notify } from '../../../kit/toasts.tsx'
import type { draftOf, setDraft } from '../../draft.ts'
import type { DraftContent } from '../../draft-shape.ts'
import { Card } from './card.tsx'
import { closeHelp } from './opened.ts'
import { TextOfAssistant } from './text-of-assistant.tsx'
import { t } from './texts.ts'

const INSTRUCTION_MAX = 500

/** The drafts of the inbox, which passes them because this part loads later. */
export type DraftStore = { draftOf: typeof draftOf; setDraft: typeof setDraft }

const contentOf = ({ text, mode, files = [] }: DraftContent): DraftContent => ({ text, mode, files })

/** Puts `text` into the message field, and offers to undo it. Text written since then stays within reach. */
function placeText({ draftOf, setDraft }: DraftStore, conversationId: string, text: string): void {
  const before = contentOf(draftOf(conversationId))
  setDraft(conversationId, { ...before, text, mode: 'reply' })
  notify({
    title: t('draft.done'),
    kind: 'good',
    action: {
      label: t('undo'),
      run: () => {
        const current = draftOf(conversationId)
        const isEdited = current.text !== text
        setDraft(conversationId, { ...before, ...(isEdited && { other: contentOf(current) }) })
      },
    },
  })
}

type Props = DraftStore & { conversationId: string; field: RefObject<HTMLTextAreaElement | null> }

export function DraftCard({ conversationId, field, draftOf, setDraft }: Props) {
  const [instruction, setInstruction] = useState('')
  /** The draft that waits for the writer's decision. */
  const [waiting, setWaiting] = useState<string>()
  const [isPlaced, setPlaced] = useState(false)
  /** The text that this card put into the field: it may be replaced without a question. */
  const placed = useRef<string>(undefined)
  const attempt = useAttempt()

  const place = (text: string) => {
    placeText({ draftOf, setDraft }, conversationId, text)
    placed.current = text
    setWaiting(undefined)
    setPlaced(true)
    requestAnimationFrame(() => field.current?.focus())
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: (requested: string) => {
      const body = requested === '' ? {} : { instruction: requested }
      return attempt(body, (idempotencyKey) =>
        call('POST /conversations/{id}/draft', { params: { id: conversationId }, body, idempotencyKey }),
      )
    },
    onMutate: () => {
      setWaiting(undefined)
      setPlaced(false)
    },
    onSuccess: ({ text }) => {
      // The writer may have typed meanwhile.
      const { text: typed } = draftOf(conversationId)
      if (typed.trim() === '' || typed === placed.current) place(text)
      else setWaiting(text)
    },
  })
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isStarted.current) mutate('')
    isStarted.current = true
  }, [mutate])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(instruction.trim())
  }
  const close = () => {
    closeHelp(conversationId, 'draft')
    field.current?.focus()
  }
  return (
    <Card
      title={t('draft.title')}
      closeLabel={t('close.draft')}
      onClose={close}
      status={
        isPending
          ? t('draft.writing')
          : waiting !== undefined
            ? t('draft.ask')
            : isPlaced
              ? t('draft.placed')
              : undefined
      }
      error={error && !isPending ? messageOf(error) : undefined}
      onRetry={() => mutate(instruction.trim())}
    >
      {waiting !== undefined && (
        <>
          <TextOfAssistant label={t('draft.title')} text={waiting} />
          <div className="flex flex-wrap gap-2">
            <Button size="sm" variant="primary" onClick={() => place(waiting)}>
              {t('draft.replace')}
            </Button>
            <Button size="sm" onClick={() => place(`${draftOf(conversationId).text.trimEnd()}\n${waiting}`)}>
              {t('draft.append')}
            </Button>
            <Button size="sm" variant="ghost" onClick={close}>
              {t('draft.discard')}
            </Button>
          </div>
        </>
      )}
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <TextField
          className="min-w-40 flex-1"
          label={t('draft.instruction')}
          placeholder={t('draft.instruction.hint')}
          maxLength={INSTRUCTION_MAX}
          dir="auto"
          value={instruction}
          onChange={(event) => setInstruction(event.target.value)}
        />
        <Button type="submit" busy={isPending}>
          {t('draft.again')}
        </Button>
      </form>
    </Card>
  )
}
