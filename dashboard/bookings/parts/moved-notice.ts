/** Shows what happened to a moved booking, with Undo, or why it stays. */
import type { Booking } from '../../../sdk/api.ts'
import { notify } from '../../kit/toasts.tsx'
import { formatShortDay, localOf } from '../../kit/zone.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { moveBooking } from '../queries.ts'
import { t } from '../texts.ts'
import { isTimeRefused } from './next-slots.ts'
import type { Place, Refusal } from './places.ts'

const textsOf = (zone: string, startAt: string) => ({
  day: formatShortDay(localOf(zone, startAt).day),
  time: formatClockIn(zone, startAt),
})

/** Moves a booking back. The time may be within the notice by now, but it must not be taken. */
async function undoMove(zone: string, before: Booking, movedBooking: Booking): Promise<void> {
  try {
    await moveBooking(movedBooking, { startAt: before.startAt, staff: before.staff, force: true })
    notify({ title: t('undone') })
  } catch (error) {
    if (isTimeRefused(error))
      notify({ title: t('refused.notFree', textsOf(zone, before.startAt)), kind: 'bad' })
    else notifyError(error)
  }
}

/** Names the new time. Parley sends no message about it, so the notice says so. */
export function noticeMoved(zone: string, before: Booking, movedBooking: Booking): void {
  const texts = textsOf(zone, movedBooking.startAt)
  const { staff } = movedBooking
  notify({
    title:
      staff && staff.id !== before.staff?.id
        ? t('notice.moved.staff', { ...texts, staff: staff.name })
        : t('notice.moved', texts),
    description: t('untold'),
    kind: 'good',
    action: { label: t('undo'), run: () => void undoMove(zone, before, movedBooking) },
  })
}

type Refused = {
  zone: string
  booking: Booking
  place: Place
  /** Chooses another time in the dialog. */
  onChoose: () => void
}

/** Returns why a place can't be used, in the words of the preview. */
export const refusalText = (
  refusal: Refusal,
  { booking, place }: Pick<Refused, 'booking' | 'place'>,
): string => t(`refusal.${refusal}`, { staff: place.staff?.name ?? '', service: booking.service })

function noticeRefused(title: string, { zone, booking, onChoose }: Refused): void {
  notify({
    title,
    description: t('refused.stays', textsOf(zone, booking.startAt)),
    kind: 'bad',
    action: { label: t('refused.choose'), run: onChoose },
  })
}

/** Says why a booking was not dropped in a place. */
export const noticeNotDropped = (refusal: Refusal, refused: Refused): void =>
  noticeRefused(refusalText(refusal, refused), refused)

/** Says why the server did not move a booking. */
export function noticeMoveError(error: unknown, refused: Refused): void {
  if (isTimeRefused(error))
    noticeRefused(t('refused.notFree', textsOf(refused.zone, refused.place.startAt)), refused)
  else notifyError(error)
}
