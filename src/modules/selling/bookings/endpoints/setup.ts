/** Endpoints for services, staff, and booking settings, which admins change. */
import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { bookingsOn } from '../gates.ts'
import { changeService, createService, deleteService, listServices } from '../operations/bookable-services.ts'
import { presentSettings, readSettings, renewPageLink, replaceSettings } from '../operations/settings.ts'
import { changeStaff, createStaff, deleteStaff, listStaff } from '../operations/staff.ts'
import {
  BookingSettings,
  BookingSettingsShown,
  NewService,
  NewStaff,
  Service,
  ServicePatch,
  Staff,
  StaffPatch,
} from '../setup-schema.ts'

const read = {
  tag: 'Bookings',
  section: '4.10',
  gates: [bookingsOn],
  scope: 'bookings:read',
  role: 'viewer',
  bucket: 'reads',
} as const
const write = { ...read, scope: 'bookings:write', role: 'admin', bucket: 'settings-writes' } as const
const Deleted = z.object({ ok: z.literal(true), deleted: z.literal(true) })
const AnsweredService = z.object({ service: Service })
const AnsweredStaff = z.object({ staff: Staff })
const AnsweredSettings = z.object({ bookingSettings: BookingSettingsShown })

export const getBookingServices = endpoint({
  ...read,
  name: 'listBookingServices',
  method: 'GET',
  path: '/booking-services',
  summary: 'List the services that customers can book, oldest first.',
  tool: {
    title: 'List services',
    when: 'Use it to learn which services customers can book, with their ids and prices.',
  },
  replies: { 200: z.object({ services: z.array(Service) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { services: await listServices(ctx) }),
})

export const postBookingService = endpoint({
  ...write,
  name: 'createBookingService',
  method: 'POST',
  path: '/booking-services',
  summary:
    'Add a service. Without `staffIds`, it can be booked in the business hours, one booking at a time.',
  body: NewService,
  example: { name: 'Haircut', durationMinutes: 45, bufferAfterMinutes: 15, priceMinor: 60_000 },
  replies: { 201: AnsweredService },
  refuses: ['invalid_reference', 'conflict'],
  handle: async (ctx, { body }) => reply(201, { service: await createService(ctx, body) }),
})

export const patchBookingService = endpoint({
  ...write,
  name: 'updateBookingService',
  method: 'PATCH',
  path: '/booking-services/:id',
  summary: 'Change a service for future bookings. Existing bookings do not change.',
  subject: 'service',
  body: ServicePatch,
  example: { priceMinor: 65_000, advance: { percent: 20 } },
  replies: { 200: AnsweredService },
  refuses: ['not_found', 'invalid_reference'],
  handle: async (ctx, { params, body }) => reply(200, { service: await changeService(ctx, params.id, body) }),
})

export const deleteBookingService = endpoint({
  ...write,
  name: 'deleteBookingService',
  method: 'DELETE',
  path: '/booking-services/:id',
  summary: 'Delete a service. Existing bookings are kept.',
  subject: 'service',
  replies: { 200: Deleted },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await deleteService(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const getBookingStaff = endpoint({
  ...read,
  name: 'listBookingStaff',
  method: 'GET',
  path: '/booking-staff',
  summary: 'List the staff and resources that customers book, oldest first.',
  replies: { 200: z.object({ staff: z.array(Staff).meta({ description: 'The staff and resources.' }) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { staff: await listStaff(ctx) }),
})

export const postBookingStaff = endpoint({
  ...write,
  name: 'createBookingStaff',
  method: 'POST',
  path: '/booking-staff',
  summary: 'Add a staff member or a resource with its weekly hours.',
  bodyLimit: 128 * 1024,
  body: NewStaff,
  example: {
    name: 'Meera',
    weekly: [{ day: 1, from: '09:00', to: '18:00' }],
    overrides: [{ date: '2026-12-25', ranges: [] }],
  },
  replies: { 201: AnsweredStaff },
  refuses: ['invalid_reference', 'conflict'],
  handle: async (ctx, { body }) => reply(201, { staff: await createStaff(ctx, body) }),
})

export const patchBookingStaff = endpoint({
  ...write,
  name: 'updateBookingStaff',
  method: 'PATCH',
  path: '/booking-staff/:id',
  summary: 'Change the hours of a staff member or resource. Existing bookings do not change.',
  subject: 'staff',
  bodyLimit: 128 * 1024,
  body: StaffPatch,
  example: { timeOff: [{ startAt: '2026-12-24T00:00:00+05:30', endAt: '2026-12-27T00:00:00+05:30' }] },
  replies: { 200: AnsweredStaff },
  refuses: ['not_found', 'invalid_reference'],
  handle: async (ctx, { params, body }) => reply(200, { staff: await changeStaff(ctx, params.id, body) }),
})

export const deleteBookingStaff = endpoint({
  ...write,
  name: 'deleteBookingStaff',
  method: 'DELETE',
  path: '/booking-staff/:id',
  summary: 'Delete a staff member or resource that no service uses. Existing bookings are kept.',
  subject: 'staff',
  replies: { 200: Deleted },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) => {
    await deleteStaff(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const getBookingSettings = endpoint({
  ...read,
  name: 'getBookingSettings',
  method: 'GET',
  path: '/booking-settings',
  summary: 'Get the settings for bookings.',
  replies: { 200: AnsweredSettings },
  refuses: [],
  handle: async (ctx) => reply(200, { bookingSettings: await presentSettings(ctx, await readSettings(ctx)) }),
})

export const putBookingSettings = endpoint({
  ...write,
  name: 'replaceBookingSettings',
  method: 'PUT',
  path: '/booking-settings',
  summary: 'Replace the settings for bookings. Omitted fields return to their defaults.',
  body: BookingSettings,
  example: { holdMinutes: 20, publicPage: true, maxOpenPerCustomer: 2 },
  replies: { 200: AnsweredSettings },
  refuses: ['invalid_reference'],
  handle: async (ctx, { body }) =>
    reply(200, { bookingSettings: await presentSettings(ctx, await replaceSettings(ctx, body)) }),
})

export const postBookingSettingsLink = endpoint({
  ...write,
  name: 'renewBookingLink',
  method: 'POST',
  path: '/booking-settings/link',
  summary: 'Replace the address of the public booking page. The old address stops working.',
  replies: { 200: AnsweredSettings },
  refuses: [],
  handle: async (ctx) =>
    reply(200, { bookingSettings: await presentSettings(ctx, await renewPageLink(ctx)) }),
})
