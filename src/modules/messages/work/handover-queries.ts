/** Statements of the hand-over. A message is due while run_at is past; a lease on it says that its call began. */
import { later } from '../../../core/clock.ts'
import type { Query, Tx } from '../../../core/context.ts'
import { idAt } from '../../../core/ids.ts'
import { instants, uuids } from '../../../core/sql.ts'

type Key = { workspaceId: string; id: string }
export type LaneKey = { workspaceId: string; phoneNumberId: string }

const keysOf = (rows: Key[]) => [uuids(rows.map((row) => row.workspaceId)), uuids(rows.map((row) => row.id))]
const laneKeysOf = (rows: LaneKey[]) => [
  uuids(rows.map((row) => row.workspaceId)),
  uuids(rows.map((row) => row.phoneNumberId)),
]

/** A number that has due messages; `operator` null: the number is gone. */
export type BusyNumber = LaneKey & { operator: string | null; mine: boolean }

// The index goes by number and campaign; naming the campaign in the order, where it is known, lets the index give it.
const IN_ORDER = 'm.broadcast_id, m.run_at, m.id'
/** What a message of a campaign, of `number` (a row with a lane's key), has to be to go out: its campaign may send. */
const SENDING = (number: string): string => `broadcasts b where b.workspace_id = ${number}.workspace_id
  and b.phone_number_id = ${number}.phone_number_id and b.sending`
const OF_NUMBER = (number: string): string =>
  `m.workspace_id = ${number}.workspace_id and m.phone_number_id = ${number}.phone_number_id`

/**
 * Numbers with due messages that this process may work on: simulated ones, those that it holds, and
 * those whose lane is free, not paused, and active. Goes from number to number through the index.
 */
export const listBusyNumbers = (query: Query, ask: { now: Date; holder: string }): Promise<BusyNumber[]> =>
  query<BusyNumber>(
    `with recursive waiting as (
       (select workspace_id, phone_number_id from messages where run_at is not null
        order by workspace_id, phone_number_id, broadcast_id, run_at, id limit 1)
       union all
       select step.* from waiting w cross join lateral (
         select m.workspace_id, m.phone_number_id from messages m
         where m.run_at is not null and (m.workspace_id, m.phone_number_id) > (w.workspace_id, w.phone_number_id)
         order by m.workspace_id, m.phone_number_id, ${IN_ORDER} limit 1) step
     )
     select w.workspace_id, w.phone_number_id, n.operator, coalesce(l.holder = $2 and l.leased_until > $1, false) as mine
     from waiting w
     left join phone_numbers n on n.workspace_id = w.workspace_id and n.id = w.phone_number_id
     left join number_lanes l on l.workspace_id = w.workspace_id and l.phone_number_id = w.phone_number_id
     where (
         exists (select from messages m where ${OF_NUMBER('w')} and m.broadcast_id is null and m.run_at <= $1)
         or exists (select from ${SENDING('w')} and exists (
           select from messages m where ${OF_NUMBER('w')} and m.broadcast_id = b.id and m.run_at <= $1)))
       and (n.operator is distinct from 'cloud' or (
         n.state = 'active' and (l.paused_until is null or l.paused_until <= $1)
         and (l.holder = $2 or l.leased_until is null or l.leased_until <= $1)))`,
    [ask.now, ask.holder],
  )

export type TakenLane = LaneKey & { strikes: number; kept: boolean }

/** Leases free lanes to a process; `kept` says that nobody else had the lane since. */
export const takeLanes = (
  query: Query,
  lanes: LaneKey[],
  lease: { holder: string; now: Date; until: Date },
): Promise<TakenLane[]> =>
  query<TakenLane>(
    `with free as materialized (
       select l.workspace_id, l.phone_number_id, l.holder is not distinct from $3 as kept
       from unnest($1::uuid[], $2::uuid[]) as k(workspace_id, phone_number_id)
       join number_lanes l on l.workspace_id = k.workspace_id and l.phone_number_id = k.phone_number_id
       where (l.holder = $3 or l.leased_until is null or l.leased_until <= $4)
         and (l.paused_until is null or l.paused_until <= $4)
       for update of l skip locked
     )
     update number_lanes l set holder = $3, leased_until = $5, paused_until = null, pause_reason = null
     from free where l.workspace_id = free.workspace_id and l.phone_number_id = free.phone_number_id
     returning l.workspace_id, l.phone_number_id, l.strikes, free.kept`,
    [...laneKeysOf(lanes), lease.holder, lease.now, lease.until],
  )

