/** Operations on services: the things that customers can book. */
import type { Context } from '../../../../core/context.ts'
import { refuse, refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { readSettings as readSalesSettings } from '../../invoicing/operations/settings.ts'
import {
  findHiddenStaff,
  findServiceRow,
  insertServiceRow,
  insertStaffRow,
  listServiceRows,
  listStaffRows,
  lockSetup,
  type ServiceRow,
  updateServiceRow,
} from '../queries/setup.ts'
import { MAX_ENTRIES, type NewService, type ServicePatch } from '../setup-schema.ts'

const refuseMissing = (): never => refuse('not_found', 'Service not found. See GET /booking-services.')

/** Returns the currency of prices, which is that of sales. */
export const currencyOf = async (ctx: Context): Promise<string> => (await readSalesSettings(ctx)).currency

export const presentService = (row: ServiceRow, currency: string) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  durationMinutes: row.durationMinutes,
  bufferBeforeMinutes: row.bufferBeforeMinutes,
  bufferAfterMinutes: row.bufferAfterMinutes,
  stepMinutes: row.stepMinutes,
  capacity: row.capacity,
  priceMinor: row.priceMinor,
  price: moneyText(row.priceMinor, currency),
  currency,
  taxRate: row.taxRate,
  hsn: row.hsn,
  advance: row.advance,
  refundPolicy: row.refundPolicy,
  minNoticeMinutes: row.minNoticeMinutes,
  maxDaysAhead: row.maxDaysAhead,
  cancelNoticeMinutes: row.cancelNoticeMinutes,
  locationKind: row.locationKind,
  location: row.location,
  staffIds: row.staffIds,
  questions: row.questions,
  active: row.active,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export async function listServices(ctx: Context) {
  const currency = await currencyOf(ctx)
  return (await listServiceRows(ctx)).map((row) => presentService(row, currency))
}

/** Refuses staff that the workspace does not have. Foreign and missing ids get the same error. */
async function refuseUnknownStaff(ctx: Context, staffIds: string[] | undefined): Promise<void> {
  if (!staffIds || staffIds.length === 0) return
  const existingIds = new Set((await listStaffRows(ctx)).map(({ id }) => id))
  const unknown = staffIds.findIndex((id) => !existingIds.has(id))
  if (unknown >= 0) refuseReference(`staffIds[${unknown}]`, 'Not found. See GET /booking-staff.')
}

/**
 * Adds the hidden resource with which a service without staff is booked. Its own hours, all day, apply only in
 * a workspace without business hours (slots.ts).
 */
async function ensureHiddenStaff(ctx: Context, service: ServiceRow): Promise<void> {
  if (service.staffIds.length > 0 || (await findHiddenStaff(ctx, service.id))) return
  await insertStaffRow(ctx, {
    workspaceId: ctx.workspace.id,
    id: newId(),
    name: service.name,
    kind: 'resource',
    hiddenFor: service.id,
    memberId: null,
    timeZone: ctx.workspace.timezone,
    weekly: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' })),
    overrides: [],
    timeOff: [],
    active: true,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    deletedAt: null,
  })
}

export async function createService(ctx: Context, body: NewService) {
  await lockSetup(ctx)
  await refuseUnknownStaff(ctx, body.staffIds)
  if ((await listServiceRows(ctx)).length >= MAX_ENTRIES)
    refuse('conflict', `Service limit reached (${MAX_ENTRIES}). Delete one first.`)
  const row: ServiceRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    ...body,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    deletedAt: null,
  }
  await insertServiceRow(ctx, row)
  await ensureHiddenStaff(ctx, row)
  touch(ctx, { bookingSetup: row.id })
  return presentService(row, await currencyOf(ctx))
}

/** Changes a service for new bookings. Existing bookings do not change. */
export async function changeService(ctx: Context, id: string, patch: ServicePatch) {
  await lockSetup(ctx)
  const before = (isUuid(id) ? await findServiceRow(ctx, id.toLowerCase()) : undefined) ?? refuseMissing()
  await refuseUnknownStaff(ctx, patch.staffIds)
  const currency = await currencyOf(ctx)
  if (Object.keys(patch).length === 0) return presentService(before, currency)
  const after: ServiceRow = { ...before, ...patch, updatedAt: ctx.now }
  await updateServiceRow(ctx, before.id, { ...patch, updatedAt: ctx.now })
  await ensureHiddenStaff(ctx, after)
  touch(ctx, { bookingSetup: before.id })
  return presentService(after, currency)
}

/** Deletes a service, so that it takes no new bookings. Existing bookings stay. */
export async function deleteService(ctx: Context, id: string): Promise<void> {
  await lockSetup(ctx)
  const service = (isUuid(id) ? await findServiceRow(ctx, id.toLowerCase()) : undefined) ?? refuseMissing()
  await updateServiceRow(ctx, service.id, { deletedAt: ctx.now, updatedAt: ctx.now })
  touch(ctx, { bookingSetup: service.id })
}
