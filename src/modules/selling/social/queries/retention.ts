import { deletingOlder } from '../../../../database/sql/delete-older.ts'
import { deletingPastRetention } from '../../../../database/sql/past-retention.ts'

/** Reports that could not be applied. */
export const deleteFailedUpdates = deletingOlder('social_updates', 'failed_at')

/** Edits, deletions and reactions whose message never arrived. */
export const deleteWaitingChanges = deletingOlder('social_message_changes', 'created_at')

/** Replies whose comment never arrived. */
export const deleteWaitingReplies = deletingOlder('social_waiting_replies', 'created_at')

/** Deletes direct messages past their workspace's retention. */
export const deleteOldMessages = deletingPastRetention('social_messages')
