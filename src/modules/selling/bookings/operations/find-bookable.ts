/** Finds the services and staff that can be booked now. */
import type { Context } from '../../../../core/context.ts'
import { refuseReference } from '../../../../core/errors.ts'
import {
  findHiddenStaff,
  findServiceRow,
  listStaffById,
  type ServiceRow,
  type StaffRow,
} from '../queries/setup.ts'

export type Bookable = { service: ServiceRow; staff: StaffRow[] }

const noService = (): never => refuseReference('serviceId', 'Service not found. See GET /booking-services.')
export const noStaff = (): never =>
  refuseReference('staffId', 'Not found among the staff of the service. See GET /booking-services.')

/** Returns the service, and those of its staff who can be booked; only `staffId` if given. */
export async function findBookable(
  ctx: Context,
  serviceId: string,
  staffId: string | undefined,
): Promise<Bookable> {
  const service = (await findServiceRow(ctx, serviceId.toLowerCase())) ?? noService()
  const staffMemberId = staffId?.toLowerCase()
  if (staffMemberId !== undefined && !service.staffIds.includes(staffMemberId)) noStaff()
  return { service, staff: await staffOf(ctx, service, staffMemberId) }
}

async function staffOf(
  ctx: Context,
  service: ServiceRow,
  staffMemberId: string | undefined,
): Promise<StaffRow[]> {
  const hidden = service.staffIds.length === 0 ? await findHiddenStaff(ctx, service.id) : undefined
  const ids = hidden ? [hidden.id] : staffMemberId === undefined ? service.staffIds : [staffMemberId]
  const rows = await listStaffById(ctx, ids)
  return service.active ? rows.filter(({ active, deletedAt }) => active && deletedAt === null) : []
}
