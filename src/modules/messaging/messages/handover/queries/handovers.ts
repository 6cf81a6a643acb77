/**
 * Statements of the hand-over: a lease on a message marks that its call began; the others write its outcome.
 */

import type { Selectable } from 'kysely'
import { NO_END } from '../../../../../core/clock.ts'
import type { Query, Tx } from '../../../../../core/context.ts'
import type { DueMoment } from '../../../../../core/due.ts'
import type { WorkSource } from '../../../../../core/work.ts'
import { instants, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { alignRows, isDue } from '../../../../../database/sql/due-statements.ts'
import { isFound, isOfWorkspace } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import { DISCONNECTED_HERE } from '../../../../platform/workspaces/operations/number-credentials.ts'
import { isRefusedSql, refusalSql } from '../../../contacts/operations/refusal-rule.ts'
import { isWindowOpenSql } from '../../../conversations/schema.ts'
import type { StoredMessage } from '../../message-rows.ts'
import type { SkipReason } from '../../schema.ts'
import { appendedSql, repeatedSql } from '../../trace-lines.ts'
import { IN_ORDER, type LaneKey, laneKeysOf, millis, OF_NUMBER, SENDING } from './lanes.ts'

type Key = Pick<StoredMessage, 'workspaceId' | 'id'>
const keysOf = (rows: Key[]) => [uuids(rows.map((row) => row.workspaceId)), uuids(rows.map((row) => row.id))]
/** A message with the line of its trace to add, in real time. */
type Traced = Key & { step?: string | undefined }
const stepsOf = (rows: Traced[]) => texts(rows.map((row) => row.step ?? null))
/** The trace of a message `m` with the line of the row `u`, as `storedLine` writes it with the sandbox's clock. */
const STORED = `E'\\n' || coalesce((select w.clock_offset_ms from workspaces w where w.id = u.workspace_id), 0) || ' ' || u.step`
const APPENDED = appendedSql('m', STORED)
const REPEATED = repeatedSql('m', STORED)

/** Why the call of a message does not begin after all; all fields are null if it does. */
type Withheld = Pick<StoredMessage, 'skipReason'> & {
  /** Why Parley no longer sends it. */
  skipReason: SkipReason | null
  /**
   * Until when the operator restricts this kind of message, in real time; null if the operator named no end.
   */
  blockedUntilMs: number | null
  /** The time since Parley accepted the message. */
  ageMs: number | null
}
/**
 * The content and the recipient of a message whose hand-over begins. `handovers`: the number of attempts, including
 * this one, without those that do not count.
 */
export type Begun = Pick<StoredMessage, 'id' | 'type' | 'content' | 'replyTo' | 'handovers' | 'broadcastId'> &
  Pick<Selectable<Tables['contacts']>, 'phone' | 'userId'> & { createdAtMs: number } & Withheld
/** A message that was not fetched before. */
export type Claimed = Begun & Key & Pick<StoredMessage, 'conversationId' | 'phoneNumberId'>

const BEGUN = ['id', 'type', 'content', 'reply_to', 'handovers', 'created_at', 'broadcast_id']
const CLAIMED = [...BEGUN, 'workspace_id', 'conversation_id', 'phone_number_id']
const columnsOf = (row: string, names: string[]): string => names.map((name) => `${row}.${name}`).join(', ')
/** The same columns as the caller reads them: without the time, which follows in milliseconds. */
const valuesOf = (row: string, names: string[]): string =>
  `${columnsOf(
    row,
    names.filter((name) => name !== 'created_at'),
  )}, ${millis(`${row}.created_at`)} as created_at_ms`

/** A paused or cancelled campaign hands nothing more over. */
const MAY_GO = `(m.broadcast_id is null or ${isFound(
  'from broadcasts b where b.workspace_id = m.workspace_id and b.id = m.broadcast_id and b.sending',
)})`
// The workspace's time; $3 is the real time.
const NOW_THERE = `($3::timestamptz + w.clock_offset_ms * interval '1 millisecond')`
const ITS_NUMBER = 'phone_numbers n where n.workspace_id = m.workspace_id and n.id = m.phone_number_id'
/**
 * Selects a value of the restriction (`b.until`) that applies to the message: the one for answers in an open
 * window, or the one for all other messages.
 */
const ofRestriction = (value: string): string => `(
  select ${value} from workspaces w
  cross join lateral (
    select case when ${isWindowOpenSql('v', NOW_THERE)} then n.customer_initiated_blocked_until
                else n.business_initiated_blocked_until end as until
    from conversations v, ${ITS_NUMBER} and v.workspace_id = m.workspace_id and v.id = m.conversation_id limit 1) b
  where w.id = m.workspace_id and b.until > ${NOW_THERE})`
/** A message that is sent within this time did not wait. */
const WAITED = "interval '10 seconds'"
/**
 * Its window closed while the message waited because of a rule of Parley. If it waited for the operator or
 * the connection, the operator checks the window, and its refusal is reported.
 */
const WINDOW_CLOSED = `case when m.type <> 'template' and m.handovers = 0 and m.created_at < $3::timestamptz - ${WAITED} then
  not ${isFound(`from workspaces w, conversations v where w.id = m.workspace_id and v.workspace_id = m.workspace_id
    and v.id = m.conversation_id and ${isWindowOpenSql('v', NOW_THERE)}`)}
  and not ${isFound(`from number_lanes l where l.workspace_id = m.workspace_id and l.phone_number_id = m.phone_number_id
    and l.trouble_until >= m.created_at`)}
  and not ${isFound(`from ${ITS_NUMBER} and n.state_at >= m.created_at`)} else false end`
/** Why a message `m` to the contact `c` is no longer sent; null if it may be sent. */
const SKIP_REASON = `coalesce(m.skip_reason, ${refusalSql('c')}, case when ${WINDOW_CLOSED} then 'window_closed' end)`
/**
 * Messages that must not be submitted now: marked as skipped, to a contact who opted out or is blocked, with
 * a closed window, or restricted by the operator. A message whose call began may be with the operator, and
 * reaches its own final state.
 */
const WITHHELD = `(m.leased_until is null and (m.skip_reason is not null or ${isRefusedSql('c')} or ${WINDOW_CLOSED} or case when ${isFound(
  `from ${ITS_NUMBER}
   and (n.business_initiated_blocked_until is not null or n.customer_initiated_blocked_until is not null)`,
)} then coalesce(${ofRestriction('true')}, false) else false end))`
const WITH_CONTACT = 'join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id'
/**
 * The recipient of a message `m`: the number or user id for which it was accepted, if its contact was merged
 * since.
 */
const RECIPIENT = `coalesce(m.sent_to, c.phone) as phone,
  case when m.sent_to like 'chan:%' then substr(m.sent_to, 6) else c.user_id end as user_id`
/** The values that are read of a due message `m`, with its contact, before it begins. */
const BEFORE = `${WITHHELD} as withheld, ${RECIPIENT}`
/** Leases those rows of `due` that may go until $4, and returns them with those that may not. */
const beginDue = (columns: string[]): string => `begun as (
    update messages m set leased_until = $4, handovers = handovers + 1
    from due where m.ctid = due.row_at and not due.withheld
    returning ${columnsOf('m', columns)}, due.phone, due.user_id
  )
  select ${valuesOf('begun', columns)}, begun.phone, begun.user_id,
         null as skip_reason, null::float8 as blocked_until_ms, null::float8 as age_ms
  from begun
  union all
  select ${valuesOf('m', columns)}, ${RECIPIENT}, ${SKIP_REASON} as skip_reason,
         ${ofRestriction(millis(`(nullif(b.until, '${NO_END.toISOString()}') - w.clock_offset_ms * interval '1 millisecond')`))} as blocked_until_ms,
         (extract(epoch from ${NOW_THERE} - m.created_at) * 1000)::float8 as age_ms
  from messages m ${WITH_CONTACT}
  join workspaces w on w.id = m.workspace_id
  where m.ctid = any (array(select row_at from due where withheld))`

/**
 * Writes that the calls of these messages begin. Leaves out messages that are no longer due, whose call began
 * before, or whose campaign may not send.
 */
export const beginHandovers = (
  query: Query,
  rows: Key[],
  lease: { now: Date; until: Date },
): Promise<Begun[]> =>
  query<Begun>(
    `with due as materialized (
       select m.ctid as row_at, ${BEFORE} from unnest($1::uuid[], $2::uuid[]) as k(workspace_id, id)
       join messages m on m.workspace_id = k.workspace_id and m.id = k.id ${WITH_CONTACT}
       where m.run_at <= $3 and m.leased_until is null and ${MAY_GO} and ${isOfWorkspace('m')}
       for update of m skip locked
     ), ${beginDue(BEGUN)}`,
    [...keysOf(rows), lease.now, lease.until],
  )

const IS_DUE = isDue('m.run_at', 'm.run_offset_ms', { now: '$3', by: '$6', offsetMs: '$7' })

/**
 * Claims the first due messages of simulated (and of removed) numbers, campaigns last. The simulator accepts
 * each message once, so a message with a lost outcome is handed over again.
 */
export const claimSimulatedMessages = (
  query: Query,
  numbers: LaneKey[],
  claim: { due: DueMoment; until: Date; ofEach: number },
): Promise<Claimed[]> =>
  query<Claimed>(
    `with due as materialized (
       select m.row_at, ${BEFORE}
       from (select * from unnest($1::uuid[], $2::uuid[]) as number (workspace_id, phone_number_id) where ${isOfWorkspace('number')}) k
       cross join lateral (
         select * from (
           select m.ctid as row_at, m.* from messages m
           where ${OF_NUMBER('k')} and m.broadcast_id is null and ${IS_DUE}
             and (m.leased_until is null or m.leased_until <= $3)
           order by ${IN_ORDER} limit $5 for update of m skip locked) ordinary
         union all
         select due.* from (select b.id from ${SENDING('k')} order by b.id) b cross join lateral (
           select m.ctid as row_at, m.* from messages m
           where ${OF_NUMBER('k')} and m.broadcast_id = b.id and ${IS_DUE}
             and (m.leased_until is null or m.leased_until <= $3)
           order by ${IN_ORDER} limit $5 for update of m skip locked) due
         limit $5) m ${WITH_CONTACT}
     ), ${beginDue(CLAIMED)}
     order by created_at_ms, id`,
    [...laneKeysOf(numbers), claim.due.now, claim.until, claim.ofEach, claim.due.by, claim.due.offsetMs],
  )

/**
 * Records that the operator accepted messages: stores its ids and ends the work on them. A receipt may have
 * arrived earlier; then only the trace gets the call.
 */
export const settleAccepted = (query: Query, rows: (Traced & { chanmid: string })[]) =>
  query(
    `update messages m set chanmid = coalesce(m.chanmid, u.chanmid), run_at = null, leased_until = null, trace = ${APPENDED}
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as u(workspace_id, id, chanmid, step)
     where m.workspace_id = u.workspace_id and m.id = u.id
       and (m.chanmid is null or (m.trace like '%{"open":%' and m.trace not like '%"result":"accepted"%'))`,
    [...keysOf(rows), texts(rows.map((row) => row.chanmid)), stepsOf(rows)],
  )

/** The clock offset to which the due time of a row of `u` is bound. */
const OFFSET_NOW = '(select nullif(w.clock_offset_ms, 0) from workspaces w where w.id = u.workspace_id)'

/**
 * Puts messages that did not go out back until `runAt` (real time). `counted`: whether this was one of their
 * attempts.
 */
export const putBack = (query: Query, rows: (Traced & { runAt: Date; counted: boolean })[]) =>
  query(
    `update messages m set run_at = u.run_at, run_offset_ms = ${OFFSET_NOW}, leased_until = null,
            handovers = m.handovers - case when u.counted then 0 else 1 end, trace = ${REPEATED}
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bool[], $5::text[])
       as u(workspace_id, id, run_at, counted, step)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.status = 'queued' and m.run_at is not null
       and m.leased_until is not null`,
    [
      ...keysOf(rows),
      instants(rows.map((row) => row.runAt)),
      `{${rows.map((row) => row.counted).join(',')}}`,
      stepsOf(rows),
    ],
  )

/** Puts off messages whose call has not begun. The trace has a wait with the same end only once. */
export const putOff = (query: Query, rows: (Traced & { runAt: Date })[]) =>
  query(
    `update messages m set run_at = u.run_at, run_offset_ms = ${OFFSET_NOW},
            trace = case when m.trace like '%' || substring(u.step from '"until":[0-9]+[}]$') then m.trace else ${REPEATED} end
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) as u(workspace_id, id, run_at, step)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.run_at is not null and m.leased_until is null`,
    [...keysOf(rows), instants(rows.map((row) => row.runAt)), stepsOf(rows)],
  )

/**
 * Releases messages whose calls have not begun. Only leases that end exactly at this time are removed, in
 * case they were written at all.
 */
export const releaseHandovers = (query: Query, rows: (Key & { leasedUntil: Date })[]) =>
  query(
    `update messages m set leased_until = null, handovers = m.handovers - 1
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u(workspace_id, id, leased_until)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.status = 'queued' and m.run_at is not null
       and m.leased_until = u.leased_until`,
    [...keysOf(rows), instants(rows.map((row) => row.leasedUntil))],
  )

/** Waits until `until` for receipts of messages with an unknown outcome. */
export const awaitReceipts = (query: Query, rows: Traced[], until: Date) =>
  query(
    `update messages m set leased_until = $3, trace = ${APPENDED}
     from unnest($1::uuid[], $2::uuid[], $4::text[]) as u(workspace_id, id, step)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.run_at is not null and m.leased_until is not null`,
    [...keysOf(rows), until, stepsOf(rows)],
  )

/** Locks those of these messages whose call began and of which no report arrived until `now`. */
export const lockUnsettled = (tx: Tx, rows: Key[], now: Date): Promise<Key[]> =>
  tx.sql<Key>(
    `select m.workspace_id, m.id from messages m
     where (m.workspace_id, m.id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and m.run_at is not null and m.leased_until <= $3
     order by m.workspace_id, m.id for update`,
    [...keysOf(rows), now],
  )

/** Locks those of these messages whose call has not begun. */
export const lockWaiting = (tx: Tx, rows: Key[]): Promise<Key[]> =>
  tx.sql<Key>(
    `select m.workspace_id, m.id from messages m
     where (m.workspace_id, m.id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and m.run_at is not null and m.leased_until is null
     order by m.workspace_id, m.id for update`,
    keysOf(rows),
  )

/**
 * Lists messages with a begun call and no report until `now`, of numbers from which nothing is sent, because
 * no lane fetches these. Begun messages are among the first due ones, so at most `within` of a number are
 * checked.
 */
export const listUnsettledOfHeld = (
  query: Query,
  { now, within, limit }: { now: Date; within: number; limit: number },
): Promise<Key[]> =>
  query<Key>(
    `with held as (
       select workspace_id, id as phone_number_id from phone_numbers n
       where state <> 'active' and operator = 'cloud' and ${isOfWorkspace('n')}
       union
       select workspace_id, phone_number_id from number_lanes n where paused_until > $1 and ${isOfWorkspace('n')}
     )
     select m.workspace_id, m.id from held h cross join lateral (
       select m.workspace_id, m.id, m.leased_until from messages m
       where ${OF_NUMBER('h')} and m.broadcast_id is null and m.run_at <= $1
       order by ${IN_ORDER} limit $2) m
     where m.leased_until <= $1 limit $3`,
    [now, within, limit],
  )

type WaitedInVain = LaneKey &
  Pick<StoredMessage, 'id' | 'skipReason'> &
  Pick<Selectable<Tables['phoneNumbers']>, 'stateReason'> & { skipReason: SkipReason | null }

/**
 * Lists messages that have waited since `before` for numbers that cannot send, with the number's trouble.
 * Messages of a removed number, and those marked as skipped, have `skipReason`, whenever they are due.
 * Messages of a campaign wait for as long as their campaign.
 */
export const listWaitedInVain = (
  query: Query,
  { now, before, limit }: { now: Date; before: Date; limit: number },
) =>
  query<WaitedInVain>(
    `select n.workspace_id, m.phone_number_id, m.id, n.state_reason,
            coalesce(m.skip_reason, case when n.state_reason = $4 then 'number_removed' end) as skip_reason
     from phone_numbers n
     cross join lateral (
       select m.id, m.phone_number_id, m.skip_reason from messages m
       where m.workspace_id = n.workspace_id and m.phone_number_id = n.id and m.broadcast_id is null
         and m.run_at <= case when n.state_reason = $4 then 'infinity' else $3::timestamptz end
         and m.leased_until is null and (m.run_at <= $1 or n.state_reason = $4 or m.skip_reason is not null)
       order by ${IN_ORDER} limit $2) m
     where n.state <> 'active' and ${isOfWorkspace('n')} limit $2`,
    [before, limit, now, DISCONNECTED_HERE],
  )

// A sandbox's clock moves only simulated messages; messages to the operator keep real time.
const ofSimulated = (message: string): string =>
  isFound(`from phone_numbers n where n.workspace_id = ${message}.workspace_id and n.id = ${message}.phone_number_id
    and n.operator = 'simulator'`)

/** Lists the workspace's simulated numbers. */
export const listSimulatedNumbers = (query: Query, workspaceId: string): Promise<LaneKey[]> =>
  query<LaneKey>(
    `select workspace_id, id as phone_number_id from phone_numbers where workspace_id = $1 and operator = 'simulator'`,
    [workspaceId],
  )

/**
 * Returns the real time at which the workspace's next simulated message is due, except for those under way.
 */
export const findNextMessageDue = async (
  query: Query,
  workspaceId: string,
  now: Date,
): Promise<Date | undefined> =>
  (
    await query<{ at: Date | null }>(
      `select min(first.run_at) as at
       from (select workspace_id, id as phone_number_id from phone_numbers where workspace_id = $1 and operator = 'simulator') k
       cross join lateral (
         (select m.run_at from messages m
          where ${OF_NUMBER('k')} and m.broadcast_id is null and m.run_at is not null
            and (m.leased_until is null or m.leased_until <= $2)
          order by ${IN_ORDER} limit 1)
         union all
         (select due.run_at from (select b.id from ${SENDING('k')}) b cross join lateral (
           select m.run_at from messages m
           where ${OF_NUMBER('k')} and m.broadcast_id = b.id and m.run_at is not null
             and (m.leased_until is null or m.leased_until <= $2)
           order by ${IN_ORDER} limit 1) due)) first`,
      [workspaceId, now],
    )
  )[0]?.at ?? undefined

export const countMessagesUnderWay = async (
  query: Query,
  workspaceId: string,
  { now, by }: { now: Date; by: Date },
): Promise<number> =>
  (
    await query<{ count: number }>(
      `select count(*) as count from messages m
       where m.workspace_id = $1 and m.run_at <= $3 and m.leased_until > $2 and ${MAY_GO} and ${ofSimulated('m')}`,
      [workspaceId, now, by],
    )
  )[0]?.count ?? 0

export const alignMessages: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(
    query,
    { table: 'messages', waiting: `t.run_at is not null and ${ofSimulated('t')}` },
    workspaceId,
    to,
  )
