import type { DashboardApi } from '../../../sdk/api.ts'

export type Scope = NonNullable<DashboardApi['POST /keys']['body']['scopes']>[number]

/** Every scope; the compiler names a missing one. */
const EVERY: Record<Scope, true> = {
  'messages:read': true,
  'messages:send': true,
  'conversations:read': true,
  'conversations:write': true,
  'contacts:read': true,
  'contacts:write': true,
  'templates:read': true,
  'templates:write': true,
  'broadcasts:read': true,
  'broadcasts:write': true,
  'analytics:read': true,
  'flows:read': true,
  'quick-replies:read': true,
  'quick-replies:write': true,
  'crm:read': true,
  'crm:write': true,
  'social:read': true,
  'social:write': true,
  'payments:read': true,
  'payments:write': true,
  'invoicing:read': true,
  'invoicing:write': true,
  'bookings:read': true,
  'bookings:write': true,
  'reviews:read': true,
  'reviews:write': true,
  'billing:read': true,
  'team:read': true,
  'team:write': true,
  'automations:read': true,
  'automations:write': true,
  'integrations:read': true,
  'integrations:write': true,
  'webhooks:read': true,
  'webhooks:manage': true,
}
export const SCOPES = Object.keys(EVERY) as Scope[]
