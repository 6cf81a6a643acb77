import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { FormFault } from './callout.tsx'
import { Dialog } from './dialog.tsx'
import type { DialogProps } from './dialog-popup.tsx'
import { t } from './texts.ts'

type Props = Omit<DialogProps, 'actions' | 'children'> & {
  /** The label of its button. */
  action: string
  busy?: boolean
  /** An error that belongs to no field. */
  fault?: { message?: string }
  onSubmit: () => unknown
  children: ReactNode
}

/** A form in a dialog: its button and the Enter key submit it. */
export function FormDialog({ action, busy, fault, onSubmit, children, ...rest }: Props) {
  return (
    <Dialog
      {...rest}
      actions={
        <>
          <Button onClick={rest.onClose}>{t('cancel')}</Button>
          <Button variant="primary" busy={busy} onClick={() => void onSubmit()}>
            {action}
          </Button>
        </>
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
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
