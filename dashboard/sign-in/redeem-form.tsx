import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { TextField } from '../kit/field.tsx'
import { Card, type Outcome } from './card.tsx'
import { t } from './words.ts'

type Values = { name: string; password: string }
type Props = { token: string; onOutcome: (outcome: Outcome) => void }

/** Accepts an invitation, or sets a new password. A button does it: whoever only looks at mailed links spends none. */
export function RedeemForm({ token, onOutcome }: Props) {
  const { register, handleSubmit, setError, formState } = useForm<Values>()
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ name, password }) => {
    try {
      const body = { token, ...(name ? { name } : {}), ...(password ? { password } : {}) }
      onOutcome(await callDashboard('POST /sign-in/redeem', { body }))
    } catch (error) {
      showIssues(error, ['name', 'password'], setError)
    }
  })
  return (
    <Card title={t('redeem.title')} text={t('redeem.text')}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {errors.root && (
          <Callout kind="bad" role="alert">
            {errors.root.message}
          </Callout>
        )}
        <TextField
          label={t('redeem.name')}
          hint={t('redeem.name.hint')}
          autoComplete="name"
          autoFocus
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField
          label={t('redeem.password')}
          hint={t('redeem.password.hint')}
          type="password"
          autoComplete="new-password"
          error={errors.password?.message}
          {...register('password')}
        />
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('redeem.submit')}
        </Button>
      </form>
    </Card>
  )
}
