import { z } from 'zod'
import { ROLES } from '../../../../core/context.ts'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { SCOPES } from '../../../../core/scopes.ts'
import { toCidr } from '../../../../core/values/address-range.ts'
import { Instant, InstantInput } from '../../../../core/values/text.ts'
import { makeKey, readKeys, revokeKey } from '../operations/keys.ts'
import { DASHBOARD } from './session.ts'

const ADMIN = { ...DASHBOARD, role: 'admin' } as const

const Key = z.object({
  id: Id,
  label: z.string(),
  prefix: z.string(),
  role: z.enum(ROLES),
  scopes: z.array(z.string()).nullable(),
  allowIps: z.array(z.string()).nullable(),
  memberId: Id.nullable(),
  expiresAt: Instant.nullable(),
  renewsUntil: Instant.nullable().meta({
    description: 'Until when the app that connected in a browser can renew this key. Null for any other key.',
  }),
  revokedAt: Instant.nullable(),
  createdAt: Instant,
})

const AddressRange = z
  .string()
  .max(50)
  .refine((range) => toCidr(range) !== undefined, 'Must be an IP address or a range, such as 203.0.113.0/24.')

export const getKeys = endpoint({
  ...ADMIN,
  name: 'listKeys',
  method: 'GET',
  path: '/keys',
  summary: "List the workspace's API keys without their secrets.",
  bucket: 'reads',
  replies: { 200: z.object({ keys: z.array(Key) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { keys: await readKeys(ctx) }),
})

export const postKey = endpoint({
  ...ADMIN,
  name: 'createKey',
  method: 'POST',
  path: '/keys',
  summary: 'Create an API key. It is shown only once.',
  fresh: true,
  bucket: 'settings-writes',
  body: z.strictObject({
    label: z.string().trim().min(1).max(100),
    role: z.enum(ROLES),
    scopes: z.array(z.enum(SCOPES)).max(SCOPES.length).optional(),
    expiresAt: InstantInput.optional(),
    allowIps: z.array(AddressRange).min(1).max(100).optional(),
  }),
  replies: { 201: z.object({ key: Key, apiKey: z.string() }) },
  refuses: [],
  handle: async (ctx, { body }) => reply(201, await makeKey(ctx, body)),
})

export const deleteKey = endpoint({
  ...ADMIN,
  name: 'revokeKey',
  method: 'DELETE',
  path: '/keys/:id',
  summary: 'Revoke an API key. It stops working within a second.',
  subject: 'key',
  fresh: true,
  bucket: 'settings-writes',
  replies: { 200: z.object({ key: Key }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { key: await revokeKey(ctx, params.id) }),
})
