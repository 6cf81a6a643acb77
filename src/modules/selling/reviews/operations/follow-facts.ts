/**
 * Follows events of other modules that concern reviews: a payment, a completed subject, their reversal, or a
 * tapped row.
 */
import { type Clock, HOUR_MS, later, realTime } from '../../../../core/clock.ts'
import { type Context, platformContext, type Unit, type Workspace, wake } from '../../../../core/context.ts'
import { runOffsetOf } from '../../../../core/due.ts'
import type { PendingEvent } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { isOn } from '../gates.ts'
import { takeReviewAnswer } from '../jobs.ts'
import { deleteQueuedOf, insertRequest } from '../queries/requests.ts'
import type { About, ReviewSettings } from '../schema.ts'
import { REVIEW_REQUESTS, ROW } from './send-review-requests.ts'
import { readSettings } from './settings.ts'

type Fact =
  | {
      kind: 'done'
      about: About
      subjectId: string
      label: string
      customer: { contactId: string | null; name: string | null }
    }
  | { kind: 'undone'; about: About; subjectId: string }
  | { kind: 'tap'; requestId: string; contactId: string; rating: number }

type Invoice = {
  id: string
  kind: string
  number: string
  status: string
  customer: { contactId: string | null; name: string | null }
}
type Booking = { id: string; summary: string; customer: { contactId: string | null; name: string | null } }
type Message = { contact: { id: string }; type: string; content: { list_reply?: { id?: unknown } } }

const ofInvoice = (data: unknown): Fact[] => {
  const { id: subjectId, kind, number: label, status, customer } = (data as { invoice: Invoice }).invoice
  if (kind !== 'invoice') return []
  const place = { about: 'invoice' as const, subjectId }
  return [status === 'paid' ? { kind: 'done', ...place, label, customer } : { kind: 'undone', ...place }]
}

const ofBooking = (
  data: unknown,
): { about: 'booking'; subjectId: string; label: string; customer: Booking['customer'] } => {
  const { id: subjectId, summary: label, customer } = (data as { booking: Booking }).booking
  return { about: 'booking', subjectId, label, customer }
}

/** Returns the facts in each event, by its name. */
const READERS: Record<string, (data: unknown) => Fact[]> = {
  'invoice.paid': ofInvoice,
  'invoice.payment_voided': ofInvoice,
  // An invoice revised to a higher total is no longer paid; for one that is still paid, the request was
  // planned when it was paid.
  'invoice.updated': (data) => ofInvoice(data).filter(({ kind }) => kind === 'undone'),
  'invoice.cancelled': ofInvoice,
  'booking.completed': (data) => [{ kind: 'done', ...ofBooking(data) }],
  'booking.restored': (data) => [{ kind: 'undone', ...ofBooking(data) }],
  'message.received': (data) => {
    const { contact, type, content } = data as Message
    const id = type === 'interactive' ? content.list_reply?.id : undefined
    const found = typeof id === 'string' ? ROW.exec(id) : null
    return found
      ? [{ kind: 'tap', requestId: found[1]!, contactId: contact.id, rating: Number(found[2]) }]
      : []
  },
}

const factsIn = ({ name, data, workspaceId, madeUp }: PendingEvent) =>
  madeUp ? [] : (READERS[name]?.(data) ?? []).map((fact) => ({ workspaceId, fact }))

type Options = { clock: Clock; workspaces(unit: Unit, ids: string[]): Promise<Workspace[]> }

/**
 * Follows the events of a transaction before it commits, and writes the planned requests with them.
 * Undefined, without any query, if none of them concerns reviews.
 */
export const reviewFollower =
  ({ clock, workspaces }: Options) =>
  (unit: Unit): Promise<void> | undefined => {
    const facts = unit.outbox.flatMap(factsIn)
    return facts.length === 0 ? undefined : followFacts(unit, facts, { clock, workspaces })
  }

async function followFacts(
  unit: Unit,
  facts: { workspaceId: string; fact: Fact }[],
  { clock, workspaces }: Options,
): Promise<void> {
  const byWorkspace = Map.groupBy(facts, ({ workspaceId }) => workspaceId)
  for (const workspace of await workspaces(unit, [...byWorkspace.keys()])) {
    const ctx = platformContext(unit, workspace, clock)
    const settings = isOn(workspace) ? await readSettings(ctx) : undefined
    for (const { fact } of byWorkspace.get(workspace.id)!) await follow(ctx, fact, settings)
  }
}

async function follow(ctx: Context, fact: Fact, settings: ReviewSettings | undefined): Promise<void> {
  if (fact.kind === 'undone') {
    await deleteQueuedOf(ctx, fact.about, fact.subjectId)
    return
  }
  if (!settings) return
  if (fact.kind === 'done') {
    await plan(ctx, fact, settings)
    return
  }
  const { requestId, contactId, rating } = fact
  await enqueue(ctx, takeReviewAnswer, { requestId, contactId, rating })
}

/** Plans a request if automatic requests are turned on and the contact is known. */
async function plan(
  ctx: Context,
  { about, subjectId, label, customer }: Extract<Fact, { kind: 'done' }>,
  settings: ReviewSettings,
): Promise<void> {
  const hours = about === 'invoice' ? settings.afterInvoicePaidHours : settings.afterBookingHours
  if (hours === null || customer.contactId === null) return
  await insertRequest(ctx, {
    id: newId(),
    about,
    subjectId,
    subjectLabel: label,
    contactId: customer.contactId,
    customerName: customer.name,
    via: 'chat',
    status: 'queued',
    messageId: null,
    publicToken: newLinkToken(),
    runAt: realTime(later(ctx.now, hours * HOUR_MS), ctx.workspace),
    runOffsetMs: runOffsetOf(ctx.workspace),
    sentAt: null,
    expiresAt: null,
  })
  wake(ctx, REVIEW_REQUESTS)
}
