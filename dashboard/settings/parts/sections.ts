/** Defines the sections of the settings in order, and the roles that may open them. */
import type { Role } from '../../api/session.ts'

export const GROUPS = {
  workspace: {
    workspace: 'admin',
    hours: 'agent',
    tags: 'agent',
    segments: 'agent',
    fields: 'agent',
    'move-in': 'admin',
    start: 'admin',
  },
  channels: { numbers: 'admin', replies: 'agent', macros: 'agent', ratings: 'admin' },
  sales: { pipeline: 'admin', sales: 'admin' },
  bookings: { bookings: 'admin' },
  team: { teams: 'agent', security: 'admin', 'sign-ins': 'admin', activity: 'admin' },
  plan: { usage: 'admin' },
} as const satisfies Record<string, Record<string, Role>>

type Groups = typeof GROUPS
export type SectionGroup = keyof Groups
export type Section = { [Group in SectionGroup]: keyof Groups[Group] }[SectionGroup]
