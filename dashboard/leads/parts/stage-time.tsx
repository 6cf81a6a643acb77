/** Shows for how long a lead is in its stage. */
import { Clock } from 'lucide-react'
import type { Lead } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { formatDuration } from '../../kit/duration.ts'
import { formatFull, useNow } from '../../kit/time.tsx'
import { t } from '../texts.ts'

type Props = { lead: Pick<Lead, 'stage' | 'stageChangedAt'>; className?: string }

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/** Formats a time in its largest unit: 12 days, 5 hours, or 1 minute. */
export function formatStay(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS))
  const unit = minutes >= DAY_MINUTES ? DAY_MINUTES : minutes >= 60 ? 60 : 1
  return formatDuration(minutes - (minutes % unit))
}

function useStay({ stage, stageChangedAt }: Props['lead']) {
  const time = formatStay(useNow() - Date.parse(stageChangedAt))
  const isOpen = stage.kind !== 'won' && stage.kind !== 'lost'
  return { time, text: t(isOpen ? 'stay.open' : 'stay.closed', { stage: stage.name, time }) }
}

/** Shows the time next to other facts of the lead, below or beside the stage's name. */
export function StageTime({ lead, className }: Props) {
  const { time, text } = useStay(lead)
  return (
    <time
      dateTime={lead.stageChangedAt}
      title={formatFull(lead.stageChangedAt)}
      className={classes(
        'inline-flex shrink-0 items-center gap-1 align-middle text-sm whitespace-nowrap',
        className,
      )}
    >
      <Clock aria-hidden size={13} className="shrink-0 text-ink-3" />
      <span aria-hidden>{time}</span>
      <span className="sr-only">{text}</span>
    </time>
  )
}

/** Shows the stage and the time as a sentence. */
export function StageSentence({ lead, className }: Props) {
  const { text } = useStay(lead)
  return (
    <time
      dateTime={lead.stageChangedAt}
      title={formatFull(lead.stageChangedAt)}
      className={classes('text-sm text-ink-2', className)}
    >
      {text}
    </time>
  )
}
