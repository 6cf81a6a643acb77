import { useMutation, useQuery } from '@tanstack/react-query'
import { FastForward } from 'lucide-react'
import { Button } from '../kit/button.tsx'
import { formatFull, useNow } from '../kit/time.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { advanceClock, clockQuery } from './queries.ts'
import { t } from './texts.ts'

const STEPS = [
  [5, 'clock.5s'],
  [60, 'clock.1m'],
  [3_600, 'clock.1h'],
  [86_400, 'clock.1d'],
] as const

/** Shows the sandbox's time, with buttons to move it forward. */
export function Clock() {
  useQuery(clockQuery)
  const now = useNow(1_000)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: advanceClock,
    onError: notifyError,
  })
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-ink-2" suppressHydrationWarning>
        {t('clock.now', { time: formatFull(new Date(now).toISOString()) })}
      </p>
      <fieldset aria-label={t('clock')} className="flex flex-wrap gap-1.5">
        {STEPS.map(([seconds, label]) => (
          <Button
            key={seconds}
            size="sm"
            icon={FastForward}
            busy={isPending && variables === seconds}
            disabled={isPending}
            aria-label={t('clock.add', { step: t(label) })}
            onClick={() => mutate(seconds)}
          >
            {t(label)}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}
