/** Asks a person who came by a link for everything that a sign-in needs, in one form. */
import { Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'

type Values = { name: string; email: string; password: string }

export function OwnSignIn({
  workspace,
  account,
}: {
  workspace: string
  account: WorkspaceSession['account']
}) {
  const isMadeUp = account.email?.endsWith('.local') === true
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { name: account.name, email: isMadeUp ? '' : (account.email ?? ''), password: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ name, email, password }) => {
    const body = {
      password,
      ...(name === account.name ? {} : { name }),
      ...(email === account.email ? {} : { email }),
    }
    try {
      const { confirm } = await withConfirmation(() => callDashboard('PATCH /account', { body }))
      await reportSaved(confirm ? t('signIn.waiting', { email: confirm }) : t('signIn.saved'), ['session'])
    } catch (error) {
      showIssues(error, ['name', 'email', 'password'], setError)
    }
  })
  return (
    <form
      onSubmit={submit}
      noValidate
      className="mb-6 flex max-w-2xl flex-col items-start gap-4 rounded-lg border border-accent p-4"
    >
      <Callout kind="warn">{t('start.signIn')}</Callout>
      <FormFault fault={errors.root} />
      <div className="grid w-full gap-4 sm:grid-cols-2">
        <TextField
          label={t('signIn.name')}
          autoComplete="name"
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...register('email', { required: t('signIn.email.required') })}
        />
        <TextField
          label={t('signIn.password')}
          hint={t('signIn.password.hint')}
          type="password"
          autoComplete="new-password"
          error={errors.password?.message}
          {...register('password', { required: t('signIn.password.required') })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('signIn.save')}
        </Button>
        <Link
          to={`/w/${workspace}/profile` as never}
          className="inline-flex min-h-6 items-center font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {t('start.passkey')}
        </Link>
      </div>
    </form>
  )
}
