/** Reads stored updates: splits bodies, and translates changes into reports. */
import { type Clock, later, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import { platformContext, type Unit, type Workspace } from '../../../../core/context.ts'
import { type DueMoment, isRowDue } from '../../../../core/due.ts'
import { idAfter } from '../../../../core/ids.ts'
import type {
  NumberReports,
  PaymentConfigurationReport,
  PaymentReport,
  Report as Reported,
} from '../../../../operator/port.ts'
import { applyUpdates } from './operations/apply-updates.ts'
import { withoutErased } from './operations/drop-erased.ts'
import { awaitHistory } from './operations/early-files.ts'
import { awaitMessages } from './operations/early-receipts.ts'
import type { SplitPost } from './operations/intake.ts'
import { readLater } from './operations/later-reports.ts'
import type { Taker } from './operations/offer-messages.ts'
import type { UpdateItem } from './operations/update-items.ts'
import type { DuePost, DueUpdate } from './queries/due-updates.ts'
import { insertUnreadUpdates, type NewUpdate, type Report, type UnreadUpdate } from './queries/updates.ts'

/** A change with messages of at most one sender; its first message takes its id. */
export type Part = NewUpdate
/** A stored update, its due parts, and the simulator's reports after them. */
export type ParsedUpdate = { row: DueUpdate | DuePost; parts: Part[]; rest?: NewUpdate }

export type Reading = {
  clock: Clock
  split: SplitPost
  /** Translates the operator's format; `at`: when the operator reported it. */
  read(field: string, value: unknown, source: { accountId: string; at: Date }): NumberReports
  /** Applies reports of payments, after all other reports; returns those on which it does not act. */
  applyPayments(unit: Unit, items: PaymentItem[]): Promise<PaymentItem[]>
  /** The possible takers of customers' messages, in order. */
  takers: Taker[]
  /** Called for reports about a customer group, which are not stored. A retried list calls it again. */
  onGroup(workspaceId: string, field: string): void
}

export type PaymentItem = UpdateItem<PaymentReport | PaymentConfigurationReport>
const isOfPayment = (item: UpdateItem): item is PaymentItem =>
  item.report.kind === 'payment' || item.report.kind === 'payment_configuration'
/** The field of a payment that this workspace did not request: other senders may use the number. */
const OF_OTHERS = 'messages.statuses.payment'
/** The field of a failure of a message that had already arrived. */
const LATE_FAILURE = 'messages.statuses.failed'

/** The largest difference by which the operator's clock may be ahead of ours. */
const MAX_AHEAD_MS = 5 * MINUTE_MS

/**
 * Returns the report with the current time if its time is far in the future, so that later reports do not
 * count as older.
 */
function notAhead<Kind extends Reported>(report: Kind, now: Date): Kind {
  if (!('at' in report) || report.at <= later(now, MAX_AHEAD_MS)) return report
  const at = new Date(Math.floor(now.getTime() / SECOND_MS) * SECOND_MS)
  return { ...report, at, ...('ended' in report && report.ended ? { ended: { ...report.ended, at } } : {}) }
}

/** Ids reserved after that of an update: more than it can have messages. */
const IDS_OF_UPDATE = 2 ** 20

/** Splits a body; a change stays one part. Throws SyntaxError for a body that is not JSON. */
export async function parseUpdate(
  row: DueUpdate | DuePost,
  due: DueMoment,
  { split }: Reading,
): Promise<ParsedUpdate> {
  if (row.raw === null) return splitReports(row, due)
  const { workspaceId, receivedAt, runAt } = row
  const changes = await split(row)
  // Their ids sort with the post, before later posts.
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

/** Splits the simulator's reports of a message into due and later ones. */
function splitReports(row: DueUpdate, due: DueMoment): ParsedUpdate {
  const { next = [], ...body } = row.body
  const parts: Part[] = [{ ...row, body }]
  let { runAt } = row
  let report: Report = body
  for (const [i, laterPart] of next.entries()) {
    runAt = later(runAt, laterPart.afterMs)
    report = readLater(report, laterPart)
    const part = { ...row, id: idAfter(row.id, i + 1), body: report, runAt }
    if (!isRowDue(part, due))
      return { row, parts, rest: { ...part, body: { ...report, next: next.slice(i + 1) } } }
    parts.push(part)
  }
  return { row, parts }
}

type UpdateBatch = { workspaces: Map<string, Workspace>; erasing: Set<string> }
/** `id`: that of the part with the report. */
type OfGroup = { workspaceId: string; id: string; field: string }
type PartReports = { items: UpdateItem[]; unread: UnreadUpdate[]; groups: OfGroup[] }

/**
 * Returns the reports in parts, and which parts contain reports on which Parley does not act; in the
 * workspaces in `erasing`, without erased people.
 */
async function readParts(
  unit: Unit,
  parts: Part[],
  { workspaces, erasing }: UpdateBatch,
  { clock, read }: Pick<Reading, 'clock' | 'read'>,
): Promise<PartReports> {
  const contexts = new Map(
    [...workspaces].map(([id, workspace]) => [id, platformContext(unit, workspace, clock)]),
  )
  const items: UpdateItem[] = []
  const groups: OfGroup[] = []
  /** The fields of each part on which Parley does not act. */
  const unreadFields = new Map<Part, Set<string>>()
  for (const part of parts) {
    const ctx = contexts.get(part.workspaceId)
    if (!ctx) continue
    const { field, value, accountId = '', at } = part.body
    const { reports } = read(field, value, {
      accountId,
      at: at === undefined ? part.receivedAt : new Date(at),
    })
    const fields = new Set<string>()
    // The first message takes the update's id, which its sender may already know; the others follow it, so
    // that lists show them in order of arrival.
    let ids = 0
    for (const report of reports) {
      if (report.kind === 'group') {
        groups.push({ workspaceId: part.workspaceId, id: part.id, field: report.field })
        continue
      }
      const isMessage = report.kind === 'inbound' || report.kind === 'echo'
      const item = {
        ctx,
        id: isMessage ? idAfter(part.id, ids++) : part.id,
        phoneNumberId: part.phoneNumberId,
        report: notAhead(report, ctx.now),
      }
      items.push(item)
      if (report.kind === 'unrecognized') fields.add(report.field)
    }
    unreadFields.set(part, fields)
  }
  const unread = [...unreadFields].flatMap(([part, fields]) =>
    fields.size > 0 ? [{ ...part, fields: [...fields] }] : [],
  )
  const filtered =
    erasing.size > 0 ? await withoutErased(unit, { items, unread }, erasing) : { items, unread }
  return { ...filtered, groups }
}

/** Returns whether parts contain only reports about erased people, which are dropped. */
export async function areOnlyAboutErased(
  unit: Unit,
  parts: Part[],
  batch: UpdateBatch,
  reading: Pick<Reading, 'clock' | 'read'>,
): Promise<boolean> {
  const { items, unread } = await readParts(unit, parts, batch, reading)
  return items.length === 0 && unread.length === 0
}

/**
 * Applies parts whose updates are removed in the same transaction. Returns those with reports on which Parley
 * does not act. Drops reports about erased people in the workspaces in `erasing`.
 */
export async function applyParts(
  unit: Unit,
  parts: Part[],
  batch: UpdateBatch,
  { clock, read, applyPayments, takers, onGroup }: Reading,
): Promise<UnreadUpdate[]> {
  const left = await readParts(unit, parts, batch, { clock, read })
  const addUnread = ({ id }: UpdateItem, field: string): void => {
    const existing = left.unread.find((update) => update.id === id)
    if (existing) existing.fields = [...new Set([...existing.fields, field])]
    else left.unread.push({ ...parts.find((part) => part.id === id)!, fields: [field] })
  }
  for (const { workspaceId, field } of left.groups) onGroup(workspaceId, field)
  const { ignored, unknown, files } = await applyUpdates(unit, left.items, takers)
  for (const item of ignored) addUnread(item, LATE_FAILURE)
  await awaitMessages(unit, unknown, parts, clock.now())
  await awaitHistory(unit, files, parts, clock.now())
  const ofPayments = left.items.filter(isOfPayment)
  if (ofPayments.length > 0)
    for (const item of await applyPayments(unit, ofPayments)) addUnread(item, OF_OTHERS)
  // Reports on which Parley does not act are kept for later analysis, without those of groups.
  const ofGroups = new Set(left.groups.map(({ id }) => id))
  const unread = left.unread.filter(({ id }) => !ofGroups.has(id))
  if (unread.length > 0) await insertUnreadUpdates(unit.tx, unread)
  return left.unread
}
