import { useState } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import { TextArea } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { SelectField } from '../../kit/select.tsx'
import type { BookingPatch } from '../queries.ts'
import { t } from '../texts.ts'
import { customerOf } from './status.tsx'

const POLICIES = ['policy', 'refund', 'keep'] as const
type Props = {
  booking: Booking
  busy: boolean
  onClose: () => void
  onConfirm: (body: BookingPatch) => void
}

/** Asks for the reason, and whether to keep or refund the advance. */
export function CancelBooking({ booking, busy, onClose, onConfirm }: Props) {
  const [reason, setReason] = useState('')
  const [policy, setPolicy] = useState<(typeof POLICIES)[number]>('policy')
  const isPaid = booking.advance?.status === 'paid'
  const confirm = () =>
    onConfirm({
      status: 'cancelled',
      reason: reason.trim() || null,
      ...(isPaid && policy !== 'policy' && { advance: policy }),
    })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('cancel.title', { customer: customerOf(booking) })}
      description={t('cancel.free')}
      action={t('action.cancel')}
      cancel={t('back')}
      busy={busy}
      danger
      onSubmit={confirm}
    >
      <TextArea
        label={t('cancel.reason')}
        hint={t('cancel.reason.hint')}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {isPaid && (
        <SelectField
          label={t('cancel.advance', { amount: booking.advance!.amount })}
          value={policy}
          onChange={setPolicy}
          choices={POLICIES.map((value) => ({ value, label: t(`policy.${value}`) }))}
        />
      )}
    </FormDialog>
  )
}
