/**
 * Receipts of our messages (spec 3, docs/formats.md section 9). Each state is announced at most once; a read
 * without a delivered announces only the read; a failure after delivery is ignored.
 */
import type { Unit } from '../../../../../core/context.ts'
import { emit } from '../../../../../core/event.ts'
import { UNEXPLAINED } from '../../../../../operator/error-classes.ts'
import { describeContacts } from '../../../contacts/operations/find-contact.ts'
import type { ContactInEvent } from '../../../contacts/schema.ts'
import { recordAnswers } from '../../../conversations/operations/free-entry.ts'
import { messageFailed, messageStatus } from '../../events.ts'
import { recordPriced } from '../../pricing/operations.ts'
import { listMessagesForReceipts, updateDelivery } from '../queries/receipts.ts'
import { type AppliedReceipt, judgeReceipts, type ReceiptItem, receiptKeyOf } from './judge-receipts.ts'

/**
 * Applies receipts in the given order; those of unknown messages change nothing. Returns new failures with
 * their messages, ignored failures of messages that had already arrived, and receipts of unknown messages.
 */
export async function applyReceipts<Item extends ReceiptItem>(
  unit: Unit,
  items: Item[],
): Promise<{ failures: AppliedReceipt[]; ignored: Item[]; unknown: Item[] }> {
  if (items.length === 0) return { failures: [], ignored: [], unknown: [] }
  const rows = await listMessagesForReceipts(unit, items.map(receiptKeyOf))
  const { changed, reported, answers, priced, ignored, unknown } = judgeReceipts(items, rows)
  if (changed.length === 0) return { failures: [], ignored, unknown }
  const failures = reported.filter(({ row }) => row.status === 'failed')
  const contacts = await describeContacts(
    unit,
    failures.map(({ row }) => ({ workspaceId: row.workspaceId, contactId: row.contactId })),
  )
  await Promise.all([updateDelivery(unit.tx, changed), recordPriced(unit, priced)])
  announce(reported, contacts)
  await recordAnswers(unit, answers)
  return { failures, ignored, unknown }
}

function announce(reported: AppliedReceipt[], contacts: Map<string, ContactInEvent>): void {
  for (const { ctx, row, receipt } of reported) {
    const about = { contactId: row.contactId }
    const head = { messageId: row.id, chanmid: row.chanmid, conversationId: row.conversationId }
    emit(ctx, messageStatus, { ...head, status: receipt.status, errors: receipt.errors }, about)
    const contact = contacts.get(row.contactId)
    if (receipt.status !== 'failed' || !row.failedAt || !contact) continue
    const error = row.error ?? UNEXPLAINED
    emit(
      ctx,
      messageFailed,
      {
        ...head,
        contact,
        type: row.type,
        category: error.category,
        errorCode: error.code,
        errorTitle: error.title,
        errorMessage: error.message,
        permanent: error.permanent,
        retryable: error.retryable,
        failedAt: row.failedAt.toISOString(),
      },
      about,
    )
  }
}
