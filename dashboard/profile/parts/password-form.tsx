import { useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { notify } from '../../kit/toasts.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { refreshAccount } from '../queries.ts'
import { t } from '../texts.ts'

type Values = { password: string }

/** Sets or changes the password; every other session ends. */
export function PasswordForm({ account }: Pick<WorkspaceSession, 'account'>) {
  const { register, handleSubmit, setError, formState, reset } = useForm<Values>({
    defaultValues: { password: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async (body) => {
    try {
      await withConfirmation(() => callDashboard('PATCH /account', { body }))
      reset()
      notify({ title: t('password.saved'), kind: 'good' })
      await refreshAccount()
    } catch (error) {
      showIssues(error, ['password'], setError)
    }
  })
  return (
    <Section
      title={t('password')}
      description={t(account.hasPassword ? 'password.text' : 'password.text.none')}
    >
      <form onSubmit={submit} noValidate className="flex max-w-md flex-col items-start gap-4">
        <FormFault fault={errors.root} />
        <input type="text" autoComplete="username" value={account.email ?? ''} readOnly hidden />
        <TextField
          className="w-full"
          label={t('password.new')}
          hint={t('password.hint')}
          type="password"
          autoComplete="new-password"
          error={errors.password?.message}
          {...register('password', { required: t('password.required') })}
        />
        <Button type="submit" busy={isSubmitting}>
          {t(account.hasPassword ? 'password.change' : 'password.set')}
        </Button>
      </form>
    </Section>
  )
}
