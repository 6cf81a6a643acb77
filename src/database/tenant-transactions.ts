/**
 * Runs transactions of tenants: restricted to their workspaces by row-level security, and recorded with their
 * events.
 */
import type pg from 'pg'
import { beforeCommit, type Installation, type Reading, type Unit } from '../core/context.ts'
import type { Naming } from './round-trip.ts'
import { inTransaction } from './transaction.ts'

type TenantOptions = {
  pool: pg.Pool
  nameOf: Naming
  /** Milliseconds that a statement of a request that only reads may take. */
  readMs: number
  installation: Installation
}

/** The functions that run with every commit. */
export type Recording = {
  /**
   * Reacts to the events of a transaction before they are recorded: it may write and announce more. Returns
   * undefined, without waiting, if it reacts to none of them.
   */
  follow?(unit: Unit): Promise<void> | undefined
  /**
   * Writes the events of a transaction with its facts, and other workspaces' losses; sends all its statements
   * before it first waits.
   */
  recordEvents(unit: Unit): Promise<void>
  /** Writes the counters of a transaction with its facts. Without it, counters are not written. */
  recordCounts?(unit: Unit): Promise<unknown>
  /** Called after a commit with the work sources that now have due work. */
  onCommit(wakes: Set<string>): void
  /** Called after a commit with the events written. */
  onEvents?(events: Unit['outbox']): void
  /** Called after a commit with lines for the log. */
  onLogged?(lines: Unit['logged']): void
}

/**
 * Fails if a workspace in $1 is fenced, because it moves to another cell or has moved (docs/decisions/workspace-moves.md). The
 * look-up costs a tenth of a call of the function, and its index is almost always empty.
 */
const FENCE = `case when exists (select from workspaces where fenced and id = any (string_to_array($1, ',')::uuid[]))
  then require_open($1) end`
/** Restricts the rest of a transaction to the workspaces in $1 (docs/decisions/database.md). */
const RESTRICTION = `${FENCE}, set_config('role', 'parley_tenant', true), set_config('parley.workspaces', $1, true)`

type TenantTransaction = <T>(
  workspaceIds: string[],
  work: (unit: Unit) => Promise<T>,
  reading?: Reading,
) => Promise<T>

export function tenantTransactions(options: TenantOptions, recording: Recording): TenantTransaction {
  const { pool, nameOf, readMs, installation } = options

  const settingsOf = (workspaceIds: string[], reading: Reading | undefined) => {
    const ids = workspaceIds.join(',')
    return reading
      ? { text: `select ${RESTRICTION}, set_config('statement_timeout', $2, true)`, values: [ids, readMs] }
      : { text: `select ${RESTRICTION}`, values: [ids] }
  }

  return async (workspaceIds, work, reading) => {
    const unit: Omit<Unit, 'tx'> = {
      ...installation,
      outbox: [],
      retractions: [],
      counts: [],
      logged: [],
      wakes: new Set(),
      closing: [],
    }
    const result = await inTransaction(
      {
        pool,
        nameOf,
        settings: settingsOf(workspaceIds, reading),
        closing: unit.closing,
        signal: reading?.callerLeft,
      },
      async (tx) => {
        const answer = await work({ ...unit, tx })
        const following = unit.outbox.length > 0 ? recording.follow?.({ ...unit, tx }) : undefined
        if (following) await following
        if (unit.outbox.length > 0 || unit.retractions.length > 0)
          beforeCommit(unit, recording.recordEvents({ ...unit, tx }))
        if (unit.counts.length > 0 && recording.recordCounts)
          beforeCommit(unit, recording.recordCounts({ ...unit, tx }))
        return answer
      },
    )
    if (unit.wakes.size > 0) recording.onCommit(unit.wakes)
    if (unit.outbox.length > 0) recording.onEvents?.(unit.outbox)
    if (unit.logged.length > 0) recording.onLogged?.(unit.logged)
    return result
  }
}
