/** Every statement on sessions. */
import type { Insertable, Selectable } from 'kysely'
import type { Query, Role, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type SessionRow = Selectable<Tables['sessions']>
type MemberRow = Selectable<Tables['members']>
type SecurityRow = Selectable<Tables['workspaceSecurity']>

/** The fields of a session that authentication needs, with the shortest times among the account's workspaces. */
export type SessionRecord = Pick<
  SessionRow,
  | 'id'
  | 'accountId'
  | 'tokenHash'
  | 'issuedAt'
  | 'previousHash'
  | 'previousUntil'
  | 'strong'
  | 'confirmedAt'
  | 'lastSeenAt'
  | 'createdAt'
  | 'endedAt'
  | 'endedBecause'
  | 'device'
> &
  Pick<SecurityRow, 'idleDays' | 'absoluteDays'>

export const IDLE_DAYS = 7
export const ABSOLUTE_DAYS = 30

/** Finds a session by the hash of its current or its previous token. */
export async function findSessionByHash(query: Query, hash: Buffer): Promise<SessionRecord | undefined> {
  const [row] = await query<SessionRecord>(
    `select s.id, s.account_id, s.token_hash, s.issued_at, s.previous_hash, s.previous_until, s.strong, s.confirmed_at,
            s.last_seen_at, s.created_at, s.ended_at, s.ended_because, s.device,
            coalesce(l.idle_days, ${IDLE_DAYS})::int4 as idle_days,
            coalesce(l.absolute_days, ${ABSOLUTE_DAYS})::int4 as absolute_days
     from sessions s
     left join lateral (
       select min(w.idle_days) as idle_days, min(w.absolute_days) as absolute_days
       from members m join workspace_security w on w.workspace_id = m.workspace_id
       where m.account_id = s.account_id and m.left_at is null
     ) l on true
     where s.token_hash = $1 or s.previous_hash = $1`,
    [hash],
  )
  return row
}

/** Returns whether a session is open at this time. */
export async function isOpenSession(query: Query, id: string, now: Date): Promise<boolean> {
  const rows = await query(
    `select 1 from sessions where id = $1 and ended_at is null
       and last_seen_at > $2::timestamptz - make_interval(days => ${IDLE_DAYS})
       and created_at > $2::timestamptz - make_interval(days => ${ABSOLUTE_DAYS})`,
    [id, now],
  )
  return rows.length > 0
}

/** The membership of an account in a workspace. */
export type MembershipRecord = Pick<MemberRow, 'workspaceId' | 'name' | 'role' | 'owner'> &
  Pick<SecurityRow, 'requireSecondFactor'> & { memberId: MemberRow['id']; role: Role }

export async function findMembership(
  query: Query,
  accountId: string,
  workspaceId: string,
): Promise<MembershipRecord | undefined> {
  const [row] = await query<MembershipRecord>(
    `select m.workspace_id, m.id as member_id, m.name, m.role, m.owner,
            coalesce(w.require_second_factor, false) as require_second_factor
     from members m left join workspace_security w on w.workspace_id = m.workspace_id
     where m.account_id = $1 and m.workspace_id = $2 and m.left_at is null`,
    [accountId, workspaceId],
  )
  return row
}

export const insertSession = (tx: Tx, row: Insertable<Tables['sessions']>): Promise<number> =>
  tx.run(db.insertInto('sessions').values(row))

/** Records when a session was last used. */
export const touchSession = (query: Query, id: string, now: Date): Promise<unknown[]> =>
  query('update sessions set last_seen_at = $2 where id = $1 and last_seen_at < $2', [id, now])

/** Replaces the token with this hash. Returns false if another request replaced it first. */
export async function replaceToken(
  run: Query,
  change: { id: string; oldHash: Buffer; newHash: Buffer; now: Date; previousUntil: Date },
): Promise<boolean> {
  const rows = await run(
    `update sessions set token_hash = $3, issued_at = $4, previous_hash = $2, previous_until = $5
     where id = $1 and token_hash = $2 and ended_at is null returning 1`,
    [change.id, change.oldHash, change.newHash, change.now, change.previousUntil],
  )
  return rows.length > 0
}

/** Replaces the token after a confirmation, and makes the session strong if `strong`. */
export const confirmSession = (
  tx: Tx,
  id: string,
  change: { tokenHash: Buffer; now: Date; previousUntil: Date; strong: boolean },
): Promise<unknown[]> =>
  tx.sql(
    `update sessions set previous_hash = token_hash, previous_until = $4, token_hash = $2, issued_at = $3,
            confirmed_at = $3, strong = strong or $5
     where id = $1 and ended_at is null`,
    [id, change.tokenHash, change.now, change.previousUntil, change.strong],
  )

/** Marks other sessions of the account as signed in without a second factor. */
export const weakenOtherSessions = (tx: Tx, accountId: string, except: string): Promise<number> =>
  tx.run(
    db
      .updateTable('sessions')
      .set({ strong: false })
      .where('accountId', '=', accountId)
      .where('id', '<>', except)
      .where('strong', '=', true)
      .where('endedAt', 'is', null),
  )

export type EndedSession = Pick<SessionRow, 'id' | 'accountId' | 'address' | 'device'>

/** Ends one or all sessions of an account, without `except`. Returns those that were live. */
export const endSessions = (
  tx: Tx,
  { accountId, id, except }: { accountId: string; id?: string; except?: string | undefined },
  now: Date,
  reason: string,
): Promise<EndedSession[]> =>
  tx.all(
    db
      .updateTable('sessions')
      .set({ endedAt: now, endedBecause: reason })
      .where('accountId', '=', accountId)
      .where('endedAt', 'is', null)
      .$if(id !== undefined, (query) => query.where('id', '=', id!))
      .$if(except !== undefined, (query) => query.where('id', '<>', except!))
      .returning(['id', 'accountId', 'address', 'device']),
  )

export type ShownSession = Pick<
  SessionRow,
  'id' | 'method' | 'address' | 'device' | 'lastSeenAt' | 'createdAt'
>

/**
 * Returns the live sessions of an account. `since` is the earliest last use, `from` the earliest start of a
 * live session.
 */
export const listSessions = (
  tx: Tx,
  accountId: string,
  bounds: { since: Date; from: Date },
): Promise<ShownSession[]> =>
  tx.all(
    db
      .selectFrom('sessions')
      .select(['id', 'method', 'address', 'device', 'lastSeenAt', 'createdAt'])
      .where('accountId', '=', accountId)
      .where('endedAt', 'is', null)
      .where('lastSeenAt', '>', bounds.since)
      .where('createdAt', '>', bounds.from)
      .orderBy('lastSeenAt', 'desc')
      .orderBy('id', 'desc')
      .limit(100),
  )

/** Deletes up to `max` sessions that started before `before`. Returns how many. */
export const deleteOldSessions = async (query: Query, before: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from sessions where id in (select id from sessions where created_at < $1 order by created_at limit $2) returning 1`,
      [before, max],
    )
  ).length
