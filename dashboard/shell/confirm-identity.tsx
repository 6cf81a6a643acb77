/** What costs most asks once more who is there: by the password, or by a code where there is none. */

import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import type { Asked } from './confirmed.ts'
import { t } from './words.ts'

type Values = { secret: string }

type Props = { asked: Asked | undefined; hasPassword: boolean; hasTotp: boolean }

/** Opens when `confirmed` needs it. */
export default function ConfirmIdentity({ asked, hasPassword, hasTotp }: Props) {
  const { register, handleSubmit, setError, formState, reset } = useForm<Values>()
  const close = () => {
    asked?.refuse()
    reset()
  }
  const submit = handleSubmit(async ({ secret }) => {
    try {
      await callDashboard('POST /session/confirm', {
        body: hasPassword ? { password: secret } : { code: secret },
      })
      asked?.confirm()
      reset()
    } catch (error) {
      showIssues(error, ['secret'], setError)
    }
  })
  const canConfirm = hasPassword || hasTotp
  return (
    <Dialog
      open={asked !== undefined}
      onClose={close}
      title={t('confirm.title')}
      description={t(canConfirm ? 'confirm.text' : 'confirm.link')}
      actions={
        canConfirm && (
          <Button variant="primary" onClick={() => void submit()} busy={formState.isSubmitting}>
            {t('confirm.submit')}
          </Button>
        )
      }
    >
      {canConfirm && (
        <form onSubmit={submit} className="flex flex-col gap-3">
          {formState.errors.root && (
            <Callout kind="bad" role="alert">
              {formState.errors.root.message}
            </Callout>
          )}
          <TextField
            label={t(hasPassword ? 'confirm.password' : 'confirm.code')}
            type={hasPassword ? 'password' : 'text'}
            autoComplete={hasPassword ? 'current-password' : 'one-time-code'}
            autoFocus
            error={formState.errors.secret?.message}
            {...register('secret')}
          />
          <button type="submit" hidden />
        </form>
      )}
    </Dialog>
  )
}
