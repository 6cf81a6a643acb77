/** The form in which an admin chooses what an app may do. */
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import type { Session } from '../api/session.ts'
import { chosenScopes, ScopeFields, type ScopeValues } from '../keys/parts/scope-fields.tsx'
import { SCOPES } from '../keys/parts/scopes.ts'
import { Button } from '../kit/button.tsx'
import { Callout, FormFault } from '../kit/callout.tsx'
import { SelectField } from '../kit/select.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import type { AppRequest } from './request.ts'
import { t } from './texts.ts'

const ROLES = ['viewer', 'agent', 'admin'] as const

type Values = ScopeValues & { workspace: string; role: (typeof ROLES)[number] }

type Props = {
  request: AppRequest
  /** The workspaces in which the member may connect apps. */
  workspaces: Session['workspaces']
  onAllowed: (url: string) => void
  onCancel: () => void
}

const OWN_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/

/** Says who gives the app its name, and who receives the answer. */
function Origin({ app: { publishedBy, receiver } }: Pick<AppRequest, 'app'>) {
  return (
    <Callout kind={publishedBy ? 'info' : 'warn'}>
      {publishedBy ? t('published', { host: publishedBy }) : t('unpublished')}{' '}
      {OWN_MACHINE.test(receiver) ? t('receiver.own') : t('receiver', { receiver })}
    </Callout>
  )
}

export function AllowForm({ request, workspaces, onAllowed, onCancel }: Props) {
  const [isAllowed, setAllowed] = useState(false)
  const requested = request.scopes && request.scopes.length < SCOPES.length ? request.scopes : undefined
  const form = useForm<Values>({
    defaultValues: {
      workspace: workspaces[0]!.id,
      role: 'viewer',
      access: requested ? 'some' : 'all',
      scopes: requested ?? [],
    },
  })
  const { handleSubmit, setError, setValue, watch, formState } = form
  const submit = handleSubmit(async ({ workspace, role, ...narrowed }) => {
    try {
      const { url } = await withConfirmation(() =>
        callDashboard('POST /app-connections', {
          workspace,
          body: { request: request.request, role, ...chosenScopes(narrowed) },
        }),
      )
      setAllowed(true)
      onAllowed(url)
    } catch (error) {
      showIssues(error, [], setError)
    }
  })
  if (isAllowed)
    return (
      <Callout kind="good" role="status">
        {t('done.text', { app: request.app.name })}
      </Callout>
    )
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FormFault fault={formState.errors.root} />
      <Origin app={request.app} />
      {workspaces.length > 1 && (
        <SelectField
          label={t('workspace')}
          value={watch('workspace')}
          onChange={(value) => setValue('workspace', value)}
          choices={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <SelectField
        label={t('role')}
        value={watch('role')}
        onChange={(value) => setValue('role', value)}
        choices={ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
      />
      <ScopeFields form={form} choices={requested} isNarrow />
      <p className="text-sm text-ink-2">{t('end')}</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={formState.isSubmitting}>
          {t('submit')}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
