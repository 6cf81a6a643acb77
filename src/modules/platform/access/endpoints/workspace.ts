import { z } from 'zod'
import { accountEndpoint, endpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { isTimeZone } from '../../../../core/values/calendar.ts'
import { isCallingCode } from '../../../../core/values/country.ts'
import { LANGUAGES } from '../../../../core/values/languages.ts'
import { Instant } from '../../../../core/values/text.ts'
import { readUsage } from '../../workspaces/operations/workspaces.ts'
import {
  changeSettings,
  createOwnSandbox,
  readSettings,
  renewCaptureToken,
} from '../operations/workspace-settings.ts'
import { DASHBOARD } from './session.ts'

const ADMIN = { ...DASHBOARD, role: 'admin' } as const

/** The roles from which an owner can hide customers' phone numbers and email addresses. */
const HIDEABLE = ['viewer', 'agent'] as const

const Settings = z.object({
  id: Id,
  name: z.string(),
  plan: z.enum(['free', 'pro', 'enterprise', 'unlimited']),
  sandbox: z.boolean(),
  countryCode: z.string(),
  timezone: z.string(),
  language: z.enum(LANGUAGES),
  leadCapture: z.boolean(),
  captureUrl: z.string(),
  socialAddon: z.boolean(),
  socialEnabled: z.boolean(),
  modules: z.array(z.string()),
  marketingCap: z.number().int(),
  coolOffDays: z.number().int(),
  followUpHours: z.number().int(),
  messageDays: z.number().int().nullable(),
  detailsHiddenFrom: z.array(z.enum(HIDEABLE)),
  createdAt: Instant,
})

const Timezone = z.string().max(100).refine(isTimeZone, 'Must be a time zone, such as Asia/Kolkata.')
const CallingCode = z.string().max(4).refine(isCallingCode, 'Must be a calling code without +, such as 91.')

const SettingsPatch = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  countryCode: CallingCode.optional(),
  timezone: Timezone.optional(),
  language: z.enum(LANGUAGES).optional(),
  leadCapture: z.boolean().optional(),
  socialEnabled: z.boolean().optional(),
  marketingCap: z.number().int().min(1).max(8).optional(),
  coolOffDays: z.number().int().min(0).max(365).optional(),
  followUpHours: z.number().int().min(0).max(8_760).optional(),
  messageDays: z
    .number()
    .int()
    .refine((days) => days === 0 || (days >= 90 && days <= 36_500), 'Must be 0 (no limit) or at least 90.')
    .optional(),
  detailsHiddenFrom: z
    .array(z.enum(HIDEABLE))
    .max(HIDEABLE.length)
    .transform((roles) => HIDEABLE.filter((role) => roles.includes(role)))
    .optional(),
})

const Used = z.object({ used: z.number().int().nullable(), limit: z.number().int().nullable() })

export const getUsage = endpoint({
  ...ADMIN,
  name: 'getUsage',
  method: 'GET',
  path: '/usage',
  summary: 'Get the use of each limit of the plan; null for no limit.',
  bucket: 'reads',
  replies: { 200: z.object({ plan: z.string(), month: z.string(), contacts: Used, messages: Used }) },
  refuses: [],
  handle: async (ctx) => reply(200, await readUsage(ctx)),
})

export const postWorkspace = accountEndpoint({
  ...DASHBOARD,
  name: 'createSandbox',
  method: 'POST',
  path: '/workspaces',
  summary: 'Create your own sandbox with a simulated number.',
  role: 'admin',
  bucket: 'settings-writes',
  body: z.strictObject({ sandbox: z.literal(true) }),
  replies: { 201: z.object({ workspace: z.object({ id: Id, name: z.string() }) }) },
  refuses: ['conflict'],
  handle: async (ctx) => reply(201, { workspace: await createOwnSandbox(ctx) }),
})

export const getWorkspace = endpoint({
  ...ADMIN,
  name: 'getWorkspace',
  method: 'GET',
  path: '/workspace',
  summary: 'Get the settings of the workspace.',
  bucket: 'reads',
  replies: { 200: z.object({ workspace: Settings }) },
  refuses: [],
  handle: async (ctx) => reply(200, { workspace: await readSettings(ctx) }),
})

export const patchWorkspace = endpoint({
  ...ADMIN,
  name: 'updateWorkspace',
  method: 'PATCH',
  path: '/workspace',
  summary: 'Change the settings of the workspace.',
  bucket: 'settings-writes',
  body: SettingsPatch,
  replies: { 200: z.object({ workspace: Settings }) },
  refuses: ['forbidden'],
  handle: async (ctx, { body }) => reply(200, { workspace: await changeSettings(ctx, body) }),
})

export const postCaptureToken = endpoint({
  ...ADMIN,
  name: 'renewCaptureLink',
  method: 'POST',
  path: '/workspace/capture-token',
  summary: 'Replace the address of the capture link. The old address stops working.',
  fresh: true,
  bucket: 'settings-writes',
  replies: { 200: z.object({ workspace: Settings }) },
  refuses: [],
  handle: async (ctx) => reply(200, { workspace: await renewCaptureToken(ctx) }),
})
