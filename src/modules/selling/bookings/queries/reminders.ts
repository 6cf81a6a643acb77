/** Every statement on sent reminders, and on the customers of old holds. */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type ReminderRow = Selectable<Tables['bookingReminders']>

/** Records a reminder before it is sent. Returns false if it was already sent. */
export const insertReminder = async (
  ctx: Context,
  { bookingId, startAt, minutesBefore }: Pick<ReminderRow, 'bookingId' | 'startAt' | 'minutesBefore'>,
): Promise<boolean> =>
  (await ctx.tx.run(
    db
      .insertInto('bookingReminders')
      .values({ workspaceId: ctx.workspace.id, bookingId, startAt, minutesBefore, sentAt: ctx.now })
      .onConflict((conflict) => conflict.doNothing()),
  )) > 0

/** Deletes reminders of bookings that started before a moment. */
export const deleteOldReminders = async (query: Query, before: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from booking_reminders where (workspace_id, booking_id, start_at, minutes_before) in (
         select workspace_id, booking_id, start_at, minutes_before from booking_reminders where start_at < $1 limit $2
       ) returning 1`,
      [before, max],
    )
  ).length

/** Removes the customers of old temporary holds without a booking; the service and time stay. */
export const forgetOldHolds = async (query: Query, before: Date, max: number): Promise<number> =>
  (
    await query(
      `update bookings set contact_id = null, customer = '{"name": null, "phone": null, "email": null}', notes = null, answers = '{}'
       where (workspace_id, id) in (
         select workspace_id, id from bookings
         where confirmed_at is null and status in ('expired', 'cancelled') and advance_paid_at is null and contact_id is not null
           and start_at < $1
         limit $2
       ) returning 1`,
      [before, max],
    )
  ).length
