import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { notify } from '../../kit/toasts.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { refreshAccount } from '../queries.ts'
import { t } from '../texts.ts'

type Values = { name: string; email: string }

/** Edits the name that teammates see, and the sign-in email address. */
export function PersonForm({ account }: Pick<WorkspaceSession, 'account'>) {
  const { register, handleSubmit, setError, formState, reset } = useForm<Values>({
    defaultValues: { name: account.name, email: account.email ?? '' },
  })
  const { errors, isSubmitting, isDirty } = formState
  const [waiting, setWaiting] = useState<string>()
  const isMadeUp = account.email?.endsWith('.local') === true
  const submit = handleSubmit(async ({ name, email }) => {
    const body = {
      ...(name === account.name ? {} : { name }),
      ...(email === (account.email ?? '') ? {} : { email }),
    }
    try {
      const { confirm } = await withConfirmation(() => callDashboard('PATCH /account', { body }))
      setWaiting(confirm)
      reset({ name, email: confirm ? (account.email ?? '') : email })
      notify({ title: t('person.saved'), kind: 'good' })
      await refreshAccount()
    } catch (error) {
      showIssues(error, ['name', 'email'], setError)
    }
  })
  return (
    <Section title={t('person')} description={t('person.text')}>
      <form onSubmit={submit} noValidate className="flex max-w-md flex-col items-start gap-4">
        <FormFault fault={errors.root} />
        {waiting && <Callout role="status">{t('email.waiting', { email: waiting })}</Callout>}
        {isMadeUp && !waiting && <Callout kind="warn">{t('email.madeUp')}</Callout>}
        <TextField
          className="w-full"
          label={t('name')}
          autoComplete="name"
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField
          className="w-full"
          label={t('email')}
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        <Button type="submit" disabled={!isDirty} busy={isSubmitting}>
          {t('person.save')}
        </Button>
      </form>
    </Section>
  )
}
