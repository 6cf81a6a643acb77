/** Sends the events of a period again. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { refreshDeliveries, type Webhook } from '../queries.ts'
import { t } from '../texts.ts'

const HOUR_MS = 3_600_000
/** The log keeps seven days: its oldest minute may be deleted during the read. */
const PERIODS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS - 60_000 } as const
type Period = keyof typeof PERIODS

/**
 * Replays all pages of the period; returns the number of queued events. Events from before the registration
 * don't count as undelivered.
 */
async function replay(
  { id, createdAt }: Webhook,
  period: Period,
  only: 'all' | 'undelivered',
): Promise<number> {
  const begins = workspaceNow() - PERIODS[period]
  const from = new Date(only === 'all' ? begins : Math.max(begins, Date.parse(createdAt))).toISOString()
  let queued = 0
  let cursor: string | undefined
  do {
    const page = await call('POST /webhooks/{id}/replay', {
      params: { id },
      body: { from, only, ...(cursor ? { cursor } : {}) },
    })
    queued += page.queued
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return queued
}

type Props = { webhook: Webhook; onClose: () => void }

export function ReplayDialog({ webhook, onClose }: Props) {
  const [period, setPeriod] = useState<Period>('hour')
  const [isAll, setAll] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => replay(webhook, period, isAll ? 'all' : 'undelivered'),
    onSuccess: (queued) => {
      refreshDeliveries()
      notify({ title: t('replay.done', { count: queued }), kind: 'good' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('replay.title')}
      description={t('replay.text')}
      actions={
        <Button variant="primary" busy={isPending} onClick={() => mutate()}>
          {t('replay')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <FormFault fault={error} />
        <SelectField
          label={t('replay.period')}
          value={period}
          onChange={setPeriod}
          choices={(Object.keys(PERIODS) as Period[]).map((value) => ({
            value,
            label: t(`replay.${value}`),
          }))}
        />
        <div>
          <Switch label={t('replay.all')} checked={isAll} onChange={setAll} />
          <p className="text-sm text-ink-3">{t(isAll ? 'replay.all.text' : 'replay.undelivered.text')}</p>
        </div>
      </div>
    </Dialog>
  )
}
