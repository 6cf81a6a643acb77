/** Shows one booking next to the calendar: its details and its actions. */
import { useQuery } from '@tanstack/react-query'
import {
  Ban,
  CalendarClock,
  CheckCheck,
  Download,
  FileText,
  HandCoins,
  Link2,
  type LucideIcon,
  MessageCircle,
  MoreVertical,
  NotebookPen,
  RotateCcw,
  Undo2,
  UserX,
  X,
} from 'lucide-react'
import { useState } from 'react'
import type { Booking } from '../../../sdk/api.ts'
import { hasRole, type WorkspaceSession } from '../../api/session.ts'
import { useOpenChat } from '../../contacts/parts/use-open-chat.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { useNow } from '../../kit/time.tsx'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { BOOKING_COMMANDS, type BookingCommandId, type BookingContext, PANEL_COMMANDS } from '../commands.ts'
import { bookingQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CancelBooking } from './cancel-booking.tsx'
import { BookingFacts } from './facts.tsx'
import { NoteOfBooking } from './note.tsx'
import { Panel, PanelBar } from './panel.tsx'
import { customerOf, StatusBadge } from './status.tsx'
import { useBooking } from './use-booking.ts'

const MoveBooking = lazyComponent(() => import('./move-booking.tsx').then((module) => module.MoveBooking))

const ICONS: Record<BookingCommandId, LucideIcon> = {
  complete: CheckCheck,
  'no-show': UserX,
  waive: HandCoins,
  refunded: Undo2,
  restore: RotateCcw,
  move: CalendarClock,
  note: NotebookPen,
  chat: MessageCircle,
  invoice: FileText,
  ics: Download,
  link: Link2,
  cancel: Ban,
}
/** Actions that also have a button next to the menu, while they are possible. */
const FIRST: readonly BookingCommandId[] = ['complete', 'waive', 'refunded', 'restore', 'move', 'chat']

type Props = {
  id: string
  session: WorkspaceSession
  onClose: () => void
  onMoved: (startAt: string) => void
}

export function BookingPanel(props: Props) {
  const { id, onClose } = props
  const { data: booking, error, refetch } = useQuery(bookingQuery(id))
  return (
    <Panel>
      {booking ? (
        <BookingDetails booking={booking} {...props} />
      ) : (
        <>
          <PanelBar onClose={onClose} />
          {error ? <Failed error={error} onRetry={() => void refetch()} /> : <SkeletonRows />}
          <CloseCommand onClose={onClose} />
        </>
      )}
    </Panel>
  )
}

/** A booking that does not exist can also be closed with the keyboard. */
function CloseCommand({ onClose }: Pick<Props, 'onClose'>) {
  useCommands(PANEL_COMMANDS, { close: onClose }, { title: t })
  return null
}

function BookingDetails({ booking, session, onClose, onMoved }: Props & { booking: Booking }) {
  const { workspace, member } = session
  const [dialog, setDialog] = useState<Parameters<BookingContext['openDialog']>[0]>()
  const { change, invoice, link, file } = useBooking(booking, { workspace: workspace.id })
  const openChat = useOpenChat(workspace.id)
  const closeDialog = () => setDialog(undefined)
  const context: BookingContext = {
    booking,
    now: useNow(),
    mayWrite: hasRole(member.role, 'agent'),
    isAdmin: hasRole(member.role, 'admin'),
    hasInvoices: workspace.modules.includes('invoicing'),
    close: onClose,
    markStatus: (status) =>
      change.mutate({ body: { status }, notice: t(`notice.${status}`), undo: { status: 'confirmed' } }),
    restore: () => change.mutate({ body: { status: 'confirmed' }, notice: t('notice.restored') }),
    waiveAdvance: () =>
      change.mutate({ body: { status: 'confirmed', advance: 'waive' }, notice: t('notice.confirmed') }),
    markRefunded: () => change.mutate({ body: { advance: 'refunded' }, notice: t('notice.refunded') }),
    openDialog: setDialog,
    openChat: () => void (booking.customer.contactId && openChat(booking.customer.contactId)),
    createInvoice: () => invoice.mutate(),
    downloadFile: () => file.mutate(),
  }
  useCommands(PANEL_COMMANDS, context, { title: t })
  useCommands(BOOKING_COMMANDS, context, { title: t })
  const possible = BOOKING_COMMANDS.filter(({ when }) => when?.(context) ?? true)
  const isBusy = change.isPending || invoice.isPending
  return (
    <>
      <header className="flex shrink-0 items-start gap-2 border-b py-2 ps-4 pe-2">
        <div className="min-w-0 flex-1 py-1">
          <h2 dir="auto" className="truncate text-md font-semibold">
            {customerOf(booking)}
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-2">
            <StatusBadge status={booking.status} />
            <span className="truncate">{booking.service}</span>
          </p>
        </div>
        <Menu
          align="end"
          trigger={<IconButton icon={MoreVertical} label={t('more.actions')} />}
          entries={possible.flatMap(({ id, title, keys, run }) => [
            ...(id === 'cancel' ? (['line'] as const) : []),
            {
              label: t(title),
              icon: ICONS[id],
              ...(keys && { keys }),
              danger: id === 'cancel',
              disabled: isBusy,
              onSelect: () => run(context),
            },
          ])}
        />
        <IconButton icon={X} label={t('action.close')} keys="Escape" onClick={onClose} />
      </header>
      <div className="pane min-h-0 flex-1 px-4 py-3">
        <div className="mb-3 flex flex-wrap gap-2 empty:hidden">
          {possible
            .filter(({ id }) => FIRST.includes(id))
            .map(({ id, title, keys, run }) => (
              <Button
                key={id}
                icon={ICONS[id]}
                disabled={isBusy}
                onClick={() => run(context)}
                {...(keys && { keys })}
              >
                {t(title)}
              </Button>
            ))}
        </div>
        <BookingFacts booking={booking} session={session} />
      </div>
      {dialog === 'move' && (
        <MoveBooking
          booking={booking}
          zone={workspace.timezone}
          onClose={closeDialog}
          onMoved={(movedBooking: Booking) => {
            onMoved(movedBooking.startAt)
            closeDialog()
          }}
        />
      )}
      {dialog === 'cancel' && (
        <CancelBooking
          booking={booking}
          busy={change.isPending}
          onClose={closeDialog}
          onConfirm={(body) =>
            change.mutate(
              {
                body,
                notice: t('notice.cancelled'),
                // Undo of a cancelled hold would restore it without its advance.
                ...(booking.status === 'confirmed' && { undo: { status: 'confirmed' } as const }),
              },
              { onSettled: closeDialog },
            )
          }
        />
      )}
      {dialog === 'note' && (
        <NoteOfBooking
          booking={booking}
          busy={change.isPending}
          onClose={closeDialog}
          onSave={(notes) =>
            change.mutate({ body: { notes }, notice: t('notice.noted') }, { onSuccess: closeDialog })
          }
        />
      )}
      <Confirm
        open={dialog === 'link'}
        onClose={closeDialog}
        title={t('link.renew.title')}
        description={t('link.renew.text', {
          customer: customerOf(booking),
          time: formatClockIn(workspace.timezone, booking.startAt),
        })}
        action={t('action.link')}
        onConfirm={() => link.mutate(undefined, { onSettled: closeDialog })}
        busy={link.isPending}
        danger
      />
    </>
  )
}
