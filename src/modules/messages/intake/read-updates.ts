/** What stored updates say: bodies split, changes translated into reports. */
import { type Clock, later, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import { platformContext, type Unit, type Workspace } from '../../../core/context.ts'
import { type DueMoment, isRowDue } from '../../../core/due.ts'
import { idAfter } from '../../../core/ids.ts'
import type {
  NumberReports,
  PaymentConfigurationReport,
  PaymentReport,
  Report as Reported,
} from '../../../operator/port.ts'
import { applyUpdates, type UpdateItem } from './operations/apply-updates.ts'
import { awaitMessages } from './operations/early-receipts.ts'
import type { SplitPost } from './operations/intake.ts'
import { readLater } from './operations/later-reports.ts'
import type { Taker } from './operations/offer-messages.ts'
import { withoutErased } from './operations/without-erased.ts'
import type { DuePost, DueUpdate } from './queries/due-updates.ts'
import { insertUnreadUpdates, type NewUpdate, type Report, type UnreadUpdate } from './queries/updates.ts'

/** One change, of one sender's messages at most; its first message takes its id. */
export type Part = NewUpdate
/** A stored update, what of it is due, and what the simulator reports after that. */
export type ParsedUpdate = { row: DueUpdate | DuePost; parts: Part[]; rest?: NewUpdate }

export type Reading = {
  clock: Clock
  split: SplitPost
  /** Translates the operator's words; `at` is when it spoke them. */
  read(field: string, value: unknown, source: { accountId: string; at: Date }): NumberReports
  /** Applies what is reported of payments, after everything else; returns what it does not act on. */
  applyPayments(unit: Unit, items: PaymentItem[]): Promise<PaymentItem[]>
  /** Who may take what customers write, in order. */
  takers: Taker[]
  /** Called for what is about a group of customers, which is not stored. A list that is tried again calls again. */
  onGroup(workspaceId: string, field: string): void
}

export type PaymentItem = UpdateItem<PaymentReport | PaymentConfigurationReport>
const isOfPayment = (item: UpdateItem): item is PaymentItem =>
  item.report.kind === 'payment' || item.report.kind === 'payment_configuration'
/** The field of a payment that nobody was asked for here: others may use the number too. */
const OF_OTHERS = 'messages.statuses.payment'
/** The field of a failure of a message that had arrived before. */
const LATE_FAILURE = 'messages.statuses.failed'

/** By how much the operator's clock may be ahead of ours. */
const MAX_AHEAD_MS = 5 * MINUTE_MS

/** The report, of now where it claims a time far ahead: what is reported after it would be older for as long. */
function notAhead<Kind extends Reported>(report: Kind, now: Date): Kind {
  if (!('at' in report) || report.at <= later(now, MAX_AHEAD_MS)) return report
  const at = new Date(Math.floor(now.getTime() / SECOND_MS) * SECOND_MS)
  return { ...report, at, ...('ended' in report && report.ended ? { ended: { ...report.ended, at } } : {}) }
}

/** Ids kept free after that of an update: more than there can be messages in it. */
const IDS_OF_UPDATE = 2 ** 20

/** Parts a body; a change is one already. Throws SyntaxError for a body that is no JSON. */
export async function parseUpdate(
  row: DueUpdate | DuePost,
  due: DueMoment,
  { split }: Reading,
): Promise<ParsedUpdate> {
  if (row.raw === null) return partReports(row, due)
  const { workspaceId, receivedAt, runAt } = row
  const changes = await split(row)
  // Their ids say that they came with the post, before what came after it.
  const parts = changes.map((change, i) => ({
    ...change,
    workspaceId,
    receivedAt,
    runAt,
    reference: null,
    id: idAfter(row.id, (i + 1) * IDS_OF_UPDATE),
  }))
  return { row, parts }
}

/** Parts the reports that the simulator makes of a message, by what has fallen due of them. */
function partReports(row: DueUpdate, due: DueMoment): ParsedUpdate {
  const { next = [], ...body } = row.body
  const parts: Part[] = [{ ...row, body }]
  let { runAt } = row
  let report: Report = body
  for (const [i, one] of next.entries()) {
    runAt = later(runAt, one.afterMs)
    report = readLater(report, one)
    const part = { ...row, id: idAfter(row.id, i + 1), body: report, runAt }
    if (!isRowDue(part, due))
      return { row, parts, rest: { ...part, body: { ...report, next: next.slice(i + 1) } } }
    parts.push(part)
  }
  return { row, parts }
}

type Given = { workspaces: Map<string, Workspace>; erasing: Set<string> }
/** `id` is that of the part which holds it. */
type OfGroup = { workspaceId: string; id: string; field: string }
type Said = { items: UpdateItem[]; unread: UnreadUpdate[]; groups: OfGroup[] }

/** What parts report, and which of them hold what is not acted on: in the workspaces in `erasing` without who was erased. */
async function readParts(
  unit: Unit,
  parts: Part[],
  { workspaces, erasing }: Given,
  { clock, read }: Pick<Reading, 'clock' | 'read'>,
): Promise<Said> {
  const contexts = new Map([...workspaces].map(([id, one]) => [id, platformContext(unit, one, clock)]))
  const items: UpdateItem[] = []
  const groups: OfGroup[] = []
  /** What each part holds that is not acted on, by its field. */
  const unreadFields = new Map<Part, Set<string>>()
  for (const one of parts) {
    const ctx = contexts.get(one.workspaceId)
    if (!ctx) continue
    const { field, value, accountId = '', at } = one.body
    const { reports } = read(field, value, {
      accountId,
      at: at === undefined ? one.receivedAt : new Date(at),
    })
    const fields = new Set<string>()
    // The first message of an update takes the update's id, which its sender may have got already; the others follow
    // it, so that lists show them where they came.
    let ids = 0
    for (const report of reports) {
      if (report.kind === 'group') {
        groups.push({ workspaceId: one.workspaceId, id: one.id, field: report.field })
        continue
      }
      const isMessage = report.kind === 'inbound' || report.kind === 'echo'
      const item = {
        ctx,
        id: isMessage ? idAfter(one.id, ids++) : one.id,
        phoneNumberId: one.phoneNumberId,
        report: notAhead(report, ctx.now),
      }
      items.push(item)
      if (report.kind === 'unrecognised') fields.add(report.field)
    }
    unreadFields.set(one, fields)
  }
  const unread = [...unreadFields].flatMap(([one, fields]) =>
    fields.size > 0 ? [{ ...one, fields: [...fields] }] : [],
  )
  const said = erasing.size > 0 ? await withoutErased(unit, { items, unread }, erasing) : { items, unread }
  return { ...said, groups }
}

/** Whether parts say nothing but what is passed over, since it is about somebody who was erased. */
export async function sayNothing(
  unit: Unit,
  parts: Part[],
  given: Given,
  reading: Pick<Reading, 'clock' | 'read'>,
): Promise<boolean> {
  const { items, unread } = await readParts(unit, parts, given, reading)
  return items.length === 0 && unread.length === 0
}

/**
 * Applies parts whose updates are taken out in the same transaction. Returns those that hold what is not acted on. In the
 * workspaces in `erasing` what is about somebody who was erased is passed over.
 */
export async function applyParts(
  unit: Unit,
  parts: Part[],
  given: Given,
  { clock, read, applyPayments, takers, onGroup }: Reading,
): Promise<UnreadUpdate[]> {
  const left = await readParts(unit, parts, given, { clock, read })
  const keep = ({ id }: UpdateItem, field: string): void => {
    const known = left.unread.find((update) => update.id === id)
    if (known) known.fields = [...new Set([...known.fields, field])]
    else left.unread.push({ ...parts.find((one) => one.id === id)!, fields: [field] })
  }
  for (const { workspaceId, field } of left.groups) onGroup(workspaceId, field)
  const { ignored, unknown } = await applyUpdates(unit, left.items, takers)
  for (const item of ignored) keep(item, LATE_FAILURE)
  await awaitMessages(unit, unknown, parts, clock.now())
  const ofPayments = left.items.filter(isOfPayment)
  if (ofPayments.length > 0) for (const item of await applyPayments(unit, ofPayments)) keep(item, OF_OTHERS)
  // What is not acted on is kept for whoever asks what the operator said, without what was said in groups.
  const ofGroups = new Set(left.groups.map(({ id }) => id))
  const kept = left.unread.filter(({ id }) => !ofGroups.has(id))
  if (kept.length > 0) await insertUnreadUpdates(unit.tx, kept)
  return left.unread
}
