/**
 * Receipts that arrive before the answer to their hand-over (DECISIONS.md). Most contain our message's id. A
 * receipt with only the channel's id can't be matched until that answer is stored, so it waits.
 */
import { later, SECOND_MS } from '../../../../../core/clock.ts'
import type { Unit } from '../../../../../core/context.ts'
import { runOffsetOf } from '../../../../../core/due.ts'
import { newId } from '../../../../../core/ids.ts'
import { isObject, objectsIn } from '../../../../../core/values/storable.ts'
import { listAwaited } from '../queries/receipts.ts'
import { insertUpdates, type NewUpdate } from '../queries/updates.ts'
import type { ReceiptUpdate } from './update-items.ts'

/** The first wait; each next wait is as long as all waits before it together. */
const FIRST_WAIT_MS = 200
/** No call of a hand-over is open longer than this. */
const MAX_WAIT_MS = 95 * SECOND_MS

/** Puts back receipts whose message may still become known; `parts` are the updates that contained them. */
export async function awaitMessages(
  unit: Unit,
  receipts: ReceiptUpdate[],
  parts: NewUpdate[],
  now: Date,
): Promise<void> {
  // Unknown callback data belongs to other senders that use the number.
  const withoutId = receipts.filter(({ report }) => report.callbackData === null)
  if (withoutId.length === 0) return
  const awaited = await listAwaited(
    unit,
    withoutId.map(({ ctx, phoneNumberId, report }) => ({
      workspaceId: ctx.workspace.id,
      phoneNumberId,
      chanmid: report.chanmid,
    })),
    now,
  )
  const byUpdate = Map.groupBy(
    awaited.map(({ place }) => withoutId[place - 1]!),
    ({ id }) => id,
  )
  const rows = parts.flatMap((part): NewUpdate[] => {
    const waiting = byUpdate.get(part.id)
    const { waitedMs = 0 } = part.body
    if (!waiting || waitedMs >= MAX_WAIT_MS) return []
    const waitMs = Math.max(FIRST_WAIT_MS, waitedMs)
    const chanmids = new Set(waiting.map(({ report }) => report.chanmid))
    return [
      {
        ...part,
        id: newId(),
        sender: null,
        body: { ...part.body, value: keepReceipts(part.body.value, chanmids), waitedMs: waitedMs + waitMs },
        runAt: later(now, waitMs),
        runOffsetMs: runOffsetOf(waiting[0]!.ctx.workspace),
      },
    ]
  })
  if (rows.length > 0) await insertUpdates(unit.tx.sql, rows)
}

/** Returns the reports of these messages without the rest of their update. */
function keepReceipts(value: unknown, chanmids: Set<string>): unknown {
  if (!isObject(value)) return value
  const { messages: _, errors: __, statuses, ...rest } = value
  return { ...rest, statuses: objectsIn(statuses).filter(({ id }) => chanmids.has(String(id))) }
}
