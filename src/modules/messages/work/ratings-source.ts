import { sourceOfDueRows } from '../../../core/due-rows.ts'
import { dueRatings, RATINGS } from '../../conversations/operations/ratings.ts'
import { askDueRatings } from '../ratings/operations/ask-ratings.ts'

/** Asks how chats were that people ended. The row that is due is the work: asked and remembered in one transaction. */
export const ratingsSource = sourceOfDueRows(RATINGS, dueRatings, askDueRatings)
