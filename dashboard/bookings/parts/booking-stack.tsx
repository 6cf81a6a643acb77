/** Simultaneous bookings of the week that have no room side by side: their number and names, and a list of them. */
import type { Booking } from '../../../sdk/api.ts'
import { Button } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { Popover } from '../../kit/popover.tsx'
import { formatLongDay } from '../../kit/zone.ts'
import { t } from '../texts.ts'
import { BookingTile } from './booking-tile.tsx'
import type { BookingPart } from './day-spans.ts'
import { customerOf } from './status.tsx'

type Props = {
  parts: readonly BookingPart[]
  day: string
  zone: string
  openId: string | undefined
  onOpen: (id: string) => void
  /** Shows the day with a column for each member of staff. */
  onDay: () => void
}

const idsOf = (parts: readonly BookingPart[]): Booking['id'][] => parts.map(({ booking }) => booking.id)

export const BookingStack = ({ parts, day, zone, openId, onOpen, onDay }: Props) => (
  <Popover
    title={t('stack.title', { count: parts.length, day: formatLongDay(day) })}
    trigger={
      <button
        type="button"
        data-stack={idsOf(parts).join(' ')}
        aria-label={t('stack.title', { count: parts.length, day: formatLongDay(day) })}
        className={classes(
          'flex h-full w-full min-w-0 flex-col overflow-hidden rounded-md border border-edge bg-surface-2 px-1 py-0.5 text-start text-xs hover:bg-surface-3 pointer-coarse:min-h-11',
          openId !== undefined && idsOf(parts).includes(openId) && 'outline-2 outline-accent',
        )}
      >
        <span className="shrink-0 font-semibold text-accent">{t('stack.more', { count: parts.length })}</span>
        {parts.map(({ booking }) => (
          <span key={booking.id} dir="auto" className="w-full shrink-0 truncate text-ink-2">
            {customerOf(booking)}
          </span>
        ))}
      </button>
    }
  >
    <div className="flex flex-col gap-3 p-1">
      <ul className="flex flex-col gap-1.5">
        {parts.map(({ booking, isContinued }) => (
          <li key={booking.id}>
            <BookingTile
              booking={booking}
              zone={zone}
              isOpen={booking.id === openId}
              onOpen={onOpen}
              isContinued={isContinued}
            />
          </li>
        ))}
      </ul>
      <Button className="self-start" onClick={onDay}>
        {t('stack.day')}
      </Button>
    </div>
  </Popover>
)