/** Lengthens the leases that the process still holds; returns those. */
export const renewLanes = (
  query: Query,
  lanes: LaneKey[],
  lease: { holder: string; until: Date },
): Promise<LaneKey[]> =>
  query<LaneKey>(
    `update number_lanes l set leased_until = $4 from unnest($1::uuid[], $2::uuid[]) as k(workspace_id, phone_number_id)
     where l.workspace_id = k.workspace_id and l.phone_number_id = k.phone_number_id and l.holder = $3
     returning l.workspace_id, l.phone_number_id`,
    [...laneKeysOf(lanes), lease.holder, lease.until],
  )

/** Lets go of lanes, unless they were taken again since `until`; `strikes`: how often in a row each was paused. */
export const releaseLanes = (
  query: Query,
  lanes: (LaneKey & { strikes: number; until: Date })[],
  holder: string,
) =>
  query(
    `update number_lanes l set leased_until = null, strikes = k.strikes
     from unnest($1::uuid[], $2::uuid[], $4::int4[], $5::timestamptz[]) as k(workspace_id, phone_number_id, strikes, until)
     where l.workspace_id = k.workspace_id and l.phone_number_id = k.phone_number_id and l.holder = $3
       and l.leased_until <= k.until`,
    [
      ...laneKeysOf(lanes),
      holder,
      lanes.map((lane) => lane.strikes),
      instants(lanes.map((lane) => lane.until)),
    ],
  )

/** Writes that a lane is paused, for other processes and for people. */
export const pauseLaneRow = (
  query: Query,
  lane: LaneKey & { strikes: number },
  pause: { holder: string; until: Date; reason: string },
) =>
  query(
    `update number_lanes set paused_until = $4, pause_reason = $5, strikes = $6
     where workspace_id = $1 and phone_number_id = $2 and holder = $3`,
    [lane.workspaceId, lane.phoneNumberId, pause.holder, pause.until, pause.reason, lane.strikes],
  )

/**
 * Of each lane's conversations, until when another process put messages off, and the last of those. What was made since
 * `now` was read is due a little later than that and was not put off.
 */
export const listPutOff = (query: Query, lanes: LaneKey[], now: Date) =>
  query<LaneKey & { conversationId: string; until: Date; lastId: string }>(
    `select k.workspace_id, k.phone_number_id, m.conversation_id, max(m.run_at) as until, max(m.id::text) as last_id
     from unnest($1::uuid[], $2::uuid[]) as k(workspace_id, phone_number_id)
     cross join lateral (
       (select conversation_id, run_at, id from messages m
        where ${OF_NUMBER('k')} and m.broadcast_id is null and m.run_at > $3 and m.id < $4 and m.leased_until is null
        order by ${IN_ORDER} limit 10000)
       union all
       (select m.conversation_id, m.run_at, m.id from (select b.id from ${SENDING('k')}) b
        join messages m on ${OF_NUMBER('k')} and m.broadcast_id = b.id and m.run_at > $3 and m.id < $4 and m.leased_until is null
        limit 10000)) m
     group by 1, 2, 3`,
    [...laneKeysOf(lanes), now, idAt(now)],
  )

