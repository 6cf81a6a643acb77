/** Shows the newest records of a customer as links: in the side panel of a chat, and on the contact's page. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Contact, Task } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { StatusBadge as BookingStatus } from '../../bookings/parts/status.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { lazyPopup } from '../../kit/lazy.tsx'
import { formatMoney } from '../../kit/money.ts'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { DateOf, Time } from '../../kit/time.tsx'
import { localOf } from '../../kit/zone.ts'
import { DueIn } from '../../kit/zone-times.tsx'
import { StageName } from '../../leads/parts/stage.tsx'
import { createLead } from '../../leads/queries.ts'
import { formatPaise } from '../../payments/parts/amount.ts'
import { StatusBadge as PaymentStatus } from '../../payments/parts/status.tsx'
import { formatDate } from '../../sales/parts/dates.ts'
import { formatMinor } from '../../sales/parts/money.ts'
import { InvoiceStatus } from '../../sales/parts/status.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { TaskRow } from '../../tasks/parts/row.tsx'
import { type Overview, overviewQuery, useLiveOverview } from '../queries.ts'
import { t } from '../texts.ts'
import { Fold } from './fold.tsx'
import { Record } from './record.tsx'

const DoneDialog = lazyPopup(
  () => import('../../tasks/parts/done-dialog.tsx').then((module) => module.DoneDialog),
  ({ task }) => task !== undefined,
)

type Level = 2 | 3
type PartProps = { overview: Overview; workspace: string; level: Level }

type SalesProps = PartProps & { contact: Contact; mayWrite: boolean }

/** Shows the lead with its tasks, or a button to create the lead. */
function Sales({ overview: { lead, tasks }, contact, workspace, mayWrite, level }: SalesProps) {
  const [isBusy, setBusy] = useState(false)
  const [taskToComplete, setTaskToComplete] = useState<Task>()
  const attempt = useAttempt()
  const addLead = async () => {
    setBusy(true)
    const name = contact.displayName
    await createLead({ phone: `contact:${contact.id}`, ...(name && { name }) }, attempt).catch(notifyError)
    setBusy(false)
  }
  return (
    <>
      <Fold part="lead" title={t('lead')} level={level}>
        {lead ? (
          <Link
            to={`/w/${workspace}/leads/${lead.id}` as never}
            aria-label={t('lead.open', { stage: lead.stage.name })}
            className="flex min-h-9 items-center gap-3 font-medium hover:underline"
          >
            <StageName stage={lead.stage} />
            {lead.dealValue > 0 && <span className="tabular-nums">{formatMoney(lead.dealValue)}</span>}
            <span className="ms-auto truncate text-sm font-normal text-ink-2">{lead.owner?.name}</span>
          </Link>
        ) : (
          <div className="flex items-center gap-3">
            <p className="flex-1 text-ink-2">{t('lead.none')}</p>
            {mayWrite && contact.channel === 'chat' && (
              <Button size="sm" busy={isBusy} onClick={() => void addLead()}>
                {t('lead.create')}
              </Button>
            )}
          </div>
        )}
      </Fold>
      {tasks && tasks.items.length > 0 && (
        <Fold part="tasks" title={t('tasks')} level={level} note={tasks.total}>
          <ul>
            {tasks.items.map((task) => (
              <li key={task.id}>
                <TaskRow
                  task={task}
                  workspace={workspace}
                  mayWrite={mayWrite}
                  onDone={setTaskToComplete}
                  ofLead
                />
              </li>
            ))}
          </ul>
        </Fold>
      )}
      <DoneDialog task={taskToComplete} onClose={() => setTaskToComplete(undefined)} />
    </>
  )
}

/** Shows the bot and the automations that act in the chat now. */
function Running({ overview: { bot, automations = [] }, workspace, level }: PartProps) {
  if (!bot && automations.length === 0) return null
  return (
    <Fold part="running" title={t('running')} level={level}>
      <ul>
        {bot && (
          <Record
            to={`/w/${workspace}/bots/${bot.id}`}
            name={bot.name}
            badge={<Badge tone="note">{t('running.bot')}</Badge>}
          />
        )}
        {automations.map(({ id, automationId, name }) => (
          <Record
            key={id}
            to={`/w/${workspace}/automations/${automationId}`}
            name={name}
            badge={<Badge tone="note">{t('running.automation')}</Badge>}
          />
        ))}
      </ul>
    </Fold>
  )
}

function Bookings({ overview: { bookings }, workspace, level }: PartProps) {
  const rows = [
    { booking: bookings?.next, label: t('bookings.next') },
    { booking: bookings?.last, label: t('bookings.last') },
  ].flatMap(({ booking, label }) => (booking ? [{ booking, label }] : []))
  if (rows.length === 0) return null
  return (
    <Fold part="bookings" title={t('bookings')} level={level}>
      <ul>
        {rows.map(({ booking, label }) => (
          <Record
            key={booking.id}
            to={`/w/${workspace}/bookings/week/${localOf(booking.timeZone, booking.startAt).day}`}
            search={{ booking: booking.id }}
            name={booking.service}
            badge={<BookingStatus status={booking.status} />}
            note={
              <>
                {label}: <DueIn at={booking.startAt} zone={booking.timeZone} />
              </>
            }
          />
        ))}
      </ul>
    </Fold>
  )
}

