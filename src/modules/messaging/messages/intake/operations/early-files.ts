/**
 * Files of the phone app's history that arrive before their messages. A file sent by the business names no
 * customer, so it waits for the message that does.
 */
import { DAY_MS, later, SECOND_MS } from '../../../../../core/clock.ts'
import type { Unit } from '../../../../../core/context.ts'
import { runOffsetOf } from '../../../../../core/due.ts'
import { newId } from '../../../../../core/ids.ts'
import { isObject, objectsIn } from '../../../../../core/values/storable.ts'
import { insertUpdates, type NewUpdate } from '../queries/updates.ts'
import type { PastFileUpdate } from './apply-history.ts'

/** The first wait; each next wait is as long as all waits before it together. */
const FIRST_WAIT_MS = SECOND_MS
/** The operator sends the whole history within this time. */
const MAX_WAIT_MS = DAY_MS

/** Puts back files whose messages may still arrive; `parts` are the updates that contained them. */
export async function awaitHistory(
  unit: Unit,
  files: PastFileUpdate[],
  parts: NewUpdate[],
  now: Date,
): Promise<void> {
  if (files.length === 0) return
  const byUpdate = Map.groupBy(files, ({ id }) => id)
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
        body: { ...part.body, value: keepFiles(part.body.value, chanmids), waitedMs: waitedMs + waitMs },
        runAt: later(now, waitMs),
        runOffsetMs: runOffsetOf(waiting[0]!.ctx.workspace),
      },
    ]
  })
  if (rows.length > 0) await insertUpdates(unit.tx.sql, rows)
}

/** Returns the files of these messages without the rest of their update. */
function keepFiles(value: unknown, chanmids: Set<string>): unknown {
  if (!isObject(value)) return value
  const { history: _, messages, ...rest } = value
  return { ...rest, messages: objectsIn(messages).filter(({ id }) => chanmids.has(String(id))) }
}
