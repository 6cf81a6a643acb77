import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout, FormFault } from '../kit/callout.tsx'
import { TextField } from '../kit/field.tsx'
import { Card } from './parts/card.tsx'
import { t } from './texts.ts'

/** Requests a link by mail; the response does not reveal whether the account exists. */
export function ResetForm({ onBack }: { onBack: () => void }) {
  const { register, handleSubmit, setError, formState, getValues } = useForm<{ email: string }>()
  const { errors, isSubmitting, isSubmitSuccessful } = formState
  const submit = handleSubmit(async (body) => {
    try {
      await callDashboard('POST /sign-in/reset', { body })
    } catch (error) {
      showIssues(error, ['email'], setError)
    }
  })
  const isSent = isSubmitSuccessful && !errors.root && !errors.email
  return (
    <Card title={t('reset.title')}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFault fault={errors.root} />
        {isSent ? (
          <Callout kind="good" role="status">
            {t('reset.sent', { email: getValues('email') })}
          </Callout>
        ) : (
          <>
            <TextField
              label={t('email')}
              type="email"
              autoComplete="username"
              autoFocus
              error={errors.email?.message}
              {...register('email')}
            />
            <Button type="submit" variant="primary" busy={isSubmitting}>
              {t('reset.submit')}
            </Button>
          </>
        )}
        <Button variant="ghost" onClick={onBack}>
          {t('reset.back')}
        </Button>
      </form>
    </Card>
  )
}
