import { z } from 'zod'
import { endpoint, reply } from '../../core/endpoint.ts'
import { readHours, replaceHours } from './operations.ts'
import { BusinessHours, NewBusinessHours } from './schema.ts'

const face = {
  tag: 'Automations',
  section: '4.10',
  replies: { 200: z.object({ businessHours: BusinessHours }) },
} as const

export const getBusinessHours = endpoint({
  ...face,
  name: 'getBusinessHours',
  method: 'GET',
  path: '/business-hours',
  summary: 'When the business is open: each day of the week, and days that differ.',
  scope: 'automations:read',
  role: 'viewer',
  bucket: 'reads',
  refuses: [],
  handle: async (ctx) => reply(200, { businessHours: await readHours(ctx) }),
})

export const putBusinessHours = endpoint({
  ...face,
  name: 'replaceBusinessHours',
  method: 'PUT',
  path: '/business-hours',
  summary: 'Replace the hours of the business.',
  description:
    'Times are those of the clocks in `timeZone`, 00:00 to 24:00. A range may run over midnight (`20:00` to `04:00`): it belongs to the ' +
    'day on which it begins. A day in `overrides` replaces the ranges that begin on it; the night before it stays open until its end.',
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
