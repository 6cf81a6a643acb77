import { Ban, Check, CheckCheck, CircleAlert, Clock } from 'lucide-react'
import { classes } from '../../kit/classes.ts'
import { t } from '../texts.ts'

const ICONS = {
  sending: Clock,
  queued: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleAlert,
  skipped: Ban,
}
export type Delivery = keyof typeof ICONS

/** Shows the delivery state of our message. */
export function Ticks({ status, title }: { status: Delivery | null; title?: string }) {
  if (status === null) return null
  const Icon = ICONS[status]
  const tone = status === 'read' ? 'text-accent' : status === 'failed' ? 'text-bad' : 'text-ink-3'
  return (
    <span
      role="img"
      aria-label={t(`status.${status}`)}
      title={title ?? t(`status.${status}`)}
      data-status={status}
    >
      <Icon aria-hidden size={15} className={classes('shrink-0', tone)} />
    </span>
  )
}
