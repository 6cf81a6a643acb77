/** Every statement on failed sign-ins. */
import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type FailureBounds = {
  now: Date
  /** Earlier failures are forgotten, if no wait ended later. */
  forgetBefore: Date
}

export type FailureRow = Pick<Selectable<Tables['signInFailures']>, 'failures' | 'firstAt' | 'waitUntil'>

/**
 * Counts one failure of a subject at an address. Returns undefined, and counts nothing, during a wait. Runs
 * before the password check, so that concurrent attempts all count.
 */
export const countFailure = async (
  tx: Tx,
  subject: Buffer,
  address: string,
  { now, forgetBefore }: FailureBounds,
): Promise<FailureRow | undefined> =>
  (
    await tx.sql<FailureRow>(
      `insert into sign_in_failures as f (subject, address, failures, first_at, last_at) values ($1, $2, 1, $3, $3)
       on conflict (subject, address) do update set
         failures = case when greatest(f.last_at, f.wait_until) < $4 then 1 else f.failures + 1 end,
         first_at = case when greatest(f.last_at, f.wait_until) < $4 then $3 else f.first_at end,
         last_at = $3, wait_until = null
       where f.wait_until is null or f.wait_until <= $3
       returning failures, first_at, wait_until`,
      [subject, address, now, forgetBefore],
    )
  )[0]

/**
 * Counts an event of a subject in a window, which starts with its first event and ends once that event is
 * before `windowStart`. Returns false, and counts nothing, after `max` events. A workspace's role can run it
 * too, without rights on the table.
 */
export const countInWindow = async (
  tx: Tx,
  subject: Buffer,
  address: string,
  { now, windowStart, max }: { now: Date; windowStart: Date; max: number },
): Promise<boolean> =>
  (
    await tx.sql<{ counted: boolean }>('select count_in_window($1, $2, $3, $4, $5) as counted', [
      subject,
      address,
      now,
      windowStart,
      max,
    ])
  )[0]!.counted

export const findFailures = (tx: Tx, subject: Buffer, address: string): Promise<FailureRow | undefined> =>
  tx.first(
    db
      .selectFrom('signInFailures')
      .select(['failures', 'firstAt', 'waitUntil'])
      .where('subject', '=', subject)
      .where('address', '=', address),
  )

export const setWait = (tx: Tx, subject: Buffer, address: string, until: Date): Promise<number> =>
  tx.run(
    db
      .updateTable('signInFailures')
      .set({ waitUntil: until })
      .where('subject', '=', subject)
      .where('address', '=', address),
  )

export const deleteFailures = (tx: Tx, subject: Buffer, address: string): Promise<number> =>
  tx.run(db.deleteFrom('signInFailures').where('subject', '=', subject).where('address', '=', address))

/** Reverts one counted failure of an attempt that succeeded. */
export const uncountFailure = (tx: Tx, subject: Buffer, address: string): Promise<unknown[]> =>
  tx.sql(
    'update sign_in_failures set failures = greatest(failures - 1, 0) where subject = $1 and address = $2',
    [subject, address],
  )

export const deleteOldFailures = async (query: Query, before: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from sign_in_failures where (subject, address) in (
         select subject, address from sign_in_failures where greatest(last_at, wait_until) < $1 limit $2) returning 1`,
      [before, max],
    )
  ).length
