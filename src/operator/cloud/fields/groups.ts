/** Reports about groups: their messages, receipts, calls, and changes (docs/formats.md sections 8 to 10). */
import type { GroupReport } from '../../report.ts'
import type { Json } from './webhook-value.ts'

/** Fields that name a group or a participant. A group has its own id, independent of the sender. */
const OF_GROUP = ['group_id', 'recipient_participant_id', 'recipient_participant_user_id']

const isNamed = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

/** Returns whether a message, receipt, or call belongs to a group instead of a chat with one customer. */
export const isOfGroup = (item: Json): boolean =>
  item.recipient_type === 'group' || OF_GROUP.some((name) => isNamed(item[name]))

export const ofGroup = (field: string): GroupReport => ({ kind: 'group', field })

/**
 * Returns whether a webhook field is only about groups: group_lifecycle_update, group_participants_update …
 */
export const isGroupField = (field: unknown): field is string =>
  typeof field === 'string' && field.startsWith('group_')
