import { useState } from 'react'
import { TextArea } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { t } from '../texts.ts'

type Props = {
  title: string
  description: string
  action: string
  isOptional?: boolean
  busy: boolean
  onClose: () => void
  onConfirm: (reason: string) => void
}

/** Asks for a reason before a document or its link is ended. */
export function ReasonDialog({ title, description, action, isOptional, busy, onClose, onConfirm }: Props) {
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const isMissing = !isOptional && reason.trim() === ''
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title}
      description={description}
      action={action}
      cancel={t('cancel.not')}
      busy={busy}
      danger
      onSubmit={() => (isMissing ? setTried(true) : onConfirm(reason.trim()))}
    >
      <TextArea
        label={t('reason')}
        maxLength={500}
        value={reason}
        error={isTried && isMissing ? t('reason.missing') : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
