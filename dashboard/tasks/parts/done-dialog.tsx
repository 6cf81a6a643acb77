import { type FormEvent, useState } from 'react'
import type { Task } from '../../../sdk/api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { DialogActions } from '../../kit/dialog-actions.tsx'
import { TextArea } from '../../kit/field.tsx'
import { t } from '../texts.ts'
import { changeTaskWithUndo } from './actions.ts'

const OUTCOME_MAX = 2000

type Props = { task: Task | undefined; onClose: () => void }

/** Asks for the outcome, and completes the task. */
export function DoneDialog({ task, onClose }: Props) {
  const [outcome, setOutcome] = useState('')
  const [isBusy, setBusy] = useState(false)
  const close = () => {
    setOutcome('')
    onClose()
  }
  const complete = async (event?: FormEvent) => {
    event?.preventDefault()
    if (!task || isBusy) return
    setBusy(true)
    const isDone = await changeTaskWithUndo(
      task,
      { status: 'done', outcome: outcome.trim() || null },
      t('notice.done'),
    )
    setBusy(false)
    if (isDone) close()
  }
  return (
    <Dialog
      open={task !== undefined}
      onClose={close}
      title={t('done.title')}
      description={task?.title}
      actions={
        <DialogActions onCancel={close} busy={isBusy} keys="$mod+Enter" onClick={() => void complete()}>
          {t('done.action')}
        </DialogActions>
      }
    >
      <form onSubmit={(event) => void complete(event)}>
        <TextArea
          label={t('done.outcome')}
          hint={t('done.hint')}
          maxLength={OUTCOME_MAX}
          value={outcome}
          onChange={(event) => setOutcome(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void complete(event)
          }}
        />
      </form>
    </Dialog>
  )
}
