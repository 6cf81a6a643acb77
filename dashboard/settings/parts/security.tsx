import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { parseCount, showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Switch } from '../../kit/switch.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { type Security, securityQuery, type Workspace, workspaceQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved, useWrite } from '../use-write.ts'

const READS = ['security']

function SecondFactor({ security, isOwner }: { security: Security; isOwner: boolean }) {
  const change = useWrite({
    work: (requireSecondFactor: boolean) =>
      callDashboard('PATCH /security', { body: { requireSecondFactor } }),
    done: (response) => t(response.security.requireSecondFactor ? 'factor.on' : 'factor.off'),
    reads: [...READS, 'session'],
  })
  return (
    <Section title={t('factor')} description={t('factor.text')}>
      <div className="flex max-w-2xl flex-col gap-2">
        <Switch
          label={t('factor.switch')}
          checked={security.requireSecondFactor}
          disabled={!isOwner || change.isPending}
          onChange={(isOn) => change.mutate(isOn)}
        />
        {!isOwner && <Callout>{t('factor.owner')}</Callout>}
      </div>
    </Section>
  )
}

/** The roles from which the owner can hide customers' details. */
const HIDEABLE = ['agent', 'viewer'] as const

function HiddenDetails({ workspace, isOwner }: { workspace: Workspace; isOwner: boolean }) {
  const { detailsHiddenFrom } = workspace
  const change = useWrite({
    work: (roles: Workspace['detailsHiddenFrom']) =>
      callDashboard('PATCH /workspace', { body: { detailsHiddenFrom: roles } }),
    done: () => t('hidden.saved'),
    reads: ['workspace'],
  })
  return (
    <Section title={t('hidden')} description={t('hidden.text')}>
      <div className="flex max-w-2xl flex-col gap-2">
        {HIDEABLE.map((role) => (
          <Switch
            key={role}
            label={t(`hidden.${role}`)}
            checked={detailsHiddenFrom.includes(role)}
            disabled={!isOwner || change.isPending}
            onChange={(isOn) =>
              change.mutate(
                HIDEABLE.filter((other) => (other === role ? isOn : detailsHiddenFrom.includes(other))),
              )
            }
          />
        ))}
        {!isOwner && <Callout>{t('hidden.owner')}</Callout>}
      </div>
    </Section>
  )
}

type Values = { idleDays: string; absoluteDays: string }

function SessionLengths({ security }: { security: Security }) {
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    values: { idleDays: String(security.idleDays), absoluteDays: String(security.absoluteDays) },
  })
  const { errors, isSubmitting, isDirty } = formState
  const submit = handleSubmit(async ({ idleDays, absoluteDays }) => {
    const body = { idleDays: parseCount(idleDays), absoluteDays: parseCount(absoluteDays) }
    try {
      await withConfirmation(() => callDashboard('PATCH /security', { body }))
      await reportSaved(t('lengths.saved'), READS)
    } catch (error) {
      showIssues(error, ['idleDays', 'absoluteDays'], setError)
    }
  })
  return (
    <Section title={t('lengths')} description={t('lengths.text')}>
      <form onSubmit={submit} noValidate className="flex max-w-2xl flex-col items-start gap-4">
        <FormFault fault={errors.root} />
        <div className="grid w-full gap-4 sm:grid-cols-2">
          {(['idleDays', 'absoluteDays'] as const).map((name) => (
            <TextField
              key={name}
              label={t(name)}
              hint={t(`${name}.hint`)}
              type="number"
              error={errors[name]?.message}
              {...register(name)}
            />
          ))}
        </div>
        <Button type="submit" disabled={!isDirty} busy={isSubmitting}>
          {t('save')}
        </Button>
      </form>
    </Section>
  )
}

/** Edits the sign-in requirements, the length of sessions, and from whom customers' details are hidden. */
export function SecuritySettings() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { member } = useWorkspaceSession(workspace)
  const { data: security, error, isLoadingError, isPending, refetch } = useQuery(securityQuery)
  const settings = useQuery(workspaceQuery)
  if (isPending || settings.isPending) return <SkeletonRows />
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (settings.isLoadingError)
    return <Failed error={settings.error} onRetry={() => void settings.refetch()} />
  return (
    <>
      <SecondFactor security={security} isOwner={member.owner} />
      <HiddenDetails workspace={settings.data} isOwner={member.owner} />
      <SessionLengths security={security} />
    </>
  )
}
