/** Further facts in failed receipts: consent, template states, number states (docs/formats.md section 4). */
import type { Unit } from '../../../../../core/context.ts'
import type { NumberState, OperatorError } from '../../../../../operator/port.ts'
import { numberStateOf } from '../../../../../operator/refusals.ts'
import type { NumberNewsItem } from '../../../../platform/workspaces/operations/changed-numbers.ts'
import { type ConsentWord, recordConsent } from '../../../contacts/operations/consent.ts'
import { recordUnsendable, type Unsendable } from '../../../templates/operations/record-unsendable.ts'
import { listRecipients, listTemplatesOfMessages } from '../queries/receipts.ts'
import { type AppliedReceipt, type ReceiptItem, receiptKeyOf } from './apply-receipts.ts'

/** The customer stopped marketing messages. */
const STOPPED = 131050

const errorOf = ({ row }: AppliedReceipt): OperatorError | null => row.error

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
    .filter((failure) => errorOf(failure)?.code === STOPPED)
    .map((failure) => stopOf(failure, failure.row.contactId))

/**
 * Records the stops in failures before the failures are applied, because contacts are locked before messages.
 */
export async function recordStops(unit: Unit, items: ReceiptItem[]): Promise<void> {
  const stops = items.filter(({ receipt }) => receipt.errors[0]?.code === STOPPED)
  if (stops.length === 0) return
  const recipients = await listRecipients(unit, stops.map(receiptKeyOf))
  await recordConsent(
    unit,
    recipients.map(({ place, contactId }) => stopOf(stops[place - 1]!, contactId)),
  )
}

/** The template state that each error code reports. */
const TEMPLATE_STATES: Record<number, Unsendable['status']> = { 132015: 'paused', 132016: 'disabled' }

/** Records templates that failures report as paused or disabled; the next send checks this. */
export async function recordTemplateFaults(unit: Unit, failures: AppliedReceipt[]): Promise<void> {
  const troubles = failures.flatMap((failure) => {
    const status = TEMPLATE_STATES[errorOf(failure)?.code ?? 0]
    return status ? [{ ...failure, status }] : []
  })
  if (troubles.length === 0) return
  const named = await listTemplatesOfMessages(
    unit,
    troubles.map(({ row }) => row),
  )
  const byMessage = new Map(named.map(({ id, ...template }) => [id, template]))
  await recordUnsendable(
    unit,
    troubles.flatMap(({ ctx, row, receipt, status }) => {
      const template = byMessage.get(row.id)
      return template ? [{ ctx, ...template, status, at: receipt.at }] : []
    }),
  )
}

/** Returns the number state that a failure reports; a missing permission may concern only the message. */
const stateFromError = (error: OperatorError): NumberState | undefined =>
  error.category === 'auth' && error.permanent ? undefined : numberStateOf(error)

/** Returns the numbers that failures report as banned, blocked or disconnected. */
export const numberTroubles = (failures: AppliedReceipt[]): NumberNewsItem[] =>
  failures.flatMap((failure) => {
    const error = errorOf(failure)
    const state = error && stateFromError(error)
    if (!state) return []
    const news = { state, stateReason: error.message, stateCode: error.code }
    const { ctx, row, receipt } = failure
    return [
      {
        ctx,
        phoneNumberId: row.phoneNumberId,
        report: { number: null, accountId: '', news, at: receipt.at },
      },
    ]
  })
