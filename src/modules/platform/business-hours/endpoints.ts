import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { readHours, replaceHours } from './operations.ts'
import { BusinessHours, NewBusinessHours } from './schema.ts'

const shared = {
  tag: 'Automations',
  section: '4.10',
  replies: { 200: z.object({ businessHours: BusinessHours }) },
} as const

export const getBusinessHours = endpoint({
  ...shared,
  name: 'getBusinessHours',
  method: 'GET',
  path: '/business-hours',
  summary: 'Get the business hours: each day of the week, and special days.',
  scope: 'automations:read',
  role: 'viewer',
  bucket: 'reads',
  refuses: [],
  handle: async (ctx) => reply(200, { businessHours: await readHours(ctx) }),
})

export const putBusinessHours = endpoint({
  ...shared,
  name: 'replaceBusinessHours',
  method: 'PUT',
  path: '/business-hours',
  summary: 'Replace the business hours.',
  description:
    'Times are in `timeZone`, 00:00 to 24:00. A range can run over midnight (`20:00` to `04:00`); it belongs to the day on which it starts. A day in `overrides` replaces the ranges that start on it; the night before stays open until its end.',
  scope: 'automations:write',
  role: 'admin',
  bucket: 'settings-writes',
  refuses: [],
  body: NewBusinessHours,
  example: {
    timeZone: 'Asia/Kolkata',
    weekly: [
      { day: 1, from: '10:00', to: '13:30' },
      { day: 1, from: '15:00', to: '20:00' },
      { day: 5, from: '20:00', to: '04:00' },
    ],
    overrides: [{ date: '2026-12-25', ranges: [] }],
  },
  handle: async (ctx, { body }) => reply(200, { businessHours: await replaceHours(ctx, body) }),
})
