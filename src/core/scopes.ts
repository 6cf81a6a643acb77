import type { Context } from './context.ts'
import { refuse } from './errors.ts'

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
  'team:write',
  'automations:read',
  'automations:write',
  'integrations:read',
  'integrations:write',
  'webhooks:read',
  'webhooks:manage',
] as const

export type Scope = (typeof SCOPES)[number]

/** Whether the caller may read the data of a scope. Only keys that are narrowed to scopes need it. */
export const hasScope = ({ actor }: Pick<Context, 'actor'>, scope: Scope): boolean =>
  actor.kind !== 'key' || actor.scopes === null || actor.scopes.includes(scope)

/**
 * Refuses `insufficient_scope` for a key that is narrowed to scopes without this one. `subject` names the part of the
 * request that needs it.
 */
export function requireScope(ctx: Pick<Context, 'actor'>, scope: Scope, subject: string): void {
  if (hasScope(ctx, scope)) return
  refuse(
    'insufficient_scope',
    `${subject} requires the scope ${scope}, which this key doesn't have. Use a key that has it.`,
    {
      required: scope,
    },
  )
}

/** The scope for reading names with this prefix in conditions and placeholders: `contact.phone`. */
const READ_BY: Readonly<Record<string, Scope>> = {
  contact: 'contacts:read',
  lead: 'crm:read',
  conversation: 'conversations:read',
  message: 'messages:read',
}

/** Refuses a narrowed key that uses a field in a condition or a placeholder without the scope for reading it. */
export function requireReadableNames(ctx: Pick<Context, 'actor'>, names: Iterable<string>): void {
  for (const name of names) {
    const subject = name.split('.', 1)[0]!
    const scope = Object.hasOwn(READ_BY, subject) ? READ_BY[subject] : undefined
    if (scope) requireScope(ctx, scope, name)
  }
}
