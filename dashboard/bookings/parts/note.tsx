import { useState } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea } from '../../kit/field.tsx'
import { t } from '../texts.ts'

type Props = {
  booking: Booking
  busy: boolean
  onClose: () => void
  onSave: (notes: string | null) => void
}

/** Edits the team's note on a visit. */
export function NoteOfBooking({ booking, busy, onClose, onSave }: Props) {
  const [notes, setNotes] = useState(booking.notes ?? '')
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('note.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('back')}</Button>
          <Button variant="primary" busy={busy} onClick={() => onSave(notes.trim() || null)}>
            {t('save')}
          </Button>
        </>
      }
    >
      <TextArea
        label={t('fact.notes')}
        hint={t('note.hint')}
        maxLength={2000}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
    </Dialog>
  )
}
