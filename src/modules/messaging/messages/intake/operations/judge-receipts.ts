/**
 * Judges in memory how receipts change our messages (spec 3, docs/formats.md section 9). States have a rank and
 * never move backwards.
 */
import type { Context } from '../../../../../core/context.ts'
import { count } from '../../../../../core/count.ts'
import { isUuid } from '../../../../../core/ids.ts'
import type { Receipt } from '../../../../../operator/port.ts'
import type { Answer } from '../../../conversations/operations/free-entry.ts'
import type { PricedMessage } from '../../pricing/operations.ts'
import { faultOf, hasReport, lineOf, storedLine } from '../../trace-lines.ts'
import { hasOpenCall, type TraceLine } from '../../trace-schema.ts'
import type { DeliveryRow, ReceiptKey } from '../queries/receipts.ts'

/** A receipt. A receipt from Parley, about a message that the operator never accepted, has no channel id. */
export type ReceiptItem = {
  ctx: Context
  receipt: Omit<Receipt, 'chanmid' | 'pricing' | 'recipient' | 'customer'> & {
    chanmid: string | null
    pricing?: Receipt['pricing']
    recipient?: Receipt['recipient']
  }
  /** The line of the call that Parley's own receipt follows from, in real time. */
  step?: string | undefined
}

/** A receipt that changed the state, with its message after that change. */
export type AppliedReceipt = ReceiptItem & { row: DeliveryRow }

/** Returns the key of the message that a receipt names. */
export const receiptKeyOf = ({ ctx, receipt }: ReceiptItem): ReceiptKey => ({
  workspaceId: ctx.workspace.id,
  // Other senders that use the number may have their own callback data.
  id: receipt.callbackData !== null && isUuid(receipt.callbackData) ? receipt.callbackData : null,
  chanmid: receipt.chanmid,
})

const RANK: Record<string, number> = { queued: 0, sent: 1, delivered: 2, read: 3 }

/** Returns whether a message in `status` may move to the state of the receipt. */
function isForward(status: string, next: Receipt['status']): boolean {
  const rank = RANK[status]
  if (rank === undefined) return false
  return next === 'failed' ? rank < RANK.delivered! : RANK[next]! > rank
}

/** Returns whether the receipt reports a failure of a message that has already arrived. */
const isLateFailure = (status: string, next: Receipt['status']): boolean =>
  next === 'failed' && RANK[status] !== undefined && !isForward(status, next)

/**
 * Returns whether the receipt is about a state that the message has passed, so that its time is still
 * recorded.
 */
function isImplied(status: string, reported: Receipt['status']): boolean {
  if (status === 'failed') return reported === 'sent'
  return reported !== 'failed' && RANK[status] !== undefined
}

const earlier = (current: Date | null, time: Date): Date =>
  current !== null && current <= time ? current : time

/**
 * Returns the message with the receipt's data, whether or not its state changes. Each time comes from the
 * earliest receipt that implies the state, so that the order of receipts doesn't matter. Times are never
 * before the message's creation.
 */
function filled(row: DeliveryRow, receipt: ReceiptItem['receipt']): DeliveryRow {
  const time = new Date(Math.max(receipt.at.getTime(), row.createdAt.getTime()))
  const pricing = row.pricing ?? receipt.pricing ?? null
  const next = { ...row, chanmid: row.chanmid ?? receipt.chanmid, pricing }
  if (receipt.status === 'failed') return { ...next, failedAt: time, error: receipt.errors[0] ?? null }
  const rank = RANK[receipt.status]!
  return {
    ...next,
    sentAt: earlier(row.sentAt, time),
    deliveredAt: rank >= 2 ? earlier(row.deliveredAt, time) : row.deliveredAt,
    readAt: rank >= 3 ? earlier(row.readAt, time) : row.readAt,
  }
}

/** Returns the template of a message for its results, which belong to the day of sending. */
function templateOf(
  { templateName, templateLanguage, sentAt, createdAt, error }: DeliveryRow,
  failed: boolean,
) {
  if (templateName === null || templateLanguage === null) return null
  return {
    name: templateName,
    language: templateLanguage,
    sentAt: sentAt ?? createdAt,
    cause: failed ? (error?.code ?? null) : null,
  }
}

/**
 * Counts the states that a receipt reports for the first time. A message that was read counts as delivered,
 * even without a report of that.
 */
