/** Stores a customer's answer: the first one counts (spec 6.3 review.received). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { emit } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { findContact } from '../../../messaging/contacts/operations/find-contact.ts'
import { findMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import { captureLeads } from '../../crm/operations/capture-leads.ts'
import { holdLeadOf } from '../../crm/operations/received-money.ts'
import { createTask } from '../../crm/operations/tasks.ts'
import { addTimelineEntries } from '../../crm/operations/timeline-entries.ts'
import { NewLead } from '../../crm/schema.ts'
import { reviewReceived } from '../events.ts'
import { requireOn } from '../gates.ts'
import { findRequest, findRequestForUpdate, type RequestRow, updateAnswered } from '../queries/requests.ts'
import { insertReview, type ReviewRow } from '../queries/reviews.ts'
import { MAX_RATING, type ReviewSettings } from '../schema.ts'
import { isExpired } from './present.ts'
import { readSettings } from './settings.ts'

export type Answer = { rating: number; comment: string | null }

function refuseClosed(ctx: Context, request: RequestRow): void {
  if (request.status === 'answered') refuse('conflict', 'You have already answered this. Thank you.')
  if (request.status !== 'sent' || isExpired(request, ctx.now))
    refuse('conflict', 'This request has expired.')
}

const noRequest = (): never => refuse('not_found', 'Review request not found. See GET /review-requests.')

/**
 * Stores the answer to a request, emits its event, and creates a task for a low rating. Refuses with
 * `conflict` if the request is not open, and with `not_available` while the module is off: then no event is
 * emitted.
 */
export async function answerReview(ctx: Context, requestId: string, answer: Answer): Promise<ReviewRow> {
  requireOn(ctx.workspace)
  // The lock lets the second of two parallel answers see the first. Contacts and leads are locked before the
  // request, as in all operations.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, `review ${requestId}`)
  const unlocked = (await findRequest(ctx, requestId)) ?? noRequest()
  refuseClosed(ctx, unlocked)
  const settings = await readSettings(ctx)
  const isLow = answer.rating <= settings.alertAt
  const lead = await leadOf(ctx, unlocked, isLow)
  const request = (await findRequestForUpdate(ctx, requestId)) ?? noRequest()
  refuseClosed(ctx, request)
  const review = reviewOf(ctx, request, { ...answer, low: isLow })
  await insertReview(ctx, review)
  await updateAnswered(ctx, request.id)
  if (lead) await informTeam(ctx, review, lead.id, settings)
  announce(ctx, review)
  return review
}

const reviewOf = (ctx: Context, request: RequestRow, answer: Answer & { low: boolean }): ReviewRow => ({
  id: newId(),
  requestId: request.id,
  ...answer,
  about: request.about,
  subjectId: request.subjectId,
  subjectLabel: request.subjectLabel,
  contactId: request.contactId,
  customerName: request.customerName,
  answeredAt: ctx.now,
})

function announce(ctx: Context, row: ReviewRow): void {
  const { id, requestId: _, answeredAt, ...review } = row
  const data = { reviewId: id, ...review, answeredAt: answeredAt.toISOString() }
  emit(ctx, reviewReceived, data, { contactId: review.contactId })
}

/**
 * Returns the customer's lead. A dissatisfied customer without one gets one, because tasks belong to leads.
 */
async function leadOf(
  ctx: Context,
  { contactId, customerName }: RequestRow,
  isLow: boolean,
): Promise<{ id: string } | undefined> {
  const contact = contactId === null ? undefined : await findContact(ctx, contactId)
  if (!contact) return undefined
  const lead = await holdLeadOf(ctx, contact.id)
  if (lead || !isLow || !contact.phone.startsWith('+')) return lead
  const body = NewLead.parse({
    phone: contact.phone,
    source: 'review',
    ...(customerName ? { name: customerName } : {}),
  })
  const [capturedLead] = await captureLeads([{ ctx, body, via: 'integration', form: null }])
  return capturedLead instanceof Refusal ? undefined : capturedLead?.lead
}

/** Adds the rating to the lead's timeline; a low rating also creates a task due within a day. */
async function informTeam(
  ctx: Context,
  { id, rating, low, about, subjectLabel, contactId }: ReviewRow,
  leadId: string,
  { alertMemberId }: ReviewSettings,
): Promise<void> {
  const data = { reviewId: id, rating, about, subjectLabel }
  await addTimelineEntries(ctx, [{ leadId, kind: 'review_received', customerId: contactId, data }])
  if (!low) return
  const member = alertMemberId === null ? undefined : await findMember(ctx, alertMemberId)
  await createTask(ctx, {
    leadId,
    type: 'call',
    title: `${subjectLabel} was rated ${rating} of ${MAX_RATING}`.slice(0, 200),
    dueAt: later(ctx.now, DAY_MS),
    priority: 'high',
    assignee: member && !member.leftAt ? member.id : undefined,
  })
}
