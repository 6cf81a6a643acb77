import { DialogActions } from './dialog-actions.tsx'
import type { DialogProps } from './dialog-popup.tsx'
import { lazyPopup } from './lazy.tsx'

const popups = () => import('./dialog-popup.tsx')

/** A dialog that must be answered before the page continues. */
export const Dialog = lazyPopup(() => popups().then((module) => module.DialogPopup))

/** A drawer at the side of the page; on a phone it covers the whole page. */
export const Drawer = lazyPopup(() => popups().then((module) => module.DrawerPopup))

type ConfirmProps = Pick<DialogProps, 'open' | 'onClose' | 'title' | 'description'> & {
  action: string
  onConfirm: () => void
  busy?: boolean
  danger?: boolean
}

/** Asks for confirmation; its button names the action. */
export function Confirm({ action, onConfirm, busy, danger, ...rest }: ConfirmProps) {
  return (
    <Dialog
      {...rest}
      actions={
        <DialogActions
          onCancel={rest.onClose}
          variant={danger ? 'danger' : 'primary'}
          onClick={onConfirm}
          busy={busy}
        >
          {action}
        </DialogActions>
      }
    />
  )
}
