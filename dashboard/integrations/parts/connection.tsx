/**
 * Shows one integration: setup steps for the other system, the result of the connection, and the settings for
 * its orders.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Integration } from '../../../sdk/api.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { disconnect, type Name, openPaymentsQuery, saveIntegration } from '../queries.ts'
import { t } from '../texts.ts'
import { AgentsField } from './agents-field.tsx'
import { Clicks } from './clicks.tsx'
import { CodFields, CustomerFields } from './cod-fields.tsx'
import { LINES, settingsOf, storedSecretEnd, type Values, valuesOf } from './shape.ts'
import { TestConnection } from './test-connection.tsx'

type Props = { integration: Integration; workspace: string; mayEdit: boolean }

/** Returns the form's field for a path in the server's errors. */
const placeOf = (path: string, lines: ReadonlySet<string>): string | undefined => {
  const [, name = '', ...rest] = path.split('.')
  if (lines.has(name)) return `settings.line.${name}`
  return ['forAgents', 'country', 'createLeads', 'cod'].includes(name)
    ? ['settings', name, ...rest].join('.')
    : undefined
}

function Intake({ integration, secret }: { integration: Integration; secret: string | undefined }) {
  if (integration.intakeUrl === null) return null
  const isPhoto = integration.name === 'photo'
  return (
    <Section title={t('intake')} description={t(`intake.${integration.name as 'orders'}`)}>
      <div className="flex max-w-2xl flex-col gap-3">
        <CopyField text={integration.intakeUrl} label={t('intake.copy')} />
        {secret && (
          <Callout kind="warn" role="status">
            <p className="mb-2">{t(isPhoto ? 'verify.made' : 'secret.made')}</p>
            <CopyField text={secret} label={t(isPhoto ? 'verify.copy' : 'secret.copy')} />
          </Callout>
        )}
      </div>
    </Section>
  )
}

function Disconnect({ integration, workspace }: Pick<Props, 'integration' | 'workspace'>) {
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const name = t(`name.${integration.name}`)
  const { data: open } = useQuery({
    ...openPaymentsQuery,
    enabled: isAsking && integration.name === 'razorpay',
  })
  const openText = open && t(open.hasMore ? 'disconnect.open.many' : 'disconnect.open', { count: open.count })
  const run = async () => {
    setBusy(true)
    try {
      await disconnect(workspace, integration.name)
      notify({ title: t('disconnected', { name }), kind: 'good' })
      setAsking(false)
    } catch (error) {
      notifyError(error)
    }
    setBusy(false)
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('disconnect')}</Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('disconnect.title', { name })}
        description={[disconnectText(integration.name), openText].filter(Boolean).join(' ')}
        action={t('disconnect')}
        onConfirm={() => void run()}
        busy={isBusy}
        danger
      />
    </>
  )
}

const disconnectText = (name: Name): string =>
  name === 'razorpay' || name === 'photo' ? t(`disconnect.text.${name}`) : t('disconnect.text')

const keysText = (name: Name): string =>
  name === 'orders' || name === 'photo' ? t(`keys.${name}.text`) : t('keys.text', { name: t(`name.${name}`) })

/** Returns the label of the save button: saving first calls the other system, if there is one. */
function saveLabel({ name, status }: Integration) {
  if (name === 'simulator') return 'save.simulator'
  if (name === 'orders') return status === 'off' ? 'connect.save.orders' : 'save.orders'
  return status === 'off' ? 'connect.save' : 'save'
}

export function Connection({ integration, workspace, mayEdit }: Props) {
  const form = useForm<Values>({ defaultValues: valuesOf(integration) })
  const [secret, setSecret] = useState<string>()
  const { register, handleSubmit, setError, reset, formState } = form
  const { errors, isDirty, isSubmitting } = formState
  // A teammate changed the settings: unsaved changes here stay.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the known settings change
  useEffect(() => {
    if (!isDirty) reset(valuesOf(integration))
  }, [integration])
  const lines = LINES[integration.name]
  const name = t(`name.${integration.name}`)
  const isReal = integration.name !== 'simulator'
  // There is no system to call: it calls Parley.
  const isOwn = integration.name === 'orders'
  const showErrors = (error: unknown) => {
    const issues = error instanceof ApiError ? error.issues : []
    const names = new Set(lines.map((line) => line.name))
    const placedIssues = issues.map(({ path, message }) => ({ place: placeOf(path, names), message }))
    for (const [index, { place, message }] of placedIssues.entries())
      setError((place ?? 'root') as 'root', { message }, { shouldFocus: index === 0 })
    if (placedIssues.length === 0) setError('root', { message: messageOf(error) })
  }
  const submit = handleSubmit(async (values) => {
    try {
      const saved = await saveIntegration(workspace, integration.name, settingsOf(integration, values))
      setSecret(saved.secret)
      reset(valuesOf(saved.integration))
      notify({ title: isReal ? t('saved', { name }) : t('saved.simulator'), kind: 'good' })
    } catch (error) {
      showErrors(error)
    }
  })
  return (
    <>
      {integration.lastError && (
        <div className="mb-6">
          <Callout kind="bad">
            {t('error', { error: integration.lastError })} {mayEdit && t('error.next')}
          </Callout>
        </div>
      )}
      <Intake integration={integration} secret={secret} />
      {isReal && integration.status === 'off' && (
        <Clicks name={integration.name as Exclude<Name, 'simulator'>} />
      )}
      <form onSubmit={submit} noValidate>
        {lines.length > 0 && (
          <Section title={t(isOwn ? 'keys.orders' : 'keys')} description={keysText(integration.name)}>
            <div className="flex max-w-2xl flex-col gap-4">
              {lines.map((line) => {
                const storedEnd = storedSecretEnd(integration, line)
                return (
                  <TextField
                    key={line.name}
                    label={line.label}
                    hint={storedEnd === undefined ? line.hint : t('secret.kept', { end: storedEnd })}
                    type={line.secret ? 'password' : 'text'}
                    autoComplete="off"
                    spellCheck={false}
                    disabled={!mayEdit}
                    error={errors.settings?.line?.[line.name]?.message}
                    {...register(`settings.line.${line.name}`, {
                      validate: (text) =>
                        !line.needed || storedEnd !== undefined || text.trim() !== '' || t('required'),
                    })}
                  />
                )
              })}
            </div>
          </Section>
        )}
        {integration.name === 'ai' && <AgentsField form={form} disabled={!mayEdit} />}
        {integration.kind === 'store' && (
          <>
            <CodFields form={form} disabled={!mayEdit} />
            <CustomerFields form={form} disabled={!mayEdit} />
          </>
        )}
        {errors.root && (
          <div className="mb-4 max-w-2xl">
            <Callout kind="bad" role="alert">
              {errors.root.message}
            </Callout>
          </div>
        )}
        {mayEdit && (
          <div className="mb-8 flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={isSubmitting}>
              {t(saveLabel(integration))}
            </Button>
            {isReal && integration.status !== 'off' && (
              <Disconnect integration={integration} workspace={workspace} />
            )}
            {isReal && !isOwn && integration.status !== 'off' && (
              <TestConnection name={integration.name} workspace={workspace} />
            )}
          </div>
        )}
      </form>
    </>
  )
}
