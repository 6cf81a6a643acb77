/** What costs most asks once more who is there: by the password, or by a code where there is none; or by a passkey. */

import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { askPasskey, knowsPasskeys } from '../api/passkeys.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { FormFault } from '../kit/callout.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import type { Asked } from './confirmed.ts'
import { t } from './words.ts'

type Values = { secret: string }

type Props = { asked: Asked | undefined; hasPassword: boolean; hasTotp: boolean; hasPasskey: boolean }

/** Opens when `confirmed` needs it. */
export default function ConfirmIdentity({ asked, hasPassword, hasTotp, hasPasskey }: Props) {
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
  const passkey = useMutation({
    mutationFn: async () => callDashboard('POST /session/confirm', { body: await askPasskey() }),
    onSuccess: () => {
      asked?.confirm()
      reset()
    },
    onError: (error) => showIssues(error, [], setError),
  })
  const canConfirm = hasPassword || hasTotp
  const takesPasskey = hasPasskey && knowsPasskeys()
  return (
    <Dialog
      open={asked !== undefined}
      onClose={close}
      title={t('confirm.title')}
      description={t(canConfirm || takesPasskey ? 'confirm.text' : 'confirm.link')}
      actions={
        <>
          {takesPasskey && (
            <Button icon={KeyRound} busy={passkey.isPending} onClick={() => passkey.mutate()}>
              {t('confirm.passkey')}
            </Button>
          )}
          {canConfirm && (
            <Button variant="primary" onClick={() => void submit()} busy={formState.isSubmitting}>
              {t('confirm.submit')}
            </Button>
          )}
        </>
      }
    >
      <FormFault fault={formState.errors.root} />
      {canConfirm && (
        <form onSubmit={submit} className="mt-3 flex flex-col gap-3 first:mt-0">
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
