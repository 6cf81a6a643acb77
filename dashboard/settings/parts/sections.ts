/** Which sections the settings have, in their order, and who may open them. */
import type { Role } from '../../api/session.ts'

export const GROUPS = {
  workspace: { workspace: 'admin', hours: 'agent', tags: 'agent', fields: 'agent', start: 'admin' },
  channels: { numbers: 'admin', replies: 'agent', ratings: 'admin' },
  sales: { pipeline: 'admin', sales: 'admin' },
  bookings: { bookings: 'admin' },
  team: { security: 'admin', 'sign-ins': 'admin', activity: 'admin' },
  plan: { usage: 'admin' },
} as const satisfies Record<string, Record<string, Role>>

type Groups = typeof GROUPS
export type SectionGroup = keyof Groups
export type Section = { [Group in SectionGroup]: keyof Groups[Group] }[SectionGroup]
