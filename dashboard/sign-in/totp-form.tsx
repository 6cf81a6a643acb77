import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { FormFault } from '../kit/callout.tsx'
import { TextField } from '../kit/field.tsx'
import { Card } from './card.tsx'
import { t } from './words.ts'

type Props = { ticket: string; onDone: () => void; onBack: () => void }

/** The second step: a code of the app, or a recovery code. */
export function TotpForm({ ticket, onDone, onBack }: Props) {
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
  return (
    <Card title={t('code.title')} text={t('code.text')}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFault fault={errors.root} />
        <TextField
          label={t('code')}
          autoComplete="one-time-code"
          autoFocus
          error={errors.code?.message}
          {...register('code')}
        />
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('code.submit')}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          {t('code.back')}
        </Button>
      </form>
    </Card>
  )
}
