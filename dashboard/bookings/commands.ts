/** Defines the commands for bookings, for the menu, the palette, and keys. */
import type { Booking } from '../../sdk/api.ts'
import type { Command } from '../commands.ts'
import type en from './en.json'

type Title = Extract<keyof typeof en, `action.${string}`>

export type CalendarAt = {
  mayWrite: boolean
  create: () => void
  turn: (by: 1 | -1) => void
  today: () => void
  show: (view: 'day' | 'week') => void
  move: (by: 1 | -1) => void
}

export const CALENDAR_COMMANDS: readonly Command<CalendarAt, Title>[] = [
  {
    id: 'bookings-create',
    title: 'action.create',
    keys: 'c',
    when: (at) => at.mayWrite,
    run: (at) => at.create(),
  },
  { id: 'bookings-before', title: 'action.before', keys: '[', run: (at) => at.turn(-1) },
  { id: 'bookings-after', title: 'action.after', keys: ']', run: (at) => at.turn(1) },
  { id: 'bookings-today', title: 'action.today', keys: 't', run: (at) => at.today() },
  { id: 'bookings-day', title: 'action.day', keys: '1', run: (at) => at.show('day') },
  { id: 'bookings-week', title: 'action.week', keys: '2', run: (at) => at.show('week') },
  { id: 'bookings-next', title: 'action.next', keys: 'j', run: (at) => at.move(1) },
  { id: 'bookings-previous', title: 'action.previous', keys: 'k', run: (at) => at.move(-1) },
]

export type BookingAt = {
  booking: Booking
  now: number
  mayWrite: boolean
  isAdmin: boolean
  /** The workspace has the invoicing module. */
  hasInvoices: boolean
  close: () => void
  mark: (status: 'completed' | 'no_show') => void
  restore: () => void
  waive: () => void
  refunded: () => void
  ask: (what: 'move' | 'cancel' | 'note' | 'link') => void
  invoice: () => void
  save: () => void
}

type When = (at: BookingAt) => boolean
const isToCome: When = ({ booking: { status }, mayWrite }) =>
  mayWrite && (status === 'held' || status === 'confirmed')
/** Completion and no-show are not known before the booking begins. */
const hasBegun: When = ({ booking, mayWrite, now }) =>
  mayWrite && booking.status === 'confirmed' && Date.parse(booking.startAt) <= now
const hasEnded: When = ({ booking: { status }, mayWrite }) =>
  mayWrite && (status === 'cancelled' || status === 'completed' || status === 'no_show')
/** Returns whether the booking's customer still exists. */
const isKnown: When = ({ booking, mayWrite }) => mayWrite && booking.customer.contactId !== null
const canInvoice: When = (at) =>
  at.hasInvoices &&
  isKnown(at) &&
  at.booking.priceMinor > 0 &&
  at.booking.invoiceId === null &&
  // The kept advance of a cancelled visit can be invoiced.
  (['confirmed', 'completed', 'no_show'].includes(at.booking.status) ||
    (at.booking.status === 'cancelled' && at.booking.advance?.status === 'kept'))

export type BookingCommandId =
  | 'complete'
  | 'no-show'
  | 'waive'
  | 'refunded'
  | 'restore'
  | 'move'
  | 'note'
  | 'invoice'
  | 'ics'
  | 'link'
  | 'cancel'
type BookingCommand = Command<BookingAt, Title> & { id: BookingCommandId }

/** In the order of the menu; the menu and the keys use these values. */
export const BOOKING_COMMANDS: readonly BookingCommand[] = [
  {
    id: 'complete',
    title: 'action.complete',
    keys: 'v',
    when: hasBegun,
    run: (at) => at.mark('completed'),
  },
  { id: 'no-show', title: 'action.noShow', keys: 'n', when: hasBegun, run: (at) => at.mark('no_show') },
  {
    id: 'waive',
    title: 'action.waive',
    keys: 'w',
    when: (at) => at.mayWrite && at.booking.status === 'held',
    run: (at) => at.waive(),
  },
  {
    id: 'refunded',
    title: 'action.refunded',
    when: (at) => at.mayWrite && at.booking.advance?.status === 'refund_due',
    run: (at) => at.refunded(),
  },
  { id: 'restore', title: 'action.restore', keys: 'r', when: hasEnded, run: (at) => at.restore() },
  { id: 'move', title: 'action.move', keys: 'm', when: isToCome, run: (at) => at.ask('move') },
  { id: 'note', title: 'action.note', keys: 'e', when: isKnown, run: (at) => at.ask('note') },
  { id: 'invoice', title: 'action.invoice', keys: 'i', when: canInvoice, run: (at) => at.invoice() },
  { id: 'ics', title: 'action.ics', run: (at) => at.save() },
  {
    id: 'link',
    title: 'action.link',
    when: (at) => at.isAdmin && isKnown(at) && at.booking.url !== null,
    run: (at) => at.ask('link'),
  },
  { id: 'cancel', title: 'action.cancel', keys: 'x', when: isToCome, run: (at) => at.ask('cancel') },
]

/** Also available if the booking could not be read. */
export const PANEL_COMMANDS: readonly Command<Pick<BookingAt, 'close'>, Title>[] = [
  { id: 'booking-close', title: 'action.close', keys: 'Escape', run: (at) => at.close() },
]
