import { deletingPastRetention } from '../../../../../database/sql/past-retention.ts'

/** Deletes messages past their workspace's retention. Messages that wait to be sent stay. */
export const deleteOldMessages = deletingPastRetention('messages', 'run_at is null')
