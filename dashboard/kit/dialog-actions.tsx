import { Button, type ButtonProps } from './button.tsx'
import { t } from './texts.ts'

type Props = ButtonProps & {
  /** The label of the button that closes the dialog. */
  cancel?: string
  onCancel: () => void
}

/** The buttons of a dialog: Cancel, and the dialog's action. */
export const DialogActions = ({ cancel = t('cancel'), onCancel, ...action }: Props) => (
  <>
    <Button onClick={onCancel}>{cancel}</Button>
    <Button variant="primary" {...action} />
  </>
)
