/** Transactions of tenants: held by row-level security to their workspaces, with what is written beside their facts. */
import type pg from 'pg'
import { beforeCommit, type Reading, type Unit } from '../core/context.ts'
import type { Naming } from './round-trip.ts'
import { inTransaction } from './transaction.ts'

type TenantOptions = {
  pool: pg.Pool
  nameOf: Naming
  /** Milliseconds that a statement of a request that only reads may take. */
  readMs: number
  /** Keys the hashes of what is erased. */
  erasureKey: Buffer
  siteUrl: string
}

/** What belongs to every commit. */
export type Recording = {
  /**
   * Follows what a transaction announced, before it is recorded: it may write and announce more. Undefined, and nothing is
   * waited for, where nothing concerns it.
   */
  follow?(unit: Unit): Promise<void> | undefined
  /** Writes the events of a transaction with its facts, and what others lose; all its statements are sent before it first waits. */
  recordEvents(unit: Unit): Promise<void>
  /** Writes what a transaction counted with its facts. Without it nothing is counted. */
  recordCounts?(unit: Unit): Promise<unknown>
  /** Called after a commit with the sources of background work that it made due. */
  onCommit(wakes: Set<string>): void
  /** Called after a commit with the events that it wrote. */
  onEvents?(events: Unit['outbox']): void
  /** Called after a commit with the lines that the log gets. */
  onLogged?(lines: Unit['logged']): void
}

/** Holds the rest of a transaction to the workspaces of $1 (docs/decisions/database.md). */
const HELD = `set_config('role', 'parley_tenant', true), set_config('parley.workspaces', $1, true)`

type TenantTransaction = <T>(
  workspaceIds: string[],
  work: (unit: Unit) => Promise<T>,
  reading?: Reading,
) => Promise<T>

export function tenantTransactions(options: TenantOptions, recording: Recording): TenantTransaction {
  const { pool, nameOf, readMs, erasureKey, siteUrl } = options

  const settingsOf = (workspaceIds: string[], reading: Reading | undefined) => {
    const ids = workspaceIds.join(',')
    return reading && !reading.mayTakeLong
      ? { text: `select ${HELD}, set_config('statement_timeout', $2, true)`, values: [ids, readMs] }
      : { text: `select ${HELD}`, values: [ids] }
  }

  return async (workspaceIds, work, reading) => {
    const unit: Omit<Unit, 'tx'> = {
      outbox: [],
      retractions: [],
      counts: [],
      logged: [],
      wakes: new Set(),
      erasureKey,
      siteUrl,
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
