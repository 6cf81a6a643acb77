/** Every statement on booked times. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { BookingRow } from './bookings.ts'

export type SessionRow = Omit<
  Selectable<Tables['bookingSessions']>,
  'workspaceId' | 'releasedAt' | 'createdAt'
>

/** No session is longer: a service of one day with its buffers. */
const MAX_BUSY_HOURS = 33

/**
 * Returns the booked times of staff between two moments, by staff and time, without those of expired holds.
 */
export const listTaken = (
  ctx: Context,
  staffIds: string[],
  { from, to }: { from: Date; to: Date },
): Promise<SessionRow[]> =>
  ctx.tx.sql<SessionRow>(
    `select s.id, s.service_id, s.staff_id, s.starts_at, s.busy_from, s.busy_to, s.capacity,
            (s.seats - coalesce(lapsed.seats, 0))::int as seats
     from booking_sessions s left join lateral (
       select sum(b.party_size) as seats from bookings b
       where b.workspace_id = s.workspace_id and b.session_id = s.id and b.status = 'held' and b.hold_expires_at <= $5
     ) lapsed on true
     where s.workspace_id = $1 and s.staff_id = any($2::uuid[]) and s.released_at is null
       and s.busy_from < $4 and s.busy_from > $3::timestamptz - interval '${MAX_BUSY_HOURS} hours' and s.busy_to > $3
       and s.seats > coalesce(lapsed.seats, 0)
     order by s.staff_id, s.busy_from`,
    [ctx.workspace.id, uuids(staffIds), from, to, ctx.now],
  )

export const insertSession = (ctx: Context, row: SessionRow): Promise<unknown> =>
  ctx.tx.run(
    db.insertInto('bookingSessions').values({ ...row, workspaceId: ctx.workspace.id, createdAt: ctx.now }),
  )

/** Adds or removes seats. A session without seats is free. */
export const addSeats = (ctx: Context, id: string, seats: number): Promise<unknown> =>
  ctx.tx.sql(
    `update booking_sessions set seats = seats + $3, released_at = case when seats + $3 = 0 then $4::timestamptz end
     where workspace_id = $1 and id = $2`,
    [ctx.workspace.id, id, seats, ctx.now],
  )

/** Ends expired holds of locked staff, frees their places, and returns their bookings. */
export const expireLapsed = (ctx: Context, staffIds: string[]): Promise<Pick<BookingRow, 'id'>[]> =>
  ctx.tx.sql<Pick<BookingRow, 'id'>>(
    `with lapsed as (
       select id, session_id, party_size from bookings
       where workspace_id = $1 and staff_id = any($2::uuid[]) and status = 'held' and hold_expires_at <= $3 for update
     ), ended as (
       update bookings b set status = 'expired', session_id = null, updated_at = $3
       from lapsed where b.workspace_id = $1 and b.id = lapsed.id
     ), freed as (
       select session_id, sum(party_size)::int as seats from lapsed group by session_id
     ), released as (
       update booking_sessions s
       set seats = s.seats - freed.seats, released_at = case when s.seats = freed.seats then $3::timestamptz end
       from freed where s.workspace_id = $1 and s.id = freed.session_id
     )
     select id from lapsed`,
    [ctx.workspace.id, uuids(staffIds), ctx.now],
  )
