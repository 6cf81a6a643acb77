import { Button } from './button.tsx'
import type { DialogProps } from './dialog-popup.tsx'
import { laterOpen } from './later.tsx'
import { t } from './words.ts'

const popups = () => import('./dialog-popup.tsx')

/** Something that has to be answered before the page goes on. */
export const Dialog = laterOpen(() => popups().then((one) => one.DialogPopup))

/** A pane at the side of the page, over all of it on a phone. */
export const Drawer = laterOpen(() => popups().then((one) => one.DrawerPopup))

type ConfirmProps = Pick<DialogProps, 'open' | 'onClose' | 'title' | 'description'> & {
  action: string
  onConfirm: () => void
  busy?: boolean
  danger?: boolean
}

/** Asks once more; its button says what it does. */
export function Confirm({ action, onConfirm, busy, danger, ...rest }: ConfirmProps) {
  return (
    <Dialog
      {...rest}
      actions={
        <>
          <Button onClick={rest.onClose}>{t('cancel')}</Button>
          <Button variant={danger ? 'danger' : 'primary'} onClick={onConfirm} busy={busy}>
            {action}
          </Button>
        </>
      }
    />
  )
}
