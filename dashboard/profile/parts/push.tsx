/** Edits push notifications: this device, what they show, and quiet hours. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { DashboardApi } from '../../../sdk/api.ts'
import { callDashboard } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Section } from '../../kit/page.tsx'
import { SaveButton } from '../../kit/save-button.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { pushQuery, supportsPush, turnOffPush, turnOnPush } from '../../shell/push.ts'
import { t } from '../texts.ts'
import { deviceOf } from './device.ts'
import {
  isComplete,
  type PushChoices,
  pushChoicesQuery,
  type QuietDay,
  quietOf,
  weekOf,
} from './push-choices.ts'
import { QuietWeek } from './quiet-week.tsx'

type Device = DashboardApi['GET /push']['reply']['subscriptions'][number]

export function PushSection() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { data: push, error, refetch } = useQuery(pushQuery(workspace))
  const { data: choices } = useQuery(pushChoicesQuery(workspace))
  return (
    <Section title={t('push')} description={t('push.text')}>
      {error && !push ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : push && choices ? (
        <div className="flex max-w-md flex-col gap-4">
          <ThisDevice workspace={workspace} devices={push.subscriptions} />
          <OtherDevices workspace={workspace} devices={push.subscriptions} />
          <Choices workspace={workspace} choices={choices} />
          <QuietHours workspace={workspace} choices={choices} />
        </div>
      ) : (
        <SkeletonRows rows={3} />
      )}
    </Section>
  )
}

type Devices = { workspace: string; devices: readonly Device[] }

function ThisDevice({ workspace, devices }: Devices) {
  const current = devices.find((device) => device.current)
  const { mutate, isPending } = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (!isOn && current) await turnOffPush(workspace, current.id, true)
      else if (isOn && !(await turnOnPush(workspace)))
        notify({ title: t('notices.refused'), description: t('notices.refused.text'), kind: 'bad' })
    },
    onError: notifyError,
  })
  if (!supportsPush()) return <Callout>{t('push.unsupported')}</Callout>
  return (
    <Switch
      label={t('push.device')}
      checked={current !== undefined}
      disabled={isPending}
      onChange={(isOn) => mutate(isOn)}
    />
  )
}

function OtherDevices({ workspace, devices }: Devices) {
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) => turnOffPush(workspace, id, false),
    onError: notifyError,
  })
  const others = devices.filter((device) => !device.current)
  if (others.length === 0) return null
  return (
    <ul aria-label={t('push.others')} className="divide-y rounded-lg border">
      {others.map(({ id, device }) => (
        <li key={id} className="flex min-h-11 items-center gap-3 px-3 py-1">
          <span className="min-w-0 flex-1 truncate">{deviceOf(device)}</span>
          <Button
            size="sm"
            disabled={isPending}
            aria-label={t('push.remove.of', { device: deviceOf(device) })}
            onClick={() => mutate(id)}
          >
            {t('push.remove')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

type ChoicesProps = { workspace: string; choices: PushChoices }

/** Returns a function that saves choices, shown immediately. */
function useSave(workspace: string) {
  const client = useQueryClient()
  const { queryKey } = pushChoicesQuery(workspace)
  return useMutation({
    mutationFn: (push: PushChoices) => callDashboard('PATCH /preferences', { workspace, body: { push } }),
    onMutate: (push) => {
      client.setQueryData(queryKey, push)
    },
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

const CHOICES = [
  ['messages', 'push.messages'],
  ['unassigned', 'push.unassigned'],
  ['text', 'push.content'],
] as const

function Choices({ workspace, choices }: ChoicesProps) {
  const { mutate } = useSave(workspace)
  return (
    <div className="flex flex-col">
      {CHOICES.map(([name, label]) => (
        <Switch
          key={name}
          label={t(label)}
          checked={choices[name]}
          disabled={name === 'unassigned' && !choices.messages}
          onChange={(isOn) => mutate({ ...choices, [name]: isOn })}
        />
      ))}
    </div>
  )
}

function QuietHours({ workspace, choices }: ChoicesProps) {
  const { mutate, isPending } = useSave(workspace)
  const saved = weekOf(choices.quiet)
  const [week, setWeek] = useState<readonly QuietDay[]>(saved)
  const [isTried, setTried] = useState(false)
  const isChanged = JSON.stringify(week) !== JSON.stringify(saved)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (isComplete(week))
          mutate(
            { ...choices, quiet: quietOf(week) },
            { onSuccess: () => notify({ title: t('quiet.saved'), kind: 'good' }) },
          )
      }}
    >
      <QuietWeek week={week} isTried={isTried} onChange={setWeek} />
      <SaveButton isChanged={isChanged} busy={isPending}>
        {t('quiet.save')}
      </SaveButton>
    </form>
  )
}
