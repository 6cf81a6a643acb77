import { sourceOfDueRows } from '../../../../database/sql/due-rows.ts'
import { dueRatings, RATINGS } from '../../conversations/operations/ratings.ts'
import { askDueRatings } from '../ratings/operations/ask-ratings.ts'

/**
 * Sends rating requests for chats that members resolved. The due row is the job: sent and recorded in one
 * transaction.
 */
export const ratingsSource = sourceOfDueRows(RATINGS, dueRatings, askDueRatings)
