/** Every statement on services, staff, and settings. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { Hours } from '../../../../core/values/open-hours.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { settingsRow } from '../../../../database/sql/settings-row.ts'
import { db, isOneOf, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import type { Advance, LOCATION_KINDS, Question, REFUND_POLICIES, STAFF_KINDS } from '../setup-schema.ts'

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

/** Returns the row with its JSON columns as text. */
const storedValues = (row: object, columns: readonly string[]): Record<string, unknown> => ({
  ...row,
  ...Object.fromEntries(
    columns
      .map((name) => [name, (row as Record<string, unknown>)[name]] as const)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, json(value)]),
  ),
})
const SERVICE_JSON = ['advance', 'questions'] as const
const STAFF_JSON = ['weekly', 'overrides', 'timeOff'] as const

/** Locks changes of services and staff in a workspace, because services refer to staff. */
export const lockSetup = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'booking setup')

const services = (ctx: Context) =>
  db.selectFrom('bookingServices').selectAll().where('workspaceId', '=', ctx.workspace.id)
const staff = (ctx: Context) =>
  db.selectFrom('bookingStaff').selectAll().where('workspaceId', '=', ctx.workspace.id)

/** Services that were not deleted, oldest first. */
export const listServiceRows = (ctx: Context): Promise<ServiceRow[]> =>
  ctx.tx.all(services(ctx).where('deletedAt', 'is', null).orderBy('id')) as unknown as Promise<ServiceRow[]>

/** Returns services by id, including deleted ones. */
export const listServicesById = (ctx: Context, ids: string[]): Promise<ServiceRow[]> =>
  ctx.tx.all(services(ctx).where(isOneOf(ids))) as unknown as Promise<ServiceRow[]>

export const findServiceRow = (ctx: Context, id: string): Promise<ServiceRow | undefined> =>
  ctx.tx.first(services(ctx).where('id', '=', id).where('deletedAt', 'is', null)) as unknown as Promise<
    ServiceRow | undefined
  >

export const insertServiceRow = (ctx: Context, row: ServiceRow): Promise<unknown> =>
  ctx.tx.run(
    db
      .insertInto('bookingServices')
      .values(storedValues(row, SERVICE_JSON) as unknown as Insertable<Tables['bookingServices']>),
  )

export const updateServiceRow = (ctx: Context, id: string, change: Partial<ServiceRow>): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('bookingServices')
      .set(storedValues(change, SERVICE_JSON) as unknown as Updateable<Tables['bookingServices']>)
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/** Returns the services that name a staff member. */
export const listServicesWith = (ctx: Context, staffId: string): Promise<{ id: string; name: string }[]> =>
  ctx.tx.sql<{ id: string; name: string }>(
    `select id, name from booking_services
     where workspace_id = $1 and deleted_at is null and $2::uuid = any(staff_ids) order by id`,
    [ctx.workspace.id, staffId],
  )

/** Returns visible staff that were not deleted, oldest first. */
export const listStaffRows = (ctx: Context): Promise<StaffRow[]> =>
  ctx.tx.all(
    staff(ctx).where('deletedAt', 'is', null).where('hiddenFor', 'is', null).orderBy('id'),
  ) as unknown as Promise<StaffRow[]>

/** Returns staff by id, including deleted and hidden ones. */
export const listStaffById = (ctx: Context, ids: string[]): Promise<StaffRow[]> =>
  ctx.tx.all(staff(ctx).where(isOneOf(ids))) as unknown as Promise<StaffRow[]>

/** Returns staff by id, locked in the order of their ids as in every operation, to avoid deadlocks. */
export const listStaffForUpdate = (ctx: Context, ids: string[]): Promise<StaffRow[]> =>
  ctx.tx.sql<StaffRow>(
    'select * from booking_staff where workspace_id = $1 and id = any($2::uuid[]) order by id for update',
    [ctx.workspace.id, uuids(ids)],
  )

/** Returns a visible staff member. */
export const findStaffRow = (ctx: Context, id: string): Promise<StaffRow | undefined> =>
  ctx.tx.first(
    staff(ctx).where('id', '=', id).where('deletedAt', 'is', null).where('hiddenFor', 'is', null),
  ) as unknown as Promise<StaffRow | undefined>

/** Returns the hidden resource of a service without staff. */
export const findHiddenStaff = async (ctx: Context, serviceId: string): Promise<{ id: string } | undefined> =>
  (
    await ctx.tx.sql<{ id: string }>(
      'select id from booking_staff where workspace_id = $1 and hidden_for = $2',
      [ctx.workspace.id, serviceId],
    )
  )[0]

export const insertStaffRow = (ctx: Context, row: StaffRow): Promise<unknown> =>
  ctx.tx.run(
    db
      .insertInto('bookingStaff')
      .values(storedValues(row, STAFF_JSON) as unknown as Insertable<Tables['bookingStaff']>),
  )

export const updateStaffRow = (ctx: Context, id: string, change: Partial<StaffRow>): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('bookingStaff')
      .set(storedValues(change, STAFF_JSON) as unknown as Updateable<Tables['bookingStaff']>)
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

export const bookingSettings = settingsRow('booking_settings')
