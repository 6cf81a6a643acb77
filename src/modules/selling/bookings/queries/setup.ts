/** Every statement on services, staff, and settings. */
import { type Selectable, sql } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { Hours } from '../../../../core/values/open-hours.ts'
import { settingsRow } from '../../../../database/sql/settings-row.ts'
import { db, isOneOf, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import type {
  Advance,
  BookingSettings,
  LOCATION_KINDS,
  Question,
  REFUND_POLICIES,
  STAFF_KINDS,
} from '../setup-schema.ts'

type ShapedService = {
  advance: Advance | null
  questions: Question[]
  refundPolicy: (typeof REFUND_POLICIES)[number]
  locationKind: (typeof LOCATION_KINDS)[number]
}
export type ServiceRow = Omit<Selectable<Tables['bookingServices']>, keyof ShapedService> & ShapedService

type ShapedStaff = Omit<Hours, 'timeZone'> & {
  kind: (typeof STAFF_KINDS)[number]
  timeOff: { startAt: string; endAt: string }[]
}
export type StaffRow = Omit<Selectable<Tables['bookingStaff']>, keyof ShapedStaff> & ShapedStaff

/** Locks changes of services and staff in a workspace, because services refer to staff. */
export const lockSetup = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'booking setup')

const services = (ctx: Context) =>
  db.selectFrom('bookingServices').selectAll().where('workspaceId', '=', ctx.workspace.id)
const staff = (ctx: Context) =>
  db.selectFrom('bookingStaff').selectAll().where('workspaceId', '=', ctx.workspace.id)

/** Services that were not deleted, oldest first. */
export const listServiceRows = (ctx: Context): Promise<ServiceRow[]> =>
  ctx.tx.all(services(ctx).where('deletedAt', 'is', null).orderBy('id')) as Promise<ServiceRow[]>

/** Returns services by id, including deleted ones. */
export const listServicesById = (ctx: Context, ids: string[]): Promise<ServiceRow[]> =>
  ctx.tx.all(services(ctx).where(isOneOf(ids))) as Promise<ServiceRow[]>

export const findServiceRow = (ctx: Context, id: string): Promise<ServiceRow | undefined> =>
  ctx.tx.first(services(ctx).where('id', '=', id).where('deletedAt', 'is', null)) as Promise<
    ServiceRow | undefined
  >

export const insertServiceRow = (ctx: Context, row: ServiceRow): Promise<unknown> =>
  ctx.tx.run(
    db
      .insertInto('bookingServices')
      .values({ ...row, advance: row.advance && json(row.advance), questions: json(row.questions) }),
  )

export const updateServiceRow = (ctx: Context, id: string, change: Partial<ServiceRow>): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('bookingServices')
      .set({
        ...change,
        advance: change.advance && json(change.advance),
        questions: change.questions && json(change.questions),
      })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/** Returns the services that name a staff member. */
export const listServicesWith = (ctx: Context, staffId: string): Promise<Pick<ServiceRow, 'id' | 'name'>[]> =>
  ctx.tx.all(
    services(ctx)
      .clearSelect()
      .select(['id', 'name'])
      .where('deletedAt', 'is', null)
      .where(sql<boolean>`${staffId}::uuid = any(staff_ids)`)
      .orderBy('id'),
  )

/** Returns visible staff that were not deleted, oldest first. */
export const listStaffRows = (ctx: Context): Promise<StaffRow[]> =>
  ctx.tx.all(
    staff(ctx).where('deletedAt', 'is', null).where('hiddenFor', 'is', null).orderBy('id'),
  ) as Promise<StaffRow[]>

/** Returns staff by id, including deleted and hidden ones. */
export const listStaffById = (ctx: Context, ids: string[]): Promise<StaffRow[]> =>
  ctx.tx.all(staff(ctx).where(isOneOf(ids))) as Promise<StaffRow[]>

/** Returns staff by id, locked in the order of their ids as in every operation, to avoid deadlocks. */
export const listStaffForUpdate = (ctx: Context, ids: string[]): Promise<StaffRow[]> =>
  ctx.tx.all(staff(ctx).where(isOneOf(ids)).orderBy('id').forUpdate()) as Promise<StaffRow[]>

/** Returns a visible staff member. */
export const findStaffRow = (ctx: Context, id: string): Promise<StaffRow | undefined> =>
  ctx.tx.first(
    staff(ctx).where('id', '=', id).where('deletedAt', 'is', null).where('hiddenFor', 'is', null),
  ) as Promise<StaffRow | undefined>

/** Returns the hidden resource of a service without staff. */
export const findHiddenStaff = (ctx: Context, serviceId: string): Promise<Pick<StaffRow, 'id'> | undefined> =>
  ctx.tx.first(staff(ctx).clearSelect().select('id').where('hiddenFor', '=', serviceId))

export const insertStaffRow = (ctx: Context, row: StaffRow): Promise<unknown> =>
  ctx.tx.run(
    db.insertInto('bookingStaff').values({
      ...row,
      weekly: json(row.weekly),
      overrides: json(row.overrides),
      timeOff: json(row.timeOff),
    }),
  )

export const updateStaffRow = (ctx: Context, id: string, change: Partial<StaffRow>): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('bookingStaff')
      .set({
        ...change,
        weekly: change.weekly && json(change.weekly),
        overrides: change.overrides && json(change.overrides),
        timeOff: change.timeOff && json(change.timeOff),
      })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

const settings = settingsRow('booking_settings')

/** Returns the stored settings; undefined until a member has set a value. */
export const findSettings = async (ctx: Context): Promise<object | undefined> => {
  const row = await ctx.tx.first(
    db
      .selectFrom('bookingSettings')
      .select(['settings', 'pageColor'])
      .where('workspaceId', '=', ctx.workspace.id),
  )
  return row && { ...(row.settings as object), pageColor: row.pageColor }
}

/** Stores settings. The color has its own column, because version 1.0.0 rejects unknown settings. */
export async function upsertSettings(ctx: Context, { pageColor, ...rest }: BookingSettings): Promise<void> {
  await settings.upsert(ctx, rest)
  await ctx.tx.run(
    db.updateTable('bookingSettings').set({ pageColor }).where('workspaceId', '=', ctx.workspace.id),
  )
}
