/** Every statement on bookings. */
import { type Selectable, sql } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, json, parameters } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { ADVANCE_STATUSES, BookingFilter, BookingStatus } from '../schema.ts'
import type { LOCATION_KINDS, REFUND_POLICIES } from '../setup-schema.ts'

export type BookedCustomer = { name: string | null; phone: string | null; email: string | null }

type Shaped = {
  status: BookingStatus
  advanceStatus: (typeof ADVANCE_STATUSES)[number] | null
  locationKind: (typeof LOCATION_KINDS)[number]
  refundPolicy: (typeof REFUND_POLICIES)[number]
  source: 'public' | 'staff'
  customer: BookedCustomer
  answers: Record<string, string | null>
}
export type BookingRow = Omit<Selectable<Tables['bookings']>, keyof Shaped> & Shaped

const own = (ctx: Context) =>
  db.selectFrom('bookings').selectAll().where('workspaceId', '=', ctx.workspace.id)

export const findBookingRow = (ctx: Context, id: string): Promise<BookingRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id)) as Promise<BookingRow | undefined>

export const listBookingsById = (ctx: Context, ids: string[]): Promise<BookingRow[]> =>
  ctx.tx.all(own(ctx).where('id', '=', sql<string>`any(${uuids(ids)}::uuid[])`)) as Promise<BookingRow[]>

export const findBookingByToken = (ctx: Context, token: string): Promise<BookingRow | undefined> =>
  ctx.tx.first(own(ctx).where('token', '=', token)) as Promise<BookingRow | undefined>

export const findBookingForUpdate = (ctx: Context, id: string): Promise<BookingRow | undefined> =>
  ctx.tx.first(own(ctx).where('id', '=', id).forUpdate()) as Promise<BookingRow | undefined>

export const insertBookingRow = (ctx: Context, row: BookingRow): Promise<unknown> =>
  ctx.tx.run(
    db.insertInto('bookings').values({ ...row, customer: json(row.customer), answers: json(row.answers) }),
  )

/** Writes the given fields and returns the new row. */
export const updateBookingRow = async (
  ctx: Context,
  id: string,
  change: Partial<BookingRow>,
): Promise<BookingRow> =>
  (await ctx.tx.first(
    db
      .updateTable('bookings')
      .set({
        ...change,
        customer: change.customer && json(change.customer),
        answers: change.answers && json(change.answers),
        updatedAt: ctx.now,
      })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .returningAll(),
  )) as BookingRow

/** A hold whose time is over counts as expired before the row says so. */
const LAPSED = (now: string) => `(status = 'held' and hold_expires_at <= ${now})`

/** The filter of a list, with days as moments. */
type ListFilter = Omit<BookingFilter, 'from' | 'to'> & { from: Date | undefined; to: Date | undefined }

/** Returns a page of bookings, soonest first, one row more than the limit. */
export function listBookingRows(ctx: Context, filter: ListFilter): Promise<BookingRow[]> {
  const { values, put } = parameters([ctx.workspace.id])
  const conditions = ['workspace_id = $1']
  if (filter.cursor)
    conditions.push(
      `(start_at, id) > (select start_at, id from bookings where workspace_id = $1 and id = ${put(filter.cursor)})`,
    )
  if (filter.from) conditions.push(`start_at >= ${put(filter.from)}`)
  if (filter.to) conditions.push(`start_at < ${put(filter.to)}`)
  if (filter.status === 'expired') conditions.push(`(status = 'expired' or ${LAPSED(put(ctx.now))})`)
  else if (filter.status) {
    conditions.push(`status = ${put(filter.status)}`)
    if (filter.status === 'held') conditions.push(`not ${LAPSED(put(ctx.now))}`)
  }
  if (filter.serviceId) conditions.push(`service_id = ${put(filter.serviceId)}`)
  if (filter.staffId) conditions.push(`staff_id = ${put(filter.staffId)}`)
  if (filter.contactId) conditions.push(`contact_id = ${put(filter.contactId)}`)
  return ctx.tx.sql<BookingRow>(
    `select * from bookings where ${conditions.join(' and ')} order by start_at, id limit ${put(filter.limit + 1)}`,
    values,
  )
}

/** Returns how many future bookings a customer has made themselves. */
export const countOpenBookings = async (ctx: Context, contactId: string): Promise<number> =>
  (
    await ctx.tx.sql<{ count: number }>(
      `select count(*)::int as count from bookings
       where workspace_id = $1 and contact_id = $2 and source = 'public' and start_at > $3
         and (status = 'confirmed' or status = 'held' and hold_expires_at > $3)`,
      [ctx.workspace.id, contactId, ctx.now],
    )
  )[0]!.count

const OF_CONTACT = 'bookings where workspace_id = $1 and contact_id = $2'

/** Returns the next booking of a contact, and the last one before it, without canceled and expired ones. */
export const listNearestBookingRows = (
  ctx: Context,
  contactId: string,
): Promise<(BookingRow & { isNext: boolean })[]> =>
  ctx.tx.sql(
    `(select *, true as is_next from ${OF_CONTACT} and start_at >= $3 and status in ('held', 'confirmed')
        and not ${LAPSED('$3')}
      order by start_at, id limit 1)
     union all
     (select *, false as is_next from ${OF_CONTACT} and start_at < $3
        and status in ('held', 'confirmed', 'completed', 'no_show') and not ${LAPSED('$3')}
      order by start_at desc, id desc limit 1)`,
    [ctx.workspace.id, contactId, ctx.now],
  )
