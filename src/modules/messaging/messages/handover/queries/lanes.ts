/**
 * Statements on numbers with due messages, their lanes, and the due messages in them. A message is due when
 * run_at has passed.
 */

import type { Selectable } from 'kysely'
import { later } from '../../../../../core/clock.ts'
import type { Query } from '../../../../../core/context.ts'
import { idAt } from '../../../../../core/ids.ts'
import { instants, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { isFound, isOfWorkspace } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { MessageRow } from '../../message-rows.ts'

export type LaneKey = Pick<MessageRow, 'workspaceId' | 'phoneNumberId'>

export const laneKeysOf = (rows: LaneKey[]) => [
  uuids(rows.map((row) => row.workspaceId)),
  uuids(rows.map((row) => row.phoneNumberId)),
]

/** A number with due messages; `operator` is null for a removed number. */
export type BusyNumber = LaneKey & {
  operator: Selectable<Tables['phoneNumbers']>['operator'] | null
  mine: boolean
}

// The index is sorted by number and campaign; naming a known campaign in the order lets the planner use the
// index.
export const IN_ORDER = 'm.broadcast_id, m.run_at, m.id'
/**
 * Returns the condition under which a campaign's message of `number` (a row with a lane's key) may go out:
 * its campaign may send.
 */
export const SENDING = (number: string): string => `broadcasts b where b.workspace_id = ${number}.workspace_id
  and b.phone_number_id = ${number}.phone_number_id and b.sending`
export const OF_NUMBER = (number: string): string =>
  `m.workspace_id = ${number}.workspace_id and m.phone_number_id = ${number}.phone_number_id`

/**
 * Lists numbers with due messages that this process may work on: simulated numbers, numbers that it holds,
 * and active numbers whose lane is free and not paused. Steps from number to number through the index.
 */
export const listBusyNumbers = (
  query: Query,
  options: { now: Date; holder: string },
): Promise<BusyNumber[]> =>
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
     where ${isOfWorkspace('w')} and (
         ${isFound(`from messages m where ${OF_NUMBER('w')} and m.broadcast_id is null and m.run_at <= $1`)}
         or ${isFound(
           `from ${SENDING('w')} and ${isFound(
             `from messages m where ${OF_NUMBER('w')} and m.broadcast_id = b.id and m.run_at <= $1`,
           )}`,
         )})
       and (n.operator is distinct from 'cloud' or (
         n.state = 'active' and (l.paused_until is null or l.paused_until <= $1)
         and (l.holder = $2 or l.leased_until is null or l.leased_until <= $1)))`,
    [options.now, options.holder],
  )

export type ClaimedLane = LaneKey &
  Pick<Selectable<Tables['numberLanes']>, 'strikes' | 'troubleUntil'> & { kept: boolean }

/** Leases free lanes to a process; `kept` is true if no other process had the lane since. */
export const claimLanes = (
  query: Query,
  lanes: LaneKey[],
  lease: { holder: string; now: Date; until: Date },
): Promise<ClaimedLane[]> =>
  query<ClaimedLane>(
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
     returning l.workspace_id, l.phone_number_id, l.strikes, l.trouble_until, free.kept`,
    [...laneKeysOf(lanes), lease.holder, lease.now, lease.until],
  )

/** Extends the leases that the process still holds; returns those lanes. */
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

/**
 * Releases lanes, unless they were claimed again since `until`; `strikes`: how often in a row each was
 * paused.
 */
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

/** Stores that a lane is paused, for other processes and for people. */
export const pauseLaneRow = (
  query: Query,
  lane: LaneKey & { strikes: number },
  pause: { holder: string; until: Date; reason: string },
) =>
  query(
    `update number_lanes set paused_until = $4, trouble_until = $4, pause_reason = $5, strikes = $6
     where workspace_id = $1 and phone_number_id = $2 and holder = $3`,
    [lane.workspaceId, lane.phoneNumberId, pause.holder, pause.until, pause.reason, lane.strikes],
  )

/**
 * Returns, for the conversations of each lane, until when another process put messages off, and the last of
 * those messages. Messages created after `now` was read are due slightly later than `now` and were not put
 * off.
 */
export const listPutOff = (query: Query, lanes: LaneKey[], now: Date) =>
  query<LaneKey & Pick<MessageRow, 'conversationId'> & { until: Date; lastId: string }>(
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

/** Real time in milliseconds as a plain number, because the driver parses timestamps slowly. */
export const millis = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`

/**
 * A due message; `place`: index of its lane in the request; `unsettled`: its call began and its outcome was
 * lost.
 */
export type DueRow = Pick<MessageRow, 'id' | 'conversationId'> & {
  place: number
  runAtMs: number
  unsettled: boolean
}
/** The number of a lane's messages to list, and the message after which to start; null: from the first. */
export type DueAsked = LaneKey & { room: number; after: { runAtMs: number; id: string } | null }

const FIRST = { runAtMs: 0, id: '00000000-0000-0000-0000-000000000000' }

/**
 * Lists due messages of lanes that belong to no campaign, at most `room` of each, in order. Claims nothing.
 */
export const listDueMessages = (query: Query, lanes: DueAsked[], now: Date): Promise<DueRow[]> =>
  query<DueRow>(
    `select k.place::int4 - 1 as place, m.*
     from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::timestamptz[], $5::uuid[])
       with ordinality as k(workspace_id, phone_number_id, room, after_run_at, after_id, place)
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

/** Lists due messages of campaigns that may send: in order, and the older campaign first. */
export const listDueOfCampaigns = (
  query: Query,
  lanes: (LaneKey & { room: number })[],
  now: Date,
): Promise<DueRow[]> =>
  query<DueRow>(
    `select k.place::int4 - 1 as place, m.*
     from unnest($1::uuid[], $2::uuid[], $3::int4[]) with ordinality as k(workspace_id, phone_number_id, room, place)
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
