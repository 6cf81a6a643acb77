/** Bookings of a busy time of the week, in one place: their names, and a list of them at a press. */
import { useState } from 'react'
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
  /** The height of the stack in pixels. */
  height: number
  openId: string | undefined
  onOpen: (id: string) => void
  /** Shows the day with a column for each member of staff. */
  onDay: () => void
}

/** The heights of a line, and of the space around all lines, in pixels. */
const [LINE_PX, AROUND_PX] = [16, 6]

export function BookingStack({ parts, day, zone, height, openId, onOpen, onDay }: Props) {
  const [isOpen, setOpen] = useState(false)
  const ids = parts.map(({ booking }) => booking.id)
  const title = t('stack.title', { count: parts.length, day: formatLongDay(day) })
  const shown = parts.slice(0, Math.max(1, Math.floor((height - AROUND_PX) / LINE_PX)))
  const hidden = parts.length - shown.length
  return (
    <Popover
      title={title}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          data-stack={ids.join(' ')}
          title={parts.map(({ booking }) => customerOf(booking)).join('\n')}
          className={classes(
            'relative flex h-full w-full min-w-0 flex-col overflow-hidden rounded-md border border-accent bg-accent-soft px-1 py-0.5 text-start text-xs text-accent hover:opacity-90 pointer-coarse:min-h-11',
            openId !== undefined && ids.includes(openId) && 'outline-2 outline-accent',
          )}
        >
          <span className="sr-only">{title}</span>
          {shown.map(({ booking }, index) => (
            <span key={booking.id} className="flex w-full shrink-0 gap-1">
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {customerOf(booking)}
              </span>
              {hidden > 0 && index === shown.length - 1 && (
                <span className="shrink-0 font-semibold">{t('stack.more', { count: hidden })}</span>
              )}
            </span>
          ))}
        </button>
      }
    >
      <div className="flex flex-col gap-3 p-1">
        <p className="font-semibold">{title}</p>
        <ul className="flex flex-col gap-1.5">
          {parts.map(({ booking, isContinued }) => (
            <li key={booking.id}>
              <BookingTile
                booking={booking}
                zone={zone}
                isOpen={booking.id === openId}
                onOpen={(id) => {
                  setOpen(false)
                  onOpen(id)
                }}
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
}
