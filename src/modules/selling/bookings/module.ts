import { routes } from '../../../core/endpoint.ts'
import {
  getBookings,
  getOneBooking,
  patchBooking,
  postBooking,
  postBookingInvoice,
  postBookingLink,
} from './endpoints/bookings.ts'
import {
  deleteBookingService,
  deleteBookingStaff,
  getBookingServices,
  getBookingSettings,
  getBookingStaff,
  patchBookingService,
  patchBookingStaff,
  postBookingService,
  postBookingSettingsLink,
  postBookingStaff,
  putBookingSettings,
} from './endpoints/setup.ts'
import { getBookingSlots } from './endpoints/slots.ts'
import {
  bookingCancelled,
  bookingCompleted,
  bookingCreated,
  bookingNoShow,
  bookingRescheduled,
  bookingRestored,
} from './events.ts'
import { endHold, followAdvance, releaseErased } from './jobs.ts'
import { remindOfBooking } from './reminder-jobs.ts'
import { bookingsRetentionSource } from './work/bookings-retention-source.ts'

export const bookings = {
  endpoints: routes({
    'GET /booking-services': getBookingServices,
    'POST /booking-services': postBookingService,
    'PATCH /booking-services/:id': patchBookingService,
    'DELETE /booking-services/:id': deleteBookingService,
    'GET /booking-staff': getBookingStaff,
    'POST /booking-staff': postBookingStaff,
    'PATCH /booking-staff/:id': patchBookingStaff,
    'DELETE /booking-staff/:id': deleteBookingStaff,
    'GET /booking-settings': getBookingSettings,
    'PUT /booking-settings': putBookingSettings,
    'POST /booking-settings/link': postBookingSettingsLink,
    'GET /bookings/slots': getBookingSlots,
    'GET /bookings': getBookings,
    'POST /bookings': postBooking,
    'GET /bookings/:id': getOneBooking,
    'PATCH /bookings/:id': patchBooking,
    'POST /bookings/:id/link': postBookingLink,
    'POST /bookings/:id/invoice': postBookingInvoice,
  }),
  events: [
    bookingCreated,
    bookingRescheduled,
    bookingCancelled,
    bookingCompleted,
    bookingNoShow,
    bookingRestored,
  ],
  jobs: [followAdvance, endHold, releaseErased, remindOfBooking],
  sources: {
    'bookings-retention': bookingsRetentionSource,
  },
}
