/** Contacts that receipts name. They are locked and written before the messages of the receipts. */
import type { Context, Unit } from '../../../../../core/context.ts'
import type { Receipt } from '../../../../../operator/port.ts'
import { type ConsentWord, recordConsent } from '../../../contacts/operations/consent.ts'
import { fillIdentities } from '../../../contacts/operations/fill-identities.ts'
import { listRecipients } from '../queries/receipts.ts'
import { type AppliedReceipt, type ReceiptItem, receiptKeyOf } from './judge-receipts.ts'

/** Records the customer data in receipts. */
export async function recordRecipients(
  unit: Unit,
  items: { ctx: Context; receipt: Receipt }[],
): Promise<void> {
  const named = items.filter(({ receipt }) => receipt.customer !== null)
  if (named.length === 0) return
  const recipients = await listRecipients(unit, named.map(receiptKeyOf))
  await fillIdentities(
    unit,
    recipients.map(({ place, contactId }) => {
      const { ctx, receipt } = named[place - 1]!
      return { ctx, contactId, customer: receipt.customer! }
    }),
  )
}

/** The customer stopped marketing messages. */
const STOPPED = 131050

const stopOf = ({ ctx, receipt }: ReceiptItem, contactId: string): ConsentWord => ({
  ctx,
  contactId,
  word: 'opted_out',
  source: 'user_preferences',
  at: receipt.at,
})

/** Returns the stops that failures report. */
export const stopsOf = (failures: AppliedReceipt[]): ConsentWord[] =>
  failures
    .filter(({ row }) => row.error?.code === STOPPED)
    .map((failure) => stopOf(failure, failure.row.contactId))

/** Records the stops in failures, before the failures are applied. */
export async function recordStops(unit: Unit, items: ReceiptItem[]): Promise<void> {
  const stops = items.filter(({ receipt }) => receipt.errors[0]?.code === STOPPED)
  if (stops.length === 0) return
  const recipients = await listRecipients(unit, stops.map(receiptKeyOf))
  await recordConsent(
    unit,
    recipients.map(({ place, contactId }) => stopOf(stops[place - 1]!, contactId)),
  )
}