/** Real time in milliseconds, as a plain number: the driver's way of reading a time is dear. */
const millis = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`

/** A due message; `unsettled`: its call began and its outcome was lost. */
export type DueRow = LaneKey & { id: string; conversationId: string; runAtMs: number; unsettled: boolean }
/** How many of a lane's messages to list, and after which one; null: from the first. */
export type DueAsked = LaneKey & { room: number; after: { runAtMs: number; id: string } | null }

const FIRST = { runAtMs: 0, id: '00000000-0000-0000-0000-000000000000' }

/** Lanes' due messages that are no campaign's, at most `room` of each, in order. Nothing is claimed. */
export const listDueMessages = (query: Query, lanes: DueAsked[], now: Date): Promise<DueRow[]> =>
  query<DueRow>(
    `select k.workspace_id, k.phone_number_id, m.id, m.conversation_id, m.run_at_ms, m.unsettled
     from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::timestamptz[], $5::uuid[])
       as k(workspace_id, phone_number_id, room, after_run_at, after_id)
     cross join lateral (
       select m.id, m.conversation_id, ${millis('m.run_at')} as run_at_ms, m.leased_until is not null as unsettled
       from messages m
       where ${OF_NUMBER('k')} and m.broadcast_id is null and m.run_at <= $6
         and (m.run_at, m.id) > (k.after_run_at, k.after_id)
         and (m.leased_until is null or m.leased_until <= $6)
       order by ${IN_ORDER} limit k.room) m`,
    [
      ...laneKeysOf(lanes),
      `{${lanes.map((lane) => lane.room).join(',')}}`,
      instants(lanes.map(({ after }) => later(new Date(0), Math.floor((after ?? FIRST).runAtMs)))),
      uuids(lanes.map(({ after }) => (after ?? FIRST).id)),
      now,
    ],
  )

/** The same of campaigns that may send, each campaign's in order, the older campaign first. */
export const listDueOfCampaigns = (
  query: Query,
  lanes: (LaneKey & { room: number })[],
  now: Date,
): Promise<DueRow[]> =>
  query<DueRow>(
    `select k.workspace_id, k.phone_number_id, m.*
     from unnest($1::uuid[], $2::uuid[], $3::int4[]) as k(workspace_id, phone_number_id, room)
     cross join lateral (
       select due.* from (select b.id from ${SENDING('k')} order by b.id) b
       cross join lateral (
         select m.id, m.conversation_id, ${millis('m.run_at')} as run_at_ms, m.leased_until is not null as unsettled
         from messages m
         where ${OF_NUMBER('k')} and m.broadcast_id = b.id and m.run_at <= $4
           and (m.leased_until is null or m.leased_until <= $4)
         order by ${IN_ORDER} limit k.room) due
       limit k.room) m`,
    [...laneKeysOf(lanes), `{${lanes.map((lane) => lane.room).join(',')}}`, now],
  )

/** A message whose hand-over begins, with whom it goes to. */
export type Begun = {
  workspaceId: string
  id: string
  conversationId: string
  phoneNumberId: string
  type: string
  content: unknown
  replyTo: string | null
  /** How often it was handed over, this time included; times that did not count are left out. */
  handovers: number
  createdAtMs: number
  runAtMs: number
  phone: string
  userId: string | null
  /** The campaign that it is a message of. */
  broadcastId: string | null
  /** Why a campaign's message is not to go out any more: its call does not begin. */
  skip: 'opted_out' | 'blocked' | null
}

const BEGUN = `m.workspace_id, m.id, m.conversation_id, m.phone_number_id, m.type, m.content, m.reply_to, m.handovers,
               ${millis('m.created_at')} as created_at_ms, ${millis('m.run_at')} as run_at_ms, c.phone, c.user_id,
               m.broadcast_id`

/** A campaign that was paused or cancelled hands nothing more over. */
const MAY_GO = `(m.broadcast_id is null or exists (
  select from broadcasts b where b.workspace_id = m.workspace_id and b.id = m.broadcast_id and b.sending))`
/** Whoever opted out, or was blocked, after their message of a campaign was queued. */
const REFUSED = `(m.broadcast_id is not null and exists (
  select from contacts c where c.workspace_id = m.workspace_id and c.id = m.contact_id
    and (c.opt_in_status = 'opted_out' or c.blocked)))`
/** Leases the rows of `due` that may go until $4, and returns them with those that may not. */
const BEGIN_DUE = `begun as (
    update messages m set leased_until = $4, handovers = handovers + 1
    where m.ctid = any (array(select row_at from due where not refused)) returning m.*
  )
  select ${BEGUN}, null as skip
  from begun m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
  union all
  select ${BEGUN}, case when c.opt_in_status = 'opted_out' then 'opted_out' else 'blocked' end
  from messages m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
  where m.ctid = any (array(select row_at from due where refused))`

/**
 * Writes that the calls of these messages begin. Those that are no longer due, or whose call began before, are left out;
 * so are those of campaigns that may not send.
 */
export const beginHandovers = (
  query: Query,
  rows: Key[],
  lease: { now: Date; until: Date },
): Promise<Begun[]> =>
  query<Begun>(
    `with due as materialized (
       select m.ctid as row_at, ${REFUSED} as refused from unnest($1::uuid[], $2::uuid[]) as k(workspace_id, id)
       join messages m on m.workspace_id = k.workspace_id and m.id = k.id
       where m.run_at <= $3 and m.leased_until is null and ${MAY_GO}
       for update of m skip locked
     ), ${BEGIN_DUE}`,
    [...keysOf(rows), lease.now, lease.until],
  )

/**
 * Claims the first due messages of simulated numbers (and of numbers that are gone), campaigns' last: the simulator
 * takes each message once, so one whose outcome was lost is handed over again.
 */
export const claimSimulatedMessages = (
  query: Query,
  numbers: LaneKey[],
  claim: { now: Date; until: Date; ofEach: number },
): Promise<Begun[]> =>
  query<Begun>(
    `with due as materialized (
       select m.row_at, m.refused from unnest($1::uuid[], $2::uuid[]) as k(workspace_id, phone_number_id)
       cross join lateral (
         select * from (
           select m.ctid as row_at, false as refused from messages m
           where ${OF_NUMBER('k')} and m.broadcast_id is null and m.run_at <= $3
             and (m.leased_until is null or m.leased_until <= $3)
           order by ${IN_ORDER} limit $5 for update skip locked) ordinary
         union all
         select due.* from (select b.id from ${SENDING('k')} order by b.id) b cross join lateral (
           select m.ctid as row_at, ${REFUSED} as refused from messages m
           where ${OF_NUMBER('k')} and m.broadcast_id = b.id and m.run_at <= $3
             and (m.leased_until is null or m.leased_until <= $3)
           order by ${IN_ORDER} limit $5 for update of m skip locked) due
         limit $5) m
     ), ${BEGIN_DUE}
     order by created_at_ms, id`,
    [...laneKeysOf(numbers), claim.now, claim.until, claim.ofEach],
  )

/** The operator took them: they carry its id now and are nobody's job any more. A receipt may have come first. */
export const settleAccepted = (query: Query, rows: (Key & { chanmid: string })[]) =>
  query(
    `update messages m set chanmid = u.chanmid, run_at = null, leased_until = null
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as u(workspace_id, id, chanmid)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.chanmid is null`,
    [...keysOf(rows), rows.map((row) => row.chanmid)],
  )

/** They did not go out and are tried again at `runAt` (real time). `counted`: this was one of their tries. */
export const putBack = (query: Query, rows: (Key & { runAt: Date; counted: boolean })[]) =>
  query(
    `update messages m set run_at = u.run_at, leased_until = null,
            handovers = m.handovers - case when u.counted then 0 else 1 end
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bool[]) as u(workspace_id, id, run_at, counted)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.status = 'queued' and m.run_at is not null
       and m.leased_until is not null`,
    [
      ...keysOf(rows),
      instants(rows.map((row) => row.runAt)),
      `{${rows.map((row) => row.counted).join(',')}}`,
    ],
  )

/** Puts off messages whose call has not begun. */
export const putOff = (query: Query, rows: (Key & { runAt: Date })[]) =>
  query(
    `update messages m set run_at = u.run_at
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u(workspace_id, id, run_at)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.run_at is not null and m.leased_until is null`,
    [...keysOf(rows), instants(rows.map((row) => row.runAt))],
  )

/** Whether they went out is not known: until then a receipt may say so. */
export const awaitReceipts = (query: Query, rows: Key[], until: Date) =>
  query(
    `update messages m set leased_until = $3 from unnest($1::uuid[], $2::uuid[]) as u(workspace_id, id)
     where m.workspace_id = u.workspace_id and m.id = u.id and m.run_at is not null and m.leased_until is not null`,
    [...keysOf(rows), until],
  )

/**
 * Messages that have waited since `before` for numbers that cannot send, with what the number's trouble is. Those of
 * campaigns wait for as long as their campaign: it pauses, and can be cancelled.
 */
export const listWaitedInVain = (query: Query, before: Date, limit: number) =>
  query<LaneKey & { id: string; stateReason: string | null }>(
    `select n.workspace_id, m.phone_number_id, m.id, n.state_reason from phone_numbers n
     cross join lateral (
       select m.id, m.phone_number_id from messages m
       where m.workspace_id = n.workspace_id and m.phone_number_id = n.id and m.broadcast_id is null and m.run_at <= $1
         and m.leased_until is null
       order by ${IN_ORDER} limit $2) m
     where n.state <> 'active' limit $2`,
    [before, limit],
  )

// A sandbox's clock moves what the simulator plays; what goes to the operator keeps real time.
const SIMULATED = `m.workspace_id = $1 and m.run_at is not null and ${MAY_GO} and exists (
  select from phone_numbers n where n.workspace_id = m.workspace_id and n.id = m.phone_number_id and n.operator = 'simulator')`

/** The workspace's simulated numbers that have messages waiting. */
export const listSimulatedNumbers = (query: Query, workspaceId: string): Promise<LaneKey[]> =>
  query<LaneKey>(
    `select workspace_id, id as phone_number_id from phone_numbers where workspace_id = $1 and operator = 'simulator'`,
    [workspaceId],
  )

/** Real time at which the workspace's next simulated message falls due; those under way are left out. */
export const findNextMessageDue = async (
  query: Query,
  workspaceId: string,
  now: Date,
): Promise<Date | undefined> =>
  (
    await query<{ at: Date | null }>(
      `select min(m.run_at) as at from messages m where ${SIMULATED} and (m.leased_until is null or m.leased_until <= $2)`,
      [workspaceId, now],
    )
  )[0]?.at ?? undefined

export const countMessagesUnderWay = async (query: Query, workspaceId: string, now: Date): Promise<number> =>
  (
    await query<{ count: number }>(
      `select count(*) as count from messages m where ${SIMULATED} and m.leased_until > $2`,
      [workspaceId, now],
    )
  )[0]?.count ?? 0

/** Pulls waiting messages nearer. Leases keep real time. */
export const shiftMessages = (tx: Tx, workspaceId: string, ms: number) =>
  tx.sql(
    `update messages m set run_at = run_at - $2 * interval '1 millisecond' where ${SIMULATED} and m.leased_until is null`,
    [workspaceId, ms],
  )
