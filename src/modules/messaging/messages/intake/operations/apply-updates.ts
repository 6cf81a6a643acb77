/**
 * Applies the operator's reports for many workspaces in one transaction, in the lock order of all operations:
 * contacts, conversations, messages. Each fact counts once, regardless of the number and order of its
 * reports.
 */
import type { Context, Unit } from '../../../../../core/context.ts'
import type {
  CallReport,
  EchoedMessage,
  InboundMessage,
  Preference,
  Report,
} from '../../../../../operator/port.ts'
import { applyNumberNews } from '../../../../platform/workspaces/operations/number-news.ts'
import {
  noteNumberFacts,
  SHARED_THROUGHPUT,
} from '../../../../platform/workspaces/operations/number-state.ts'
import { type ConsentWord, recordConsent } from '../../../contacts/operations/consent.ts'
import { applyIdentityChanges } from '../../../contacts/operations/identity-changes.ts'
import { upsertInboundContacts } from '../../../contacts/operations/inbound-contacts.ts'
import type { Sender } from '../../../contacts/operations/judge-senders.ts'
import { contactInEvent } from '../../../contacts/schema.ts'
import { type InboundNote, recordInbound } from '../../../conversations/operations/record-inbound.ts'
import { applyTemplateReports } from '../../../templates/operations/apply-reports.ts'
import { holdAllowances } from '../../sending/operations/hold-allowances.ts'
import { applyCalls } from './apply-calls.ts'
import { applyChanges } from './apply-changes.ts'
import { dropStored, storeWritten, type WrittenItem } from './apply-inbound.ts'
import { applyReceipts, recordRecipients } from './apply-receipts.ts'
import { numberTroubles, recordTemplateFaults, stopsOf } from './failed-receipts.ts'
import { type Offered, offerMessages, type Taker } from './offer-messages.ts'

/** A report; a message in it takes `id`, which was assigned at intake. */
export type UpdateItem<Kind extends Report = Report> = {
  ctx: Context
  id: string
  phoneNumberId: string
  report: Kind
}

type Reported<Kinds extends Report['kind']> = UpdateItem<Extract<Report, { kind: Kinds }>>
export type ReceiptUpdate = Reported<'receipt'>

const ofKinds = <Kinds extends Report['kind']>(items: UpdateItem[], ...kinds: Kinds[]): Reported<Kinds>[] =>
  items.filter((item): item is Reported<Kinds> => (kinds as string[]).includes(item.report.kind))

type FromCustomer = InboundMessage | CallReport | Preference

/**
 * Returns where to split a list: a change of a customer's number or user id must be applied after the
 * messages under the old one.
 */
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

/** Returns the customer who wrote, called or chose, with the details for their contact. */
function senderOf({ ctx, report }: { ctx: Context; report: FromCustomer | EchoedMessage }): Sender {
  const { phone, userId, username, profileName, kind } = report
  const about = { ctx, phone, userId, username, profileName }
  if (kind === 'echo') return { ...about, at: null, source: 'smb_echo' }
  if (kind === 'preference') return { ...about, at: null, source: 'user_preferences' }
  // A customer who calls is treated like a customer who writes.
  return { ...about, at: report.at, source: 'inbound_message' }
}

/** Returns the change that a message or a call makes to its conversation. */
function toNote({
  report,
}: {
  report: InboundMessage | EchoedMessage | CallReport
}): Pick<InboundNote, 'kind' | 'referred'> {
  if (report.kind !== 'inbound') return { kind: report.kind }
  return report.type === 'reaction' ? { kind: 'reaction' } : { kind: 'message', referred: report.referred }
}

/**
 * Applies reports, each kind in the given order, and offers customers' messages to `takers`. The caller holds
 * the workspaces' turns: an edit must find its message, and an advertisement's customer the answer. Returns
 * receipts without effect: failures after arrival, and receipts of unknown messages.
 */
