/** Every statement on the links of public pages. They search all workspaces. */
import type { Context, Query } from '../../../../core/context.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { BookingRow } from './bookings.ts'

type PageLink = Pick<BookingRow, 'workspaceId' | 'id'>

/** Returns the booking with the token of a customer's page. */
export const findByBookingToken = async (query: Query, token: string): Promise<PageLink | undefined> =>
  (await query<PageLink>('select workspace_id, id from bookings where token = $1', [token]))[0]

/** Returns the workspace with the token of a booking page. */
export const findByPageToken = async (query: Query, token: string): Promise<PageLink | undefined> =>
  (
    await query<PageLink>(
      'select workspace_id, workspace_id as id from booking_settings where page_token = $1',
      [token],
    )
  )[0]

/** Returns the token of the workspace's booking page; null if it has none yet. */
export const findPageToken = async (ctx: Context): Promise<string | null> =>
  (
    await ctx.tx.first(
      db.selectFrom('bookingSettings').select('pageToken').where('workspaceId', '=', ctx.workspace.id),
    )
  )?.pageToken ?? null

/** Replaces the token, so that the old link no longer works. */
export const savePageToken = (ctx: Context, token: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .insertInto('bookingSettings')
      .values({ workspaceId: ctx.workspace.id, settings: json({}), pageToken: token, updatedAt: ctx.now })
      .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet({ pageToken: token })),
  )
