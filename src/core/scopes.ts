import type { Context } from './context.ts'

/** Every scope a key can be narrowed to (spec 5.4 and the endpoint inventory). */
export const SCOPES = [
  'messages:read',
  'messages:send',
  'conversations:read',
  'conversations:write',
  'contacts:read',
  'contacts:write',
  'templates:read',
  'templates:write',
  'broadcasts:read',
  'broadcasts:write',
  'analytics:read',
  'flows:read',
  'quick-replies:read',
  'quick-replies:write',
  'crm:read',
  'crm:write',
  'social:read',
  'social:write',
  'payments:read',
  'payments:write',
  'invoicing:read',
  'invoicing:write',
  'bookings:read',
  'bookings:write',
  'reviews:read',
  'reviews:write',
  'billing:read',
  'team:read',
  'automations:read',
  'automations:write',
  'integrations:read',
  'integrations:write',
  'webhooks:read',
  'webhooks:manage',
] as const

export type Scope = (typeof SCOPES)[number]

/** Whether the caller may read what a scope opens: a key that is narrowed to scopes needs it, nobody else does. */
export const hasScope = ({ actor }: Pick<Context, 'actor'>, scope: Scope): boolean =>
  actor.kind !== 'key' || actor.scopes === null || actor.scopes.includes(scope)