export async function applyUpdates(
  unit: Unit,
  items: UpdateItem[],
  takers: Taker[],
): Promise<{ ignored: ReceiptUpdate[]; unknown: ReceiptUpdate[] }> {
  const place = placeToPart(items)
  if (place > 0) {
    const first = await applyUpdates(unit, items.slice(0, place), takers)
    const second = await applyUpdates(unit, items.slice(place), takers)
    return {
      ignored: [...first.ignored, ...second.ignored],
      unknown: [...first.unknown, ...second.unknown],
    }
  }
  await holdAllowances(
    unit,
    ofKinds(items, 'inbound').map(({ ctx }) => ctx),
  )
  await applyIdentityChanges(
    unit,
    ofKinds(items, 'identity').map(({ ctx, report }) => ({ ctx, change: report })),
  )
  const receipts = ofKinds(items, 'receipt').map((item) => ({ ...item, receipt: item.report }))
  await recordRecipients(unit, receipts)
  const { words, offered, fresh } = await applyPeople(unit, items)
  await applyChanges(
    unit,
    ofKinds(items, 'change').map(({ ctx, report }) => ({ ctx, change: report })),
    fresh,
  )
  const { failures, ignored, unknown } = await applyReceipts(unit, receipts)
  await recordConsent(unit, [...words, ...stopsOf(failures)])
  await applyTemplateReports(
    unit,
    ofKinds(items, 'template_status', 'template_category', 'template_quality', 'template_components'),
  )
  await recordTemplateFaults(unit, failures)
  await applyNumberNews(unit, [...ofKinds(items, 'number'), ...numberTroubles(failures)])
  await recordSharedNumbers(unit, ofKinds(items, 'echo'))
  await offerMessages(unit, offered, takers)
  return { ignored, unknown }
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

type Written = Reported<'inbound' | 'echo'> & WrittenItem
type Applied = { words: ConsentWord[]; offered: Offered[]; fresh: { workspaceId: string; chanmid: string }[] }

/**
 * Applies messages, calls and choices of customers, and messages typed in the phone app: contacts first, then
 * conversations, then messages.
 */
async function applyPeople(unit: Unit, items: UpdateItem[]): Promise<Applied> {
  const written = await dropStored(
    unit,
    ofKinds(items, 'inbound', 'echo').map((item): Written => ({ ...item, message: item.report })),
  )
  const calls = ofKinds(items, 'call')
  const preferences = ofKinds(items, 'preference')
  const reported = [...written, ...calls, ...preferences]
  if (reported.length === 0) return { words: [], offered: [], fresh: [] }
  const upserted = await upsertInboundContacts(unit, reported.map(senderOf))
  const contacts = upserted.map(({ contact }) => contactInEvent(contact))
  const optedOut = new Set(
    upserted.flatMap(({ contact }) => (contact.optInStatus === 'opted_out' ? [contact.id] : [])),
  )
  // A concurrent report of the same messages held the locks of the contacts until now.
  const newIds = new Set((await dropStored(unit, written)).map(({ id }) => id))
  const contactItems = [...written, ...calls]
    .map((item, i) => ({ ...item, contact: contacts[i]! }))
    .filter(({ id, report }) => report.kind === 'call' || newIds.has(id))
  const chats =
    contactItems.length === 0
      ? []
      : await recordInbound(
          unit,
          contactItems.map((item) => ({ ...item, at: item.report.at, ...toNote(item) })),
        )
  const placed = contactItems.map((item, i) => ({
    ...item,
    conversationId: chats[i]?.id,
    previousInboundAt: chats[i]?.previousInboundAt ?? null,
    hadOptedOut: optedOut.has(item.contact.id),
  }))
  const messages = placed.flatMap((item) =>
    item.report.kind === 'call' ? [] : [{ ...item, message: item.report }],
  )
  const { words, offered } = await storeWritten(unit, messages)
  await applyCalls(
    unit,
    placed.flatMap((item) => (item.report.kind === 'call' ? [{ ...item, call: item.report }] : [])),
  )
  return {
    words: [
      ...words,
      ...preferences.map(
        ({ ctx, report }, i): ConsentWord => ({
          ctx,
          contactId: contacts[written.length + calls.length + i]!.id,
          word: report.word === 'stop' ? 'opted_out' : 'opted_in',
          source: 'user_preferences',
          at: report.at,
        }),
      ),
    ],
    offered,
    fresh: messages.map(({ ctx, message }) => ({ workspaceId: ctx.workspace.id, chanmid: message.chanmid })),
  }
}
