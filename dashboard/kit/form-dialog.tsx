import type { ReactNode } from 'react'
import { FormFault } from './callout.tsx'
import { Dialog } from './dialog.tsx'
import { DialogActions } from './dialog-actions.tsx'
import type { DialogProps } from './dialog-popup.tsx'

type Props = Omit<DialogProps, 'actions' | 'children'> & {
  /** The label of its button. */
  action: string
  /** The label of the button that closes it. */
  cancel?: string
  busy?: boolean
  danger?: boolean
  /** An error that belongs to no field. */
  fault?: { message?: string } | null | undefined
  onSubmit: () => unknown
  /** Runs for the Cancel button instead of `onClose`, which Escape and a click outside run too. */
  onCancel?: () => void
  children: ReactNode
}

/** A form in a dialog: its button and the Enter key submit it. */
export function FormDialog(props: Props) {
  const { action, cancel, busy, danger, fault, onSubmit, onCancel = props.onClose, children, ...rest } = props
  return (
    <Dialog
      {...rest}
      actions={
        <DialogActions
          cancel={cancel}
          onCancel={onCancel}
          variant={danger ? 'danger' : 'primary'}
          busy={busy}
          onClick={() => void onSubmit()}
        >
          {action}
        </DialogActions>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit()
        }}
      >
        <FormFault fault={fault} />
        {children}
        <button type="submit" hidden disabled={busy} />
      </form>
    </Dialog>
  )
}
