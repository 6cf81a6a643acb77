/** Sends review requests: manual ones immediately, others when they are due. */

import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { actingAs } from '../../../../core/source.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { readLanguages } from '../../../messaging/contacts/operations/customer-language.ts'
import {
  askCustomers,
  type Fallback,
  type Filled,
  findReachable,
  findTemplate,
  type Template,
} from '../../../messaging/messages/sending/operations/ask-customer.ts'
import { logUnsent } from '../../../messaging/messages/sending/operations/record-unsent.ts'
import { isOn } from '../gates.ts'
import {
  deleteQueued,
  findRequestOf,
  insertRequest,
  listAskedSince,
  listDue,
  type RequestRow,
  updateFailed,
  updateSent,
} from '../queries/requests.ts'
import { MAX_RATING, MIN_RATING, type NewReviewRequest, type ReviewSettings } from '../schema.ts'
import { readSettings } from './settings.ts'
import { getSubject, labelsOf, questionIn } from './subjects.ts'

/** The time in which a request can be answered. */
const OPEN_MS = 30 * DAY_MS
/** The source of background work that sends due requests. */
export const REVIEW_REQUESTS = 'review-requests'
const BATCH = 50
/** Needs no translation. */
const BUTTON = '★ 1–5'
const SCORES = Array.from({ length: MAX_RATING }, (_, i) => MAX_RATING - i)

/** The id of a row that a customer taps: `review:<id of the request>:5`. */
export const ROW = new RegExp(`^review:([0-9a-f-]{36}):([${MIN_RATING}-${MAX_RATING}])$`)
const rowsOf = (requestId: string) =>
  SCORES.map((score) => ({
    id: `review:${requestId}:${score}`,
    title: `${score} ${'★'.repeat(score)}${'☆'.repeat(MAX_RATING - score)}`,
  }))

type ReviewQuestion = Pick<RequestRow, 'id' | 'about' | 'subjectId' | 'subjectLabel'> & {
  contactId: string
  publicToken: string
}

type Button = { type?: string; url?: string }
type Component = { type?: string; buttons?: Button[] }

/** Fills a button whose address ends in a placeholder with the path of the page. */
export function filledFor({ components }: Pick<Template, 'components'>, token: string): Filled {
  const buttons = (components as Component[]).find(({ type }) => type === 'BUTTONS')?.buttons ?? []
  const index = buttons.findIndex(({ type, url }) => type === 'URL' && url?.includes('{{1}}'))
  return index < 0 ? {} : { buttons: [{ index, urlSuffix: token }] }
}

async function sendQuestions(
  ctx: Context,
  requests: ReviewQuestion[],
  settings: ReviewSettings,
): Promise<(string | Refusal)[]> {
  const [template, reachable] = await Promise.all([
    findTemplate(ctx, settings.templateId),
    findReachable(
      ctx,
      requests.map((request) => request.contactId),
    ),
  ])
  const fallback: Fallback | undefined = template && {
    template,
    fill: (request, i) => filledFor(request, requests[i]!.publicToken),
  }
  const labels = await labelsOf(ctx, requests)
  const languageOf = await readLanguages(
    ctx,
    requests.map(({ contactId }) => contactId),
  )
  return askCustomers(
    actingAs(ctx, { kind: 'review', id: null, name: null }),
    requests.map(({ id, contactId }) => ({
      contactId,
      ...(reachable.get(contactId) ?? { windowExpiresAt: null }),
      text: `${labels.get(id)}\n${questionIn(settings, languageOf(contactId))}`,
      rows: rowsOf(id),
      button: BUTTON,
    })),
    fallback,
  )
}

/** Sends a manual review request immediately; each subject has at most one. */
export async function requestReview(ctx: Context, body: NewReviewRequest): Promise<RequestRow> {
  const { about, via } = body
  const subjectId = body.subjectId.toLowerCase()
  await lockInWorkspace(ctx.tx, ctx.workspace.id, `review ${about} ${subjectId}`)
  const subject = await getSubject(ctx, about, subjectId)
  const existing = await findRequestOf(ctx, about, subjectId)
  if (existing && existing.status !== 'queued')
    refuse('conflict', `${subject.label} already has the review request ${existing.id}.`)
  // A planned request is sent now instead.
  if (existing) await deleteQueued(ctx, [existing.id])
  const { label: subjectLabel, contactId, customerName } = subject
  const request = { id: newId(), about, subjectId, subjectLabel, contactId, customerName, via }
  touch(ctx, { review: request.id })
  const publicToken = newLinkToken()
  const messageId = via === 'link' ? null : await askNow(ctx, { ...request, publicToken })
  const insertedRow = await insertRequest(ctx, {
    ...request,
    status: 'sent',
    messageId,
    publicToken,
    runAt: null,
    runOffsetMs: null,
    sentAt: ctx.now,
    expiresAt: later(ctx.now, OPEN_MS),
  })
  return insertedRow ?? refuse('conflict', `${subjectLabel} already has a review request from a moment ago.`)
}

async function askNow(
  ctx: Context,
  { contactId, ...request }: Omit<ReviewQuestion, 'contactId'> & { contactId: string | null },
): Promise<string> {
  if (contactId === null)
    return refuse(
      'conflict',
      `${request.subjectLabel} has no contact. Use via link, and send the link yourself.`,
    )
  const [sent] = await sendQuestions(ctx, [{ ...request, contactId }], await readSettings(ctx))
  if (sent instanceof Refusal) throw sent
  return sent!
}

/**
 * Sends due requests and records them in the same transaction, so that a crash sends none twice. Returns how
 * many were due.
 */
export async function askDueReviews(ctx: Context, due: DueMoment): Promise<number> {
  // Locks other processes out, because the same requests are due for all of them.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, REVIEW_REQUESTS)
  const rows = await listDue(ctx, due, BATCH)
  if (rows.length === 0) return 0
  const settings = await readSettings(ctx)
  const [toSend, droppedIds] = await sorted(ctx, rows, settings)
  const outcomes = await sendQuestions(ctx, toSend, settings)
  const sent: { id: string; messageId: string; expiresAt: Date }[] = []
  const failures: { id: string; failure: string }[] = []
  for (const [i, { id }] of toSend.entries()) {
    const outcome = outcomes[i]!
    if (!(outcome instanceof Refusal))
      sent.push({ id, messageId: outcome, expiresAt: later(ctx.now, OPEN_MS) })
    else {
      failures.push({ id, failure: outcome.message })
      logUnsent(ctx, { contactId: toSend[i]!.contactId, subject: 'The review request', why: outcome })
    }
  }
  touch(ctx, { review: rows.map(({ id }) => id) })
  await Promise.all([updateSent(ctx, sent), updateFailed(ctx, failures), deleteQueued(ctx, droppedIds)])
  return rows.length
}

/**
 * Splits due requests: customers to ask, each once, and requests to drop because the module is off or the
 * customer was asked recently.
 */
async function sorted<Row extends ReviewQuestion>(
  ctx: Context,
  rows: Row[],
  { everyDays }: ReviewSettings,
): Promise<[Row[], string[]]> {
  const recentlyAsked = await listAskedSince(
    ctx,
    rows.map((row) => row.contactId),
    later(ctx.now, -everyDays * DAY_MS),
  )
  const toSend: Row[] = []
  const droppedIds: string[] = []
  for (const row of rows) {
    if (!isOn(ctx.workspace) || (everyDays > 0 && recentlyAsked.has(row.contactId))) droppedIds.push(row.id)
    else toSend.push(row)
    recentlyAsked.add(row.contactId)
  }
  return [toSend, droppedIds]
}
