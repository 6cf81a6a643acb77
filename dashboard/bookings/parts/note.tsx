import { useState } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import { TextArea } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
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
    <FormDialog
      open
      onClose={onClose}
      title={t('note.title')}
      action={t('save')}
      cancel={t('back')}
      busy={busy}
      onSubmit={() => onSave(notes.trim() || null)}
    >
      <TextArea
        label={t('fact.notes')}
        hint={t('note.hint')}
        maxLength={2000}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
