/** Defines the commands for bookings, for the menu, the palette, and keys. */
import type { Booking } from '../../sdk/api.ts'
import { type Command, createCommand, moveCommands } from '../commands.ts'
import type en from './en.json'
import { isMovable } from './parts/status.tsx'

type Title = Extract<keyof typeof en, `action.${string}`>

export type CalendarContext = {
  mayWrite: boolean
  create: () => void
  turnPage: (by: 1 | -1) => void
  showToday: () => void
  showView: (view: 'day' | 'week') => void
  move: (by: 1 | -1) => void
}

export const CALENDAR_COMMANDS: readonly Command<CalendarContext, Title>[] = [
  createCommand('bookings-create', 'action.create'),
  { id: 'bookings-before', title: 'action.before', keys: '[', run: (context) => context.turnPage(-1) },
  { id: 'bookings-after', title: 'action.after', keys: ']', run: (context) => context.turnPage(1) },
  { id: 'bookings-today', title: 'action.today', keys: 't', run: (context) => context.showToday() },
  { id: 'bookings-day', title: 'action.day', keys: '1', run: (context) => context.showView('day') },
  { id: 'bookings-week', title: 'action.week', keys: '2', run: (context) => context.showView('week') },
  ...moveCommands('bookings'),
]

export type FocusedContext = { booking: Booking; mayWrite: boolean; move: (booking: Booking) => void }

/** For the booking in the calendar that has the focus; an open booking has its own commands. */
export const FOCUSED_COMMANDS: readonly Command<FocusedContext, Title>[] = [
  {
    id: 'bookings-move',
    title: 'action.move',
    keys: 'm',
    when: ({ booking, mayWrite }) => mayWrite && isMovable(booking),
    run: ({ booking, move }) => move(booking),
  },
]

export type BookingContext = {
  booking: Booking
  now: number
  mayWrite: boolean
  isAdmin: boolean
  /** The workspace has the invoicing module. */
  hasInvoices: boolean
  close: () => void
  markStatus: (status: 'completed' | 'no_show') => void
  restore: () => void
  waiveAdvance: () => void
  markRefunded: () => void
  openDialog: (dialog: 'move' | 'cancel' | 'note' | 'link') => void
  openChat: () => void
  createInvoice: () => void
  downloadFile: () => void
}

type When = (context: BookingContext) => boolean
const isToCome: When = ({ booking, mayWrite }) => mayWrite && isMovable(booking)
/** Completion and no-show are not known before the booking begins. */
const hasStarted: When = ({ booking, mayWrite, now }) =>
  mayWrite && booking.status === 'confirmed' && Date.parse(booking.startAt) <= now
const hasEnded: When = ({ booking: { status }, mayWrite }) =>
  mayWrite && (status === 'cancelled' || status === 'completed' || status === 'no_show')
/** Returns whether the booking's customer still exists. */
const isKnown: When = ({ booking, mayWrite }) => mayWrite && booking.customer.contactId !== null
const canInvoice: When = (context) =>
  context.hasInvoices &&
  isKnown(context) &&
  context.booking.priceMinor > 0 &&
  context.booking.invoiceId === null &&
  // The kept advance of a cancelled visit can be invoiced.
  (['confirmed', 'completed', 'no_show'].includes(context.booking.status) ||
    (context.booking.status === 'cancelled' && context.booking.advance?.status === 'kept'))

export type BookingCommandId =
  | 'complete'
  | 'no-show'
  | 'waive'
  | 'refunded'
  | 'restore'
  | 'move'
  | 'note'
  | 'chat'
  | 'invoice'
  | 'ics'
  | 'link'
  | 'cancel'
type BookingCommand = Command<BookingContext, Title> & { id: BookingCommandId }

/** In the order of the menu; the menu and the keys use these values. */
export const BOOKING_COMMANDS: readonly BookingCommand[] = [
  {
    id: 'complete',
    title: 'action.complete',
    keys: 'v',
    when: hasStarted,
    run: (context) => context.markStatus('completed'),
  },
  {
    id: 'no-show',
    title: 'action.noShow',
    keys: 'n',
    when: hasStarted,
    run: (context) => context.markStatus('no_show'),
  },
  {
    id: 'waive',
    title: 'action.waive',
    keys: 'w',
    when: (context) => context.mayWrite && context.booking.status === 'held',
    run: (context) => context.waiveAdvance(),
  },
  {
    id: 'refunded',
    title: 'action.refunded',
    when: (context) => context.mayWrite && context.booking.advance?.status === 'refund_due',
    run: (context) => context.markRefunded(),
  },
  { id: 'restore', title: 'action.restore', keys: 'r', when: hasEnded, run: (context) => context.restore() },
  {
    id: 'move',
    title: 'action.move',
    keys: 'm',
    when: isToCome,
    run: (context) => context.openDialog('move'),
  },
  {
    id: 'note',
    title: 'action.note',
    keys: 'e',
    when: isKnown,
    run: (context) => context.openDialog('note'),
  },
  {
    id: 'chat',
    title: 'action.chat',
    keys: 'o',
    when: ({ booking }) => booking.customer.contactId !== null,
    run: (context) => context.openChat(),
  },
  {
    id: 'invoice',
    title: 'action.invoice',
    keys: 'i',
    when: canInvoice,
    run: (context) => context.createInvoice(),
  },
  { id: 'ics', title: 'action.ics', run: (context) => context.downloadFile() },
  {
    id: 'link',
    title: 'action.link',
    when: (context) => context.isAdmin && isKnown(context) && context.booking.url !== null,
    run: (context) => context.openDialog('link'),
  },
  {
    id: 'cancel',
    title: 'action.cancel',
    keys: 'x',
    when: isToCome,
    run: (context) => context.openDialog('cancel'),
  },
]

/** Also available if the booking could not be read. */
export const PANEL_COMMANDS: readonly Command<Pick<BookingContext, 'close'>, Title>[] = [
  { id: 'booking-close', title: 'action.close', keys: 'Escape', run: (context) => context.close() },
]
