/**
 * Applies the operator's reports for many workspaces in one transaction, in the lock order of all operations:
 * contacts, conversations, messages. Each fact counts once, regardless of the number and order of its
 * reports.
 */
import type { Context, Unit } from '../../../../../core/context.ts'
import { applyNumberNews } from '../../../../platform/workspaces/operations/apply-number-reports.ts'
import {
  noteNumberFacts,
  SHARED_THROUGHPUT,
} from '../../../../platform/workspaces/operations/number-state.ts'
import { applyAddressBook } from '../../../contacts/operations/address-book.ts'
import { recordConsent } from '../../../contacts/operations/consent.ts'
import { applyIdentityChanges } from '../../../contacts/operations/identity-changes.ts'
import { applyTemplateReports } from '../../../templates/operations/apply-reports.ts'
import { holdAllowances } from '../../sending/operations/hold-allowances.ts'
import { applyCalls } from './apply-calls.ts'
import { applyChanges } from './apply-changes.ts'
import { applyHistory, type PastFileUpdate } from './apply-history.ts'
import { storeMessages } from './apply-inbound.ts'
import { applyReceipts } from './apply-receipts.ts'
import { numberTroubles, recordTemplateFaults } from './failed-receipts.ts'
import { offerMessages, type Taker } from './offer-messages.ts'
import { placePeople } from './place-people.ts'
import { recordRecipients, stopsOf } from './recipients.ts'
import { ofKinds, type ReceiptUpdate, type UpdateItem } from './update-items.ts'

/**
 * Reports without effect: failures after arrival, receipts of unknown messages, and files of messages of the
 * history that have not arrived.
 */
type Ineffective = { ignored: ReceiptUpdate[]; unknown: ReceiptUpdate[]; files: PastFileUpdate[] }

/**
 * Applies reports, each kind in the given order, and offers customers' messages to `takers`. The caller holds
 * the workspaces' turns: an edit must find its message, and an advertisement's customer the answer. Returns
 * reports without effect.
 */
export async function applyUpdates(unit: Unit, items: UpdateItem[], takers: Taker[]): Promise<Ineffective> {
  const results: Ineffective[] = []
  for (const stretch of stretchesOf(items)) results.push(await applyStretch(unit, stretch, takers))
  return {
    ignored: results.flatMap(({ ignored }) => ignored),
    unknown: results.flatMap(({ unknown }) => unknown),
    files: results.flatMap(({ files }) => files),
  }
}

/** Divides a list before each change of a number or user id that follows messages under the old one. */
function stretchesOf(items: UpdateItem[]): UpdateItem[][] {
  const place = placeToPart(items)
  return place > 0 ? [items.slice(0, place), ...stretchesOf(items.slice(place))] : [items]
}

/** Returns the first change of a customer's number or user id that follows messages under the old one. */
const placeToPart = (items: UpdateItem[]): number =>
  items.findIndex(
    ({ ctx, report }, i) =>
      report.kind === 'identity' &&
      ofKinds(items.slice(0, i), 'inbound', 'echo', 'call', 'preference').some(
        (earlier) =>
          earlier.ctx.workspace.id === ctx.workspace.id &&
          ((report.from.phone !== null && earlier.report.phone === report.from.phone) ||
            (report.from.userId !== null && earlier.report.userId === report.from.userId)),
      ),
  )

async function applyStretch(unit: Unit, items: UpdateItem[], takers: Taker[]): Promise<Ineffective> {
  await holdAllowances(
    unit,
    ofKinds(items, 'inbound').map(({ ctx }) => ctx),
  )
  await applyIdentityChanges(
    unit,
    ofKinds(items, 'identity').map(({ ctx, report }) => ({ ctx, change: report })),
  )
  await applyAddressBook(
    unit,
    ofKinds(items, 'address_book').map(({ ctx, report }) => ({ ctx, entry: report })),
  )
  const files = await applyHistory(unit, items)
  const receipts = ofKinds(items, 'receipt').map((item) => ({ ...item, receipt: item.report }))
  await recordRecipients(unit, receipts)
  const { messages, calls, choices } = await placePeople(unit, items)
  const { words, offered } = await storeMessages(unit, messages)
  await applyCalls(unit, calls)
  await applyChanges(unit, ofKinds(items, 'change'), messages)
  const { failures, ignored, unknown } = await applyReceipts(unit, receipts)
  await recordConsent(unit, [...words, ...choices, ...stopsOf(failures)])
  await applyTemplateReports(
    unit,
    ofKinds(items, 'template_status', 'template_category', 'template_quality', 'template_components'),
  )
  await recordTemplateFaults(unit, failures)
  await applyNumberNews(unit, [...ofKinds(items, 'number'), ...numberTroubles(failures)])
  await recordSharedNumbers(unit, ofKinds(items, 'echo'))
  await offerMessages(unit, offered, takers)
  return { ignored, unknown, files }
}

/**
 * Marks numbers that are shared with the phone app, because the operator accepts fewer messages from them
 * (docs/formats.md section 12).
 */
const recordSharedNumbers = (unit: Unit, echoes: { ctx: Context; phoneNumberId: string }[]): Promise<void> =>
  noteNumberFacts(
    unit.tx.sql,
    echoes.map(({ ctx, phoneNumberId }) => ({
      workspaceId: ctx.workspace.id,
      phoneNumberId,
      quality: null,
      throughput: SHARED_THROUGHPUT,
      messagingLimit: null,
    })),
  )
