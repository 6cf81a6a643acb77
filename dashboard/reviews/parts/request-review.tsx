/** Requests a review of a paid invoice or a completed visit: asks for the subject, then for the channel. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { CalendarCheck, FileText } from 'lucide-react'
import { useState } from 'react'
import { newAttempt } from '../../api/attempt.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { DialogActions } from '../../kit/dialog-actions.tsx'
import { Finder } from '../../kit/finder.tsx'
import { SelectField } from '../../kit/select.tsx'
import { notify } from '../../kit/toasts.tsx'
import { completedBookingsQuery, paidInvoicesQuery, requestReview, type Subject } from '../queries.ts'
import { t } from '../texts.ts'

const CHANNELS = ['chat', 'link'] as const

type FinderProps = {
  open: boolean
  modules: readonly string[]
  onClose: () => void
  onChoose: (subject: Subject) => void
}

/** Finds a subject: invoices by text, and recent visits. */
export function SubjectFinder({ open, modules, onClose, onChoose }: FinderProps) {
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  const invoices = useQuery({
    ...paidInvoicesQuery(text.trim()),
    enabled: open && modules.includes('invoicing'),
  })
  const visits = useQuery({ ...completedBookingsQuery, enabled: open && modules.includes('bookings') })
  const groupOf = (value: string, subjects: readonly Subject[] = []) =>
    subjects.length === 0
      ? []
      : [
          {
            value,
            items: subjects.map((subject) => ({
              id: subject.id,
              title: [subject.label, subject.customer].filter(Boolean).join(' · '),
              icon: subject.about === 'invoice' ? FileText : CalendarCheck,
              always: subject.about === 'invoice',
              run: () => onChoose(subject),
            })),
          },
        ]
  return (
    <Finder
      open={open}
      onClose={close}
      title={t('ask.find')}
      placeholder={t('ask.search')}
      empty={t('ask.noMatches')}
      groups={[...groupOf(t('ask.invoices'), invoices.data), ...groupOf(t('ask.bookings'), visits.data)]}
      text={text}
      onText={setText}
    />
  )
}

/** Chooses the channel of the request. */
export function RequestReviewDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const [via, setVia] = useState<(typeof CHANNELS)[number]>('chat')
  // If the request is sent again, it is created only once, also if the user viewed the other channel in
  // between.
  const [attempts] = useState(() => ({ chat: newAttempt(), link: newAttempt() }))
  const { mutate, isPending, error, data, reset } = useMutation({
    mutationFn: () => {
      const body = { about: subject.about, subjectId: subject.id, via }
      return attempts[via](body, (idempotencyKey) => requestReview(body, idempotencyKey))
    },
    onSuccess: () => {
      if (via === 'link') return
      notify({ title: t('ask.done'), kind: 'good' })
      onClose()
    },
  })
  const link = via === 'link' ? data?.url : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('ask.title', { label: subject.label })}
      description={t('ask.text')}
      actions={
        link ? (
          <Button onClick={onClose}>{t('close')}</Button>
        ) : (
          <DialogActions onCancel={onClose} busy={isPending} onClick={() => mutate()}>
            {t(`ask.submit.${via}`)}
          </DialogActions>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <FormFault fault={error} />
        {link ? (
          <CopyField text={link} label={t('ask.copy')} />
        ) : (
          <SelectField
            label={t('ask.via')}
            hint={t(`ask.via.${via}.hint`)}
            value={via}
            onChange={(next) => {
              reset()
              setVia(next)
            }}
            choices={CHANNELS.map((value) => ({ value, label: t(`ask.via.${value}`) }))}
          />
        )}
      </div>
    </Dialog>
  )
}
