/** Operations on staff: the people and resources that customers book. */
import type { Context } from '../../../../core/context.ts'
import { refuse, refuseReference } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { findMember } from '../../../platform/workspaces/operations/workspace-members.ts'
import {
  findStaffRow,
  insertStaffRow,
  listServicesWith,
  listStaffForUpdate,
  listStaffRows,
  lockSetup,
  type StaffRow,
  updateStaffRow,
} from '../queries/setup.ts'
import { MAX_ENTRIES, type NewStaff, type StaffPatch } from '../setup-schema.ts'

const refuseMissing = (): never => refuse('not_found', 'Staff not found. See GET /booking-staff.')

export const presentStaff = (row: StaffRow) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  memberId: row.memberId,
  timeZone: row.timeZone,
  weekly: row.weekly,
  overrides: row.overrides,
  timeOff: row.timeOff,
  active: row.active,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const listStaff = async (ctx: Context) => (await listStaffRows(ctx)).map(presentStaff)

async function refuseUnknownMember(ctx: Context, memberId: string | null | undefined): Promise<void> {
  if (!memberId) return
  const member = await findMember(ctx, memberId.toLowerCase())
  if (!member || member.leftAt !== null) refuseReference('memberId', 'Member not found. See GET /team.')
}

const timesOf = (stretches: { startAt: Date; endAt: Date }[]) =>
  stretches.map(({ startAt, endAt }) => ({ startAt: startAt.toISOString(), endAt: endAt.toISOString() }))

export async function createStaff(ctx: Context, body: NewStaff) {
  await lockSetup(ctx)
  await refuseUnknownMember(ctx, body.memberId)
  if ((await listStaffRows(ctx)).length >= MAX_ENTRIES)
    refuse('conflict', `Staff limit reached (${MAX_ENTRIES}). Delete one first.`)
  const row: StaffRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    name: body.name,
    kind: body.kind,
    hiddenFor: null,
    memberId: body.memberId?.toLowerCase() ?? null,
    timeZone: body.timeZone ?? ctx.workspace.timezone,
    weekly: body.weekly,
    overrides: body.overrides,
    timeOff: timesOf(body.timeOff),
    active: body.active,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    deletedAt: null,
  }
  await insertStaffRow(ctx, row)
  touch(ctx, { bookingSetup: row.id })
  return presentStaff(row)
}

/** Changes when a staff member can be booked. Existing bookings do not change. */
export async function changeStaff(ctx: Context, id: string, patch: StaffPatch) {
  await lockSetup(ctx)
  const before = (isUuid(id) ? await findStaffRow(ctx, id.toLowerCase()) : undefined) ?? refuseMissing()
  await refuseUnknownMember(ctx, patch.memberId)
  const { timeOff, memberId, ...rest } = patch
  const change: Partial<StaffRow> = {
    ...rest,
    ...(timeOff === undefined ? {} : { timeOff: timesOf(timeOff) }),
    ...(memberId === undefined ? {} : { memberId: memberId?.toLowerCase() ?? null }),
  }
  if (Object.keys(change).length === 0) return presentStaff(before)
  const after = { ...before, ...change, updatedAt: ctx.now }
  await updateStaffRow(ctx, before.id, { ...change, updatedAt: ctx.now })
  touch(ctx, { bookingSetup: before.id })
  return presentStaff(after)
}

/** Deletes staff that no service names. Bookings stay, and still name the deleted staff. */
export async function deleteStaff(ctx: Context, id: string): Promise<void> {
  await lockSetup(ctx)
  const member = (isUuid(id) ? await findStaffRow(ctx, id.toLowerCase()) : undefined) ?? refuseMissing()
  const [service] = await listServicesWith(ctx, member.id)
  if (service)
    refuse('conflict', `The service "${service.name}" has this staff. Remove the id from its staffIds first.`)
  // Waits for transactions that book this staff now.
  await listStaffForUpdate(ctx, [member.id])
  await updateStaffRow(ctx, member.id, { deletedAt: ctx.now, updatedAt: ctx.now })
  touch(ctx, { bookingSetup: member.id })
}
