import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { bookingsOn } from '../gates.ts'
import { listSlots } from '../operations/slots.ts'
import { Slot, SlotQuery } from '../schema.ts'

export const getBookingSlots = endpoint({
  name: 'listBookingSlots',
  method: 'GET',
  path: '/bookings/slots',
  summary: 'List the free times of a service, earliest first.',
  description:
    'Uses the hours of the staff in their own time zone, and leaves out bookings with their buffers, time off, and times outside the booking notice and horizon. Covers at most 31 days.',
  tag: 'Bookings',
  tool: { title: 'Find free times', when: 'Use it to find free times of a service before you book one.' },
  section: '4.10',
  gates: [bookingsOn],
  scope: 'bookings:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'service',
  query: SlotQuery,
  replies: { 200: z.object({ slots: z.array(Slot) }) },
  refuses: ['not_found', 'invalid_reference'],
  handle: async (ctx, { query }) => reply(200, { slots: await listSlots(ctx, query) }),
})
