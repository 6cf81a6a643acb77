/** What costs most asks once more who is there: by the password, or by a code where there is none. */

import { useSyncExternalStore } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../api/errors.ts'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { t } from './words.ts'

type Pending = { resolve: () => void; reject: (error: unknown) => void; error: unknown }
let pending: Pending | undefined
const listeners = new Set<() => void>()
function setPending(next: Pending | undefined): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Does `work`; when the server asks who is there, asks, and does it again. */
export async function confirmed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_confirmed') throw error
    await new Promise<void>((resolve, reject) => setPending({ resolve, reject, error }))
    return work()
  }
}

type Values = { secret: string }

/** Stands in the frame and opens when `confirmed` needs it. */
export function ConfirmIdentity({ hasPassword, hasTotp }: { hasPassword: boolean; hasTotp: boolean }) {
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending,
  )
  const { register, handleSubmit, setError, formState, reset } = useForm<Values>()
  const close = () => {
    asked?.reject(asked.error)
    setPending(undefined)
    reset()
  }
  const submit = handleSubmit(async ({ secret }) => {
    try {
      await callDashboard('POST /session/confirm', {
        body: hasPassword ? { password: secret } : { code: secret },
      })
      asked?.resolve()
      setPending(undefined)
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
