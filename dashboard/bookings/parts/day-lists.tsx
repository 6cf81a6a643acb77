import { classes } from '../../kit/classes.ts'
import { formatLongDay } from '../../kit/zone.ts'
import { BookingTile } from './booking-tile.tsx'
import type { BookingPart } from './day-spans.ts'

type Props = {
  days: readonly { day: string; isToday: boolean; parts: BookingPart[] }[]
  zone: string
  openId: string | undefined
  onOpen: (id: string) => void
}

/** Lists the days with bookings one below the other, where there is no room for columns. */
export const DayLists = ({ days, zone, openId, onOpen }: Props) => (
  <div className="pane min-h-0 flex-1 border-t px-4 py-3 sm:px-6">
    {days
      .filter(({ parts }) => parts.length > 0)
      .map(({ day, isToday, parts }) => (
        <section key={day} className="mb-5">
          <h3
            aria-current={isToday ? 'date' : undefined}
            className={classes('mb-1.5 text-sm font-semibold', isToday ? 'text-accent' : 'text-ink-2')}
          >
            {formatLongDay(day)}
          </h3>
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
        </section>
      ))}
  </div>
)
