/** Shapes of the changes that a conversation's thread shows. */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { SourceSchema } from '../../../core/source.ts'
import { Instant } from '../../../core/values/text.ts'
import type { ChangeRow } from './queries/changes.ts'
import type { ConversationRow } from './queries/conversations.ts'
import { PRIORITIES } from './schema.ts'

export const CHANGE_ACTIONS = [
  'assigned',
  'unassigned',
  'joined_team',
  'left_team',
  'resolved',
  'pending',
  'reopened',
  'priority',
  'archived',
  'unarchived',
  'snoozed',
  'unsnoozed',
  'tagged',
  'untagged',
] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

/** A change of a conversation, as its thread shows it. */
export const ConversationChange = z
  .object({
    id: Id,
    conversationId: Id,
    action: z.enum(CHANGE_ACTIONS),
    assignee: z.object({ id: Id, name: z.string().nullable() }).nullable(),
    team: z.object({ id: Id, name: z.string().nullable() }).nullable(),
    priority: z.enum(PRIORITIES).nullable(),
    until: Instant.nullable(),
    tag: z.string().nullable(),
    source: SourceSchema.nullable(),
    createdAt: Instant,
  })
  .meta({
    id: 'ConversationChange',
    description:
      'A change of a conversation: its assignment, team, state, priority, archiving, snooze, or tags.',
    fields: {
      action: 'The change. `priority`: it has a new priority. `unsnoozed`: it is back from a snooze.',
      assignee: 'For `assigned`: the member it was assigned to; otherwise null.',
      'assignee.id': 'Id of the member.',
      'assignee.name': "The member's name at that time; null if unknown.",
      team: 'For `joined_team`: the team that the conversation was put into; otherwise null.',
      'team.id': 'Id of the team.',
      'team.name': "The team's name at that time; null if unknown.",
      priority: 'For `priority`: the new priority; otherwise null.',
      until: 'For `snoozed`: until when, in UTC; null until the customer writes. Otherwise null.',
      tag: 'For `tagged` and `untagged`: the tag that the contact got or lost; otherwise null.',
      source: 'Source of the change; null if Parley made it.',
    },
  })

/** Returns a stored change in the form for responses. */
export const presentChange = (row: ChangeRow): z.input<typeof ConversationChange> => ({
  id: row.id,
  conversationId: row.conversationId,
  action: row.action,
  assignee: row.action === 'assigned' && row.value ? { id: row.value, name: row.valueName } : null,
  team: row.action === 'joined_team' && row.value ? { id: row.value, name: row.valueName } : null,
  priority: row.action === 'priority' ? (row.value as ConversationRow['priority']) : null,
  until: row.action === 'snoozed' ? row.value : null,
  tag: row.action === 'tagged' || row.action === 'untagged' ? row.value : null,
  source: row.sourceKind && { kind: row.sourceKind, id: row.sourceId, name: row.sourceName },
  createdAt: row.createdAt.toISOString(),
})