function Invoices({ overview: { invoices }, workspace, level }: PartProps) {
  if (!invoices || invoices.items.length === 0) return null
  const due = invoices.due.map(({ amountMinor, currency }) => formatMinor(amountMinor, currency))
  return (
    <Fold
      part="invoices"
      title={t('invoices')}
      level={level}
      note={due.length > 0 ? t('invoices.due', { amount: due.join(' + ') }) : invoices.total}
    >
      <ul>
        {invoices.items.map((invoice) => (
          <Record
            key={invoice.id}
            to={`/w/${workspace}/invoices/${invoice.id}`}
            name={invoice.number ?? t('invoices.draft')}
            note={invoice.issueDate && formatDate(invoice.issueDate)}
            badge={<InvoiceStatus invoice={invoice} />}
            end={formatMinor(invoice.totalMinor, invoice.currency)}
          />
        ))}
      </ul>
    </Fold>
  )
}

type Order = NonNullable<Overview['orders']>['items'][number]
const ORDER_TONES: { [status in Order['status']]: Tone } = {
  placed: 'plain',
  paid: 'good',
  shipped: 'accent',
  cancelled: 'bad',
}
const minorOf = (total: number): number => Math.round(total * 100)

function Orders({ overview: { orders }, level }: PartProps) {
  if (!orders || orders.items.length === 0) return null
  return (
    <Fold part="orders" title={t('orders')} level={level} note={orders.total}>
      <ul>
        {orders.items.map(({ id, url, reference, status, total, currency, placedAt, createdAt }) => (
          <Record
            key={id}
            href={url}
            name={reference}
            note={<DateOf at={placedAt ?? createdAt} />}
            badge={<Badge tone={ORDER_TONES[status]}>{t(`order.${status}`)}</Badge>}
            end={total !== null && currency !== null ? formatMinor(minorOf(total), currency) : undefined}
          />
        ))}
      </ul>
    </Fold>
  )
}

function Payments({ overview: { payments }, workspace, level }: PartProps) {
  if (!payments || payments.items.length === 0) return null
  return (
    <Fold part="payments" title={t('payments')} level={level} note={payments.total}>
      <ul>
        {payments.items.map(({ id, referenceId, status, totalPaise, createdAt }) => (
          <Record
            key={id}
            to={`/w/${workspace}/payments/${id}`}
            name={referenceId}
            note={<DateOf at={createdAt} />}
            badge={<PaymentStatus status={status} />}
            end={formatPaise(totalPaise)}
          />
        ))}
      </ul>
    </Fold>
  )
}

function Chats({ overview: { conversations }, workspace, level, chatId }: PartProps & { chatId?: string }) {
  const chats = conversations?.items.filter(({ id }) => id !== chatId) ?? []
  if (chats.length === 0) return null
  return (
    <Fold part="chats" title={t(chatId === undefined ? 'chats' : 'chats.other')} level={level}>
      <ul>
        {chats.map(({ id, state, lastMessageAt }) => (
          <Record
            key={id}
            to={`/w/${workspace}/inbox/${id}`}
            name={t('chats.open')}
            badge={<Badge>{t(`chat.${state}`)}</Badge>}
            end={lastMessageAt && <Time at={lastMessageAt} />}
          />
        ))}
      </ul>
    </Fold>
  )
}

function Campaigns({ overview: { campaigns }, workspace, level }: PartProps) {
  if (!campaigns || campaigns.items.length === 0) return null
  return (
    <Fold part="campaigns" title={t('campaigns')} level={level} note={campaigns.total}>
      <ul>
        {campaigns.items.map(({ id, name, status, startedAt }) => (
          <Record
            key={id}
            to={`/w/${workspace}/campaigns/${id}`}
            name={name}
            note={startedAt && <DateOf at={startedAt} />}
            badge={<Badge tone={status === 'failed' ? 'bad' : 'plain'}>{t(`campaign.${status}`)}</Badge>}
          />
        ))}
      </ul>
    </Fold>
  )
}

const Score = ({ score }: { score: number }) => (
  <Badge tone={score >= 4 ? 'good' : score === 3 ? 'plain' : 'bad'}>{t('review.score', { score })}</Badge>
)

function Reviews({ overview: { reviews, ratings = [] }, workspace, level }: PartProps) {
  const rows = reviews?.items ?? []
  if (rows.length + ratings.length === 0) return null
  return (
    <Fold part="reviews" title={t('reviews')} level={level}>
      <ul>
        {rows.map(({ id, subjectLabel, comment, rating }) => (
          <Record
            key={id}
            to={`/w/${workspace}/reviews`}
            name={subjectLabel}
            note={comment}
            badge={<Score score={rating} />}
          />
        ))}
        {ratings.map(({ conversationId, score, ratedAt }) => (
          <Record
            key={conversationId}
            to={`/w/${workspace}/inbox/${conversationId}`}
            name={t('review.chat')}
            note={<DateOf at={ratedAt} />}
            badge={<Score score={score} />}
          />
        ))}
      </ul>
    </Fold>
  )
}

type Props = {
  contact: Contact
  workspace: string
  mayWrite: boolean
  level: Level
  /** The chat beside the panel, which is left out of the chats. */
  chatId?: string
  /** True if the page has its own part for the lead and its tasks. */
  hasOwnSales?: boolean
}

export function CustomerOverview({ contact, workspace, mayWrite, level, chatId, hasOwnSales }: Props) {
  const { data: overview, error, isPending, refetch } = useQuery(overviewQuery(contact.id))
  useLiveOverview(contact.id)
  if (isPending) return <SkeletonRows rows={3} />
  if (!overview) return <Failed error={error} onRetry={() => void refetch()} />
  const part = { overview, workspace, level }
  return (
    <div data-overview>
      {!hasOwnSales && overview.lead !== undefined && (
        <Sales {...part} contact={contact} mayWrite={mayWrite} />
      )}
      <Running {...part} />
      <Bookings {...part} />
      <Invoices {...part} />
      <Orders {...part} />
      <Payments {...part} />
      <Chats {...part} {...(chatId !== undefined && { chatId })} />
      <Campaigns {...part} />
      <Reviews {...part} />
    </div>
  )
}
