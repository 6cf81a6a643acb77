/**
 * Reads the journals that killed processes of this data directory have left: calls that had not begun go out
 * now, answers are recorded, and begun calls without an answer wait for their receipts (DECISIONS.md).
 */
import { SECOND_MS } from '../../../../core/clock.ts'
import { openCallJournal } from '../../../../dispatch/journal/call-journal.ts'
import type { LeftCall } from '../../../../dispatch/journal/journal-lines.ts'
import {
  adoptJournals,
  dropJournal,
  type LeftJournal,
} from '../../../../dispatch/journal/orphaned-journals.ts'
import type { Dispatcher } from './dispatcher.ts'
import { readJournaled } from './journaled-outcome.ts'
import type { Outcome } from './outcome-writer.ts'
import { findDatabaseName, listStillLeased, releaseLanesOfDead } from './queries/unfinished-calls.ts'

/** Another process that shares the data directory may die at any time. */
const LOOK_EVERY_MS = 10 * SECOND_MS
/** The database user lacks the permission to read the identifier of the database. */
const NOT_ALLOWED = '42501'

/**
 * Builds the function that looks for journals from time to time, and returns when all of their calls are
 * settled.
 */
export function callRecovery(dispatcher: Dispatcher): () => Promise<void> {
  const left: LeftJournal[] = []
  const report = reportOnce(dispatcher)
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    const nowMs = dispatcher.clock.monotonicMs()
    if (dispatcher.stopping || (left.length === 0 && nowMs - lookedAtMs < LOOK_EVERY_MS)) return
    dispatcher.journal ??= await openJournal(dispatcher, report)
    if (dispatcher.journal) left.push(...(await adopted(dispatcher, dispatcher.journal, report)))
    while (left[0]) {
      if (!(await recover(dispatcher, left[0]))) return
      await dropJournal(left[0])
      left.shift()
    }
    lookedAtMs = nowMs
  }
}

type Report = (error: unknown) => void

/** Reports an error of the folder only once, because it occurs at every check. */
function reportOnce({ onNoJournal }: Dispatcher): Report {
  let isReported = false
  return (error) => {
    if (!isReported) onNoJournal(error)
    isReported = true
  }
}

/** Without a journal all work continues, but a kill leaves more messages with an unknown outcome. */
async function openJournal(dispatcher: Dispatcher, report: Report): Promise<Dispatcher['journal']> {
  const { database, journalFolder, holder, clock, onNoJournal } = dispatcher
  const name = await findDatabaseName(database.query).catch((error: { code?: string }) => {
    if (error.code !== NOT_ALLOWED) throw error
    report(error)
  })
  if (name === undefined) return undefined
  try {
    return await openCallJournal({
      folder: journalFolder,
      holder,
      database: name,
      monotonicMs: clock.monotonicMs,
      onError: onNoJournal,
    })
  } catch (error) {
    report(error)
    return undefined
  }
}

async function adopted(
  { clock }: Dispatcher,
  journal: NonNullable<Dispatcher['journal']>,
  report: Report,
): Promise<LeftJournal[]> {
  try {
    return await adoptJournals(journal, clock.now())
  } catch (error) {
    report(error)
    return []
  }
}

/**
 * Settles the calls that are still as the journal's process left them. Returns false if this process stops
 * before all are written.
 */
async function recover(dispatcher: Dispatcher, { holders, calls }: LeftJournal): Promise<boolean> {
  const { database, writer } = dispatcher
  const leased = await listStillLeased(database.query, calls)
  const leases = new Map(leased.map(({ id, leasedUntil }) => [id, leasedUntil.getTime()]))
  const results = calls.flatMap((call) => {
    const outcome = outcomeOf(call)
    if (!outcome || leases.get(call.id) !== call.leasedUntil.getTime()) return []
    return [{ workspaceId: call.workspaceId, id: call.id, outcome }]
  })
  const written = await Promise.all(
    results.map((result) => new Promise<boolean>((resolve) => writer.add(result, resolve))),
  )
  // Only now: free lanes are claimed immediately, and released messages must precede later messages to the
  // same recipient.
  await releaseLanesOfDead(database.query, holders)
  return written.every((isWritten) => isWritten)
}

/** Returns undefined for a call that was on the wire: only a receipt can tell its outcome. */
function outcomeOf({ hasBegun, answer, leasedUntil }: LeftCall): Outcome | undefined {
  if (answer !== undefined) return readJournaled(answer)
  return hasBegun ? undefined : { kind: 'not_begun', leasedUntil }
}
