import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { requestPasskey } from '../api/passkeys.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout, FormFault } from '../kit/callout.tsx'
import { CopyField } from '../kit/copy.tsx'
import { TextField } from '../kit/field.tsx'
import { Card, type Outcome } from './card.tsx'
import { t } from './texts.ts'

type Values = { email: string; password: string }
type Props = {
  onOutcome: (outcome: Outcome) => void
  onReset: (() => void) | undefined
  takesPasskeys: boolean
  /** The reason for signing in here. */
  text?: string | undefined
}

export function PasswordForm({ onOutcome, onReset, takesPasskeys, text }: Props) {
  const { register, handleSubmit, setError, formState } = useForm<Values>()
  const { errors, isSubmitting } = formState
  const isEnded = new URLSearchParams(location.search).has('ended')
  const submit = handleSubmit(async (values) => {
    try {
      onOutcome(await callDashboard('POST /sign-in', { body: values }))
    } catch (error) {
      showIssues(error, ['email', 'password'], setError)
    }
  })
  const passkey = useMutation({
    mutationFn: async () => callDashboard('POST /sign-in/passkey', { body: await requestPasskey() }),
    onSuccess: onOutcome,
    onError: (error) => showIssues(error, [], setError),
  })
  return (
    <Card title={t('title')} text={text}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {isEnded && !errors.root && <Callout>{t('ended')}</Callout>}
        <FormFault fault={errors.root} />
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          autoFocus
          error={errors.email?.message}
          {...register('email')}
        />
        <TextField
          label={t('password')}
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password')}
        />
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('submit')}
        </Button>
        {takesPasskeys && (
          <Button icon={KeyRound} busy={passkey.isPending} onClick={() => passkey.mutate()}>
            {t('passkey')}
          </Button>
        )}
        {onReset && (
          <Button variant="ghost" onClick={onReset}>
            {t('forgot')}
          </Button>
        )}
      </form>
      <div className="mt-5 border-t pt-4">
        <p className="mb-2 text-sm text-ink-2">{t('first')}</p>
        <CopyField text={t('command')} label={t('command')} />
      </div>
    </Card>
  )
}
