import { sourceOfDueRows } from '../../../../database/sql/due-rows.ts'
import { COD_QUESTIONS } from '../operations/cod-plans.ts'
import { askDueQuestions } from '../operations/send-cod-questions.ts'
import { dueQuestions } from '../queries/cod.ts'

/** Asks about cash on delivery. Each due row is asked and recorded in one transaction. */
export const codQuestionsSource = sourceOfDueRows(COD_QUESTIONS, dueQuestions, askDueQuestions)
