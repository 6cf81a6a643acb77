/** What the operator reports of groups: messages, receipts, and calls in one, and what becomes of one (docs/formats.md sections 8 to 10). */
import type { GroupReport } from '../../report.ts'
import type { Json } from './webhook-value.ts'

/** Names of a group, or of somebody in one. A group has an id of its own, whoever wrote. */
const OF_GROUP = ['group_id', 'recipient_participant_id', 'recipient_participant_user_id']

const isNamed = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

/** Whether a message, a receipt, or a call belongs to a group, and not to the chat with one customer. */
export const isOfGroup = (item: Json): boolean =>
  item.recipient_type === 'group' || OF_GROUP.some((name) => isNamed(item[name]))

export const ofGroup = (field: string): GroupReport => ({ kind: 'group', field })

/** Whether a webhook's field is about groups alone: group_lifecycle_update, group_participants_update … */
export const isGroupField = (field: unknown): field is string =>
  typeof field === 'string' && field.startsWith('group_')
