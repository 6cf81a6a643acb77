/** What stored updates say: bodies parted, changes translated into reports. */
import type { Clock } from '../../../core/clock.ts'
import { platformContext, type Unit, type Workspace } from '../../../core/context.ts'
import { idAfter } from '../../../core/ids.ts'
import type { NumberReports } from '../../../operator/port.ts'
import { applyUpdates, type UpdateItem } from './operations/apply-updates.ts'
import type { SplitPost } from './operations/intake.ts'
import type { DuePost, DueUpdate } from './queries/due-updates.ts'
import { insertUnreadUpdates, type NewUpdate, type UnreadUpdate } from './queries/updates.ts'

/** One change, of one sender's messages at most; its first message takes its id. */
export type Part = Pick<NewUpdate, 'workspaceId' | 'id' | 'phoneNumberId' | 'sender' | 'body' | 'receivedAt'>
/** A stored update and what it consists of. */
export type ParsedUpdate = { row: DueUpdate | DuePost; parts: Part[] }

export type Reading = {
  clock: Clock
  split: SplitPost
  /** Translates the operator's words; `at` is when it spoke them. */
  read(field: string, value: unknown, source: { accountId: string; at: Date }): NumberReports
}

/** Ids kept free after that of an update: more than there can be messages in it. */
const IDS_OF_UPDATE = 2 ** 20

/** Parts a body; a change is one already. Throws SyntaxError for a body that is no JSON. */
export async function parseUpdate(row: DueUpdate | DuePost, { split }: Reading): Promise<ParsedUpdate> {
  if (row.raw === null) return { row, parts: [row] }
  const { workspaceId, receivedAt } = row
  const changes = await split(row)
  // Their ids say that they came with the post, before what came after it.
  const parts = changes.map((change, i) => ({
    ...change,
    workspaceId,
    receivedAt,
    id: idAfter(row.id, (i + 1) * IDS_OF_UPDATE),
  }))
  return { row, parts }
}

/** Applies parts whose updates are taken out in the same transaction. Returns those that hold what is not acted on. */
export async function applyParts(
  unit: Unit,
  parts: Part[],
  workspaces: Map<string, Workspace>,
  { clock, read }: Reading,
): Promise<UnreadUpdate[]> {
  const contexts = new Map([...workspaces].map(([id, one]) => [id, platformContext(unit, one, clock)]))
  const items: UpdateItem[] = []
  const unread: UnreadUpdate[] = []
  for (const one of parts) {
    const ctx = contexts.get(one.workspaceId)
    if (!ctx) continue
    const { field, value, accountId = '', at } = one.body
    const { reports } = read(field, value, {
      accountId,
      at: at === undefined ? one.receivedAt : new Date(at),
    })
    const fields = new Set<string>()
    // The first message of an update takes the update's id, which its sender may have been told already; the others follow
    // it, so that lists show them where they came.
    let ids = 0
    for (const report of reports) {
      const isMessage = report.kind === 'inbound' || report.kind === 'echo'
      items.push({
        ctx,
        id: isMessage ? idAfter(one.id, ids++) : one.id,
        phoneNumberId: one.phoneNumberId,
        report,
      })
      if (report.kind === 'unrecognised') fields.add(report.field)
    }
    if (fields.size > 0) unread.push({ ...one, fields: [...fields] })
  }
  await applyUpdates(unit, items)
  // What is not acted on is kept for whoever asks what the operator said.
  if (unread.length > 0) await insertUnreadUpdates(unit.tx, unread)
  return unread
}
