import { useMutation } from '@tanstack/react-query'
import { KeyRound, LogIn } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { requestPasskey } from '../api/passkeys.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout, FormFault } from '../kit/callout.tsx'
import { CopyField } from '../kit/copy.tsx'
import { TextField } from '../kit/field.tsx'
import { Card, type Outcome } from './parts/card.tsx'
import { t } from './texts.ts'

type Values = { email: string; password: string }
type Props = {
  onOutcome: (outcome: Outcome) => void
  onReset: (() => void) | undefined
  takesPasskeys: boolean
  /** False if people sign in only at the identity provider. */
  takesPasswords: boolean
  /** The identity provider's name and the address that leads to it. */
  provider: { label: string; url: string } | undefined
  /** The reason for signing in here. */
  text?: string | undefined
}

/** The reasons for which the server refuses a single sign-on. */
const PROBLEMS = ['late', 'failed', 'unverified', 'unproven', 'unknown'] as const

const ssoProblem = () => {
  const problem = new URLSearchParams(location.search).get('sso')
  return PROBLEMS.find((known) => known === problem)
}

/** Signs in with a password, a passkey, or at the identity provider. */
export function PasswordForm(props: Props) {
  const { provider, takesPasswords, text } = props
  const problem = ssoProblem()
  return (
    <Card title={t('title')} text={text}>
      {problem && (
        <div className="mb-4">
          <FormFault fault={{ message: t(`sso.${problem}`) }} />
        </div>
      )}
      {provider && (
        <a
          href={provider.url}
          className="flex h-9 items-center justify-center gap-1.5 rounded-md bg-accent px-3.5 font-medium text-on-accent hover:bg-accent-strong pointer-coarse:min-h-11"
        >
          <LogIn aria-hidden size={16} />
          {t('sso', { provider: provider.label })}
        </a>
      )}
      {provider && takesPasswords && <p className="my-4 text-center text-sm text-ink-2">{t('sso.or')}</p>}
      {takesPasswords && <Credentials {...props} />}
    </Card>
  )
}

function Credentials({ onOutcome, onReset, takesPasskeys, provider }: Props) {
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
    <>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {isEnded && !errors.root && <Callout>{t('ended')}</Callout>}
        <FormFault fault={errors.root} />
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          autoFocus={!provider}
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
        <Button type="submit" variant={provider ? 'secondary' : 'primary'} busy={isSubmitting}>
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
    </>
  )
}
