import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea } from '../../kit/field.tsx'
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
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel.not')}</Button>
          <Button
            variant="danger"
            busy={busy}
            onClick={() => (isMissing ? setTried(true) : onConfirm(reason.trim()))}
          >
            {action}
          </Button>
        </>
      }
    >
      <TextArea
        label={t('reason')}
        maxLength={500}
        value={reason}
        error={isTried && isMissing ? t('reason.missing') : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}
