import { sourceOfDueRows } from '../../../../database/sql/due-rows.ts'
import { RATINGS } from '../../conversations/operations/plan-rating.ts'
import { askDueRatings } from '../operations/ask-ratings.ts'
import { dueRatings } from '../queries.ts'

/**
 * Sends rating requests for chats that members resolved. The due row is the job: sent and recorded in one
 * transaction.
 */
export const ratingsSource = sourceOfDueRows(RATINGS, dueRatings, askDueRatings)
