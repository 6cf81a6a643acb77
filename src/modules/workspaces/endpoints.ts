import { z } from 'zod'
import type { KeyActor } from '../../core/context.ts'
import { endpoint, reply } from '../../core/endpoint.ts'
import { listPhoneNumbers } from './operations.ts'
import { Me, PhoneNumber } from './schema.ts'

export const getMe = endpoint({
  method: 'GET',
  path: '/me',
  summary: "The caller's workspace and key: label, role, scopes, expiry; never the key.",
  tag: 'Workspace',
  section: '4.3',
  scope: null,
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: Me },
  refuses: [],
  handle: async (ctx) => {
    const { id, name, plan, sandbox, timezone, countryCode } = ctx.workspace
    // Only the key door serves the API; the actor is its key.
    const key = ctx.actor as KeyActor
    return reply(200, {
      workspace: { id, name, plan, sandbox, timezone, countryCode },
      key: {
        id: key.keyId,
        label: key.label,
        role: key.role,
        scopes: key.scopes,
        expiresAt: key.expiresAt?.toISOString() ?? null,
      },
    })
  },
})

export const getPhoneNumbers = endpoint({
  method: 'GET',
  path: '/phone-numbers',
  summary: "The workspace's numbers, the default for sending first among the active ones.",
  tag: 'Workspace',
  section: '4.3',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  replies: { 200: z.object({ phoneNumbers: z.array(PhoneNumber) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { phoneNumbers: await listPhoneNumbers(ctx) }),
})
