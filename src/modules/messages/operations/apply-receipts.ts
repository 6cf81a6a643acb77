/**
 * What the operator says of our messages (spec 3, FORMATS section 9). States have a rank and never
 * move backwards; each is announced at most once; a read without a delivered announces read alone;
 * a failure after delivery is ignored.
 */
import type { Context, Unit } from '../../../core/context.ts'
import { emit } from '../../../core/event.ts'
import type { Receipt } from '../../../operator/port.ts'
import { describeContacts } from '../../contacts/operations/find-contact.ts'
import { messageFailed, messageStatus } from '../events.ts'
import { listMessagesForReceipts, type MessageRow, updateDelivery } from '../queries.ts'

/** One receipt; ours about a message that the operator never took has no channel id. */
export type ReceiptItem = {
  ctx: Context
  receipt: Omit<Receipt, 'chanmid' | 'pricing'> & { chanmid: string | null; pricing?: Receipt['pricing'] }
}

type Told = ReceiptItem & { row: MessageRow }

const RANK: Record<string, number> = { queued: 0, sent: 1, delivered: 2, read: 3 }

/** Whether a message in `status` may move to what the receipt says. */
function moves(status: string, next: Receipt['status']): boolean {
  const rank = RANK[status]
  if (rank === undefined) return false
  return next === 'failed' ? rank < RANK.delivered! : RANK[next]! > rank
}

/** The message after the receipt. Times come with the receipt but never lie before the message. */
function moved(row: MessageRow, receipt: ReceiptItem['receipt']): MessageRow {
  const at = new Date(Math.max(receipt.at.getTime(), row.createdAt.getTime()))
  const next = { ...row, status: receipt.status, chanmid: row.chanmid ?? receipt.chanmid }
  if (receipt.status === 'sent') return { ...next, sentAt: at }
  if (receipt.status === 'delivered') return { ...next, sentAt: row.sentAt ?? at, deliveredAt: at }
  if (receipt.status === 'read')
    return { ...next, sentAt: row.sentAt ?? at, deliveredAt: row.deliveredAt ?? at, readAt: at }
  return { ...next, failedAt: at, error: receipt.errors[0] ?? null }
}

/** Applies receipts in the order given. Those that name no message of ours change nothing. */
export async function applyReceipts(unit: Unit, items: ReceiptItem[]): Promise<void> {
  if (items.length === 0) return
  const rows = await listMessagesForReceipts(
    unit,
    items.map(({ ctx, receipt }) => ({
      workspaceId: ctx.workspace.id,
      id: receipt.callbackData,
      chanmid: receipt.chanmid,
    })),
  )
  const byId = new Map(rows.map((row) => [`${row.workspaceId} ${row.id}`, row]))
  const byChanmid = new Map(
    rows.flatMap((row) => (row.chanmid === null ? [] : [[`${row.workspaceId} ${row.chanmid}`, row]])),
  )
  const changed = new Map<string, MessageRow>()
  const told: Told[] = []
  for (const { ctx, receipt } of items) {
    const known =
      byId.get(`${ctx.workspace.id} ${receipt.callbackData}`) ??
      byChanmid.get(`${ctx.workspace.id} ${receipt.chanmid}`)
    const row = known && (changed.get(known.id) ?? known)
    if (!row || !moves(row.status, receipt.status)) continue
    const next = moved(row, receipt)
    changed.set(row.id, next)
    told.push({ ctx, row: next, receipt })
  }
  if (changed.size === 0) return
  await updateDelivery(unit.tx, [...changed.values()])
  await announce(unit, told)
}

async function announce(unit: Unit, told: Told[]): Promise<void> {
  const failed = told.filter(({ row }) => row.status === 'failed')
  const contacts = await describeContacts(
    unit,
    failed.map(({ row }) => ({ workspaceId: row.workspaceId, contactId: row.contactId })),
  )
  for (const { ctx, row, receipt } of told) {
    const about = { contactId: row.contactId }
    const head = { messageId: row.id, chanmid: row.chanmid, conversationId: row.conversationId }
    emit(ctx, messageStatus, { ...head, status: receipt.status, errors: receipt.errors }, about)
    const contact = contacts.get(row.contactId)
    if (receipt.status !== 'failed' || !row.failedAt || !contact) continue
    const error = row.error
    emit(
      ctx,
      messageFailed,
      {
        ...head,
        contact,
        type: row.type,
        category: error?.category ?? 'unknown',
        errorCode: error?.code ?? 0,
        errorTitle: error?.title ?? 'Failed',
        errorMessage: error?.message ?? 'The operator gave no reason.',
        permanent: error?.permanent ?? false,
        retryable: error?.retryable ?? true,
        failedAt: row.failedAt.toISOString(),
      },
      about,
    )
  }
}