function countProgress(ctx: Context, before: DeliveryRow, after: DeliveryRow): void {
  const times = [
    ['sent', before.sentAt, after.sentAt],
    ['delivered', before.deliveredAt, after.deliveredAt],
    ['read', before.readAt, after.readAt],
    ['failed', before.failedAt, after.failedAt],
  ] as const
  const { id: messageId, phoneNumberId, type, broadcastId } = after
  for (const [counted, timeBefore, time] of times)
    if (timeBefore === null && time !== null)
      count(ctx, counted, {
        phoneNumberId,
        type,
        broadcastId,
        messageId,
        at: time,
        template: templateOf(after, counted === 'failed'),
      })
}

/**
 * Returns the message with the lines of its trace for the receipt: the call without a recorded answer, Parley's own call, and
 * the first report of a state, in the order of arrival. Repeated reports add nothing. `news`: the state of the message changes.
 */
function traced({ ctx, receipt, step }: ReceiptItem, row: DeliveryRow, news: boolean): DeliveryRow {
  const { clockOffsetMs } = ctx.workspace
  const [first] = receipt.errors
  const error = first && faultOf(first)
  const at = ctx.now.getTime()
  const isOwn = receipt.chanmid === null
  const line: TraceLine | undefined = isOwn
    ? news
      ? { ended: 'failed', at, error }
      : undefined
    : hasReport((row.trace ?? '') + (row.added ?? ''), receipt.status)
      ? undefined
      : { report: receipt.status, at, own: receipt.at.getTime(), error }
  const lines = step === undefined ? [] : [storedLine(step, clockOffsetMs)]
  if (line && step === undefined && row.leasedUntil !== null && !hasOpenCall(row.trace ?? ''))
    lines.push(storedLine(lineOf({ open: row.leasedUntil.getTime() }), clockOffsetMs))
  if (line) lines.push(storedLine(lineOf(line)))
  return lines.length === 0 ? row : { ...row, leasedUntil: null, added: (row.added ?? '') + lines.join('') }
}

/** Returns the charge of a message that has arrived, once both its price and its arrival are known. */
const chargeOf = ({ deliveredAt, pricing }: DeliveryRow) => (deliveredAt === null ? null : pricing)

const isSame = (a: DeliveryRow, b: DeliveryRow): boolean =>
  a.chanmid === b.chanmid &&
  a.pricing === b.pricing &&
  a.sentAt?.getTime() === b.sentAt?.getTime() &&
  a.deliveredAt?.getTime() === b.deliveredAt?.getTime() &&
  a.readAt?.getTime() === b.readAt?.getTime()

/** The changed messages, and the facts that receipts report for the first time. */
type Judged<Item> = {
  changed: DeliveryRow[]
  reported: AppliedReceipt[]
  answers: Answer[]
  priced: PricedMessage[]
  /** Failures of messages that had already arrived. */
  ignored: Item[]
  /** Receipts of unknown messages. */
  unknown: Item[]
}

/** Judges receipts in the given order against the stored messages, and counts their progress. */
export function judgeReceipts<Item extends ReceiptItem>(items: Item[], rows: DeliveryRow[]): Judged<Item> {
  const byId = new Map(rows.map((row) => [`${row.workspaceId} ${row.id}`, row]))
  const byChanmid = new Map(
    rows.flatMap((row) => (row.chanmid === null ? [] : [[`${row.workspaceId} ${row.chanmid}`, row]])),
  )
  const changed = new Map<string, DeliveryRow>()
  const judged: Omit<Judged<Item>, 'changed'> = {
    reported: [],
    answers: [],
    priced: [],
    ignored: [],
    unknown: [],
  }
  for (const item of items) {
    const { ctx, receipt } = item
    const stored =
      byId.get(`${ctx.workspace.id} ${receipt.callbackData}`) ??
      byChanmid.get(`${ctx.workspace.id} ${receipt.chanmid}`)
    const row = stored && (changed.get(stored.id) ?? stored)
    if (!row) judged.unknown.push(item)
    if (!row) continue
    const news = isForward(row.status, receipt.status)
    if (isLateFailure(row.status, receipt.status)) judged.ignored.push(item)
    const known = traced(item, row, news)
    if (known !== row) changed.set(row.id, known)
    if (!news && !isImplied(row.status, receipt.status)) continue
    const next = filled(known, receipt)
    if (!news && isSame(row, next)) continue
    countProgress(ctx, row, next)
    const charge = chargeOf(row) === null ? chargeOf(next) : null
    if (charge !== null) judged.priced.push({ ctx, pricing: charge, recipient: receipt.recipient ?? null })
    changed.set(row.id, news ? { ...next, status: receipt.status } : next)
    if (news) judged.reported.push({ ctx, row: changed.get(row.id)!, receipt })
    const { workspaceId, conversationId, sentAt } = next
    if (sentAt !== null && sentAt !== row.sentAt) judged.answers.push({ workspaceId, conversationId, sentAt })
  }
  return { ...judged, changed: [...changed.values()] }
}
