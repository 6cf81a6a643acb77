import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { requestPasskey } from '../api/passkeys.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { FormFault } from '../kit/callout.tsx'
import { TextField } from '../kit/field.tsx'
import { Card } from './parts/card.tsx'
import { t } from './texts.ts'

type Props = {
  ticket: string
  /** Asks for a passkey: the account has one, and no authenticator app. */
  byPasskey: boolean
  /** True if this browser supports passkeys here. */
  takesPasskeys: boolean
  onDone: () => void
  onBack: () => void
}

/** The second step: a code of the app, a passkey, or a recovery code. */
export function TotpForm({ ticket, byPasskey, takesPasskeys, onDone, onBack }: Props) {
  const { register, handleSubmit, setError, formState } = useForm<{ code: string }>()
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ code }) => {
    try {
      await callDashboard('POST /sign-in/totp', { body: { ticket, code: code.trim() } })
      onDone()
    } catch (error) {
      showIssues(error, ['code'], setError)
    }
  })
  const passkey = useMutation({
    mutationFn: async () => callDashboard('POST /sign-in/passkey', { body: await requestPasskey() }),
    onSuccess: onDone,
    onError: (error) => showIssues(error, [], setError),
  })
  const offersPasskey = byPasskey && takesPasskeys
  const texts = byPasskey
    ? { title: t('factor.title'), text: t(takesPasskeys ? 'factor.text' : 'factor.elsewhere') }
    : { title: t('code.title'), text: t('code.text') }
  return (
    <Card title={texts.title} text={texts.text}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFault fault={errors.root} />
        {offersPasskey && (
          <Button
            variant="primary"
            icon={KeyRound}
            autoFocus
            busy={passkey.isPending}
            onClick={() => passkey.mutate()}
          >
            {t('factor.passkey')}
          </Button>
        )}
        <TextField
          label={t(byPasskey ? 'factor.recovery' : 'code')}
          autoComplete="one-time-code"
          autoFocus={!offersPasskey}
          error={errors.code?.message}
          {...register('code')}
        />
        <Button type="submit" variant={offersPasskey ? 'secondary' : 'primary'} busy={isSubmitting}>
          {t('code.submit')}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          {t('code.back')}
        </Button>
      </form>
    </Card>
  )
}
