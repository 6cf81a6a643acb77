import { Ban, Check, CheckCheck, Hourglass, type LucideIcon, TimerOff, UserX } from 'lucide-react'
import type { Booking } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../texts.ts'

type StatusStyle = { icon: LucideIcon; tone: Tone; tile: string }
const RELEASED_TILE = 'bg-surface-3 text-ink-2 line-through'

/** The look of bookings in each state; the icon differs too. */
export const STATUS_STYLES: Record<Booking['status'], StatusStyle> = {
  held: { icon: Hourglass, tone: 'warn', tile: 'bg-warn-soft text-warn' },
  confirmed: { icon: Check, tone: 'accent', tile: 'bg-accent-soft text-accent' },
  completed: { icon: CheckCheck, tone: 'good', tile: 'bg-good-soft text-good' },
  no_show: { icon: UserX, tone: 'bad', tile: 'bg-bad-soft text-bad' },
  cancelled: { icon: Ban, tone: 'plain', tile: RELEASED_TILE },
  expired: { icon: TimerOff, tone: 'plain', tile: RELEASED_TILE },
}

export const StatusBadge = ({ status }: Pick<Booking, 'status'>) => (
  <Badge tone={STATUS_STYLES[status].tone}>{t(`status.${status}`)}</Badge>
)

/** Returns whether the booking can be moved to another time. */
export const isMovable = ({ status }: Booking): boolean => status === 'held' || status === 'confirmed'

/** Returns whether the booking no longer occupies time. */
export const isReleased = ({ status }: Booking): boolean => status === 'cancelled' || status === 'expired'

export const customerOf = ({ customer }: Pick<Booking, 'customer'>): string =>
  customer.name ?? customer.phone ?? t('customer.none')
