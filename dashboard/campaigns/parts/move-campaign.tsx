/** Asks for the time of a draft, or the new time of a scheduled campaign, and schedules it. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Broadcast } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { messageOf } from '../../api/errors.ts'
import { call } from '../../api/request.ts'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { notify } from '../../kit/toasts.tsx'
import { formatLongDay, localOf } from '../../kit/zone.ts'
import { formatClockIn, fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'

export const formatIn = (zone: string, time: string): string =>
  t('calendar.time', { day: formatLongDay(localOf(zone, time).day), clock: formatClockIn(zone, time) })

type Props = {
  campaign: Broadcast
  zone: string
  /** The proposed time. */
  to: string
  onClose: () => void
}

export function MoveCampaign({ campaign, zone, to, onClose }: Props) {
  const [input, setInput] = useState(() => toZoneInput(zone, to))
  const time = fromZoneInput(zone, input)
  const [isTried, setTried] = useState(false)
  const move = useMutation({
    mutationFn: (scheduledAt: string) =>
      call('PATCH /broadcasts/{id}', { params: { id: campaign.id }, body: { scheduledAt } }),
    onSuccess: (_answer, scheduledAt) => {
      void queryClient.invalidateQueries({ queryKey: ['broadcast'] })
      notify({
        title: t(campaign.scheduledAt ? 'calendar.moved' : 'schedule.done', {
          time: formatIn(zone, scheduledAt),
        }),
        kind: 'good',
      })
      onClose()
    },
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t(campaign.scheduledAt ? 'calendar.move.title' : 'schedule.title', { name: campaign.name })}
      description={
        campaign.scheduledAt
          ? t('calendar.move.text', { time: formatIn(zone, campaign.scheduledAt) })
          : t('begins.later.hint')
      }
      action={t(campaign.scheduledAt ? 'calendar.move.submit' : 'make.later')}
      busy={move.isPending}
      fault={move.error && { message: messageOf(move.error) }}
      onSubmit={() => (time ? move.mutate(time) : setTried(true))}
    >
      <TextField
        label={t('calendar.move.at')}
        hint={t('calendar.move.zone', { zone })}
        type="datetime-local"
        value={input}
        error={isTried && !time ? t('at.required') : undefined}
        onChange={(event) => setInput(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
