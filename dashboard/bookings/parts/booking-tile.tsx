import type { Booking } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'
import { customerOf, STATUS_STYLES } from './status.tsx'

type Props = {
  booking: Booking
  zone: string
  isOpen: boolean
  onOpen: (id: string) => void
  /** The booking started on an earlier day: the tile shows its end. */
  isContinued: boolean
  /** Its column shows the staff. */
  inColumn?: boolean
  /** The tile has room for one line. */
  isShort?: boolean
}

/** A booking in the calendar; it opens next to the calendar. */
export function BookingTile({ booking, zone, isOpen, onOpen, isContinued, inColumn, isShort }: Props) {
  const { id, service, staff, status, startAt, endAt } = booking
  const { icon: Icon, tile } = STATUS_STYLES[status]
  const [from, to] = [formatClockIn(zone, startAt), formatClockIn(zone, endAt)]
  const time = isContinued ? t('tile.until', { time: to }) : from
  const customer = customerOf(booking)
  const serviceText = staff && !inColumn ? t('tile.with', { service, staff: staff.name }) : service
  return (
    // biome-ignore lint/a11y/useSemanticElements: Firefox does not drag what is in a button
    <div
      role="button"
      tabIndex={0}
      data-booking={id}
      aria-pressed={isOpen}
      title={`${from} – ${to} ${customer}\n${serviceText}`}
      onClick={() => onOpen(id)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onOpen(id)
      }}
      className={classes(
        // Text without room below wraps into a hidden column, instead of being cut in half.
        'flex h-full w-full min-w-0 cursor-pointer flex-col flex-wrap content-start gap-x-3 overflow-hidden rounded-md px-1.5 py-0.5 text-start text-xs select-none hover:opacity-90 pointer-coarse:min-h-11 pointer-coarse:text-sm @max-[4.5rem]:px-0.5 forced-colors:border',
        tile,
        isOpen && 'outline-2 outline-accent',
      )}
    >
      {/* In a narrow tile, the name is below the time; in a very narrow one, the grid alone shows the time. */}
      <span className="flex w-full min-w-0 flex-wrap items-center gap-x-1">
        <span className="inline-flex shrink-0 items-center gap-0.5">
          <Icon
            aria-hidden
            size={12}
            className={classes('shrink-0', status === 'confirmed' && '@max-[4.5rem]:hidden')}
          />
          <span className="font-medium tabular-nums @max-[4.5rem]:sr-only">{time}</span>
        </span>
        <span className="min-w-0 grow basis-16 @max-[4.5rem]:basis-full">
          {/* Lines end only between words; a word without room ends in an ellipsis. */}
          <span
            dir="auto"
            data-customer
            className={classes(
              'block w-fit max-w-full truncate',
              !isShort && '@max-[4.5rem]:wrap-normal @max-[4.5rem]:whitespace-normal',
            )}
          >
            {customer}
          </span>
        </span>
      </span>
      <span dir="auto" className="w-fit max-w-full truncate">
        {serviceText}
      </span>
      <span className="sr-only">{t(`status.${status}`)}</span>
    </div>
  )
}
