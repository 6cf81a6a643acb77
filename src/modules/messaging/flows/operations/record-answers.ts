/** Records customers' answers to the forms that we sent. */
import { readFormAnswer } from '../../../../operator/message-payload/form-answer.ts'
import type { Taker } from '../../messages/intake/operations/offer-messages.ts'
import { insertAnswers } from '../queries/answers.ts'

/**
 * Records the answers among customers' messages by the message with the form that they reply to. Leaves the messages to the next
 * takers. Runs no query without an answer.
 */
export const formAnswerTaker: Taker = {
  name: 'form answer',
  async take(unit, messages) {
    const answers = messages.flatMap(({ ctx, messageId, type, content, replyTo }) => {
      const fields = replyTo === null ? null : readFormAnswer(type, content)
      return fields === null
        ? []
        : [{ workspaceId: ctx.workspace.id, id: messageId, chanmid: replyTo!, fields, createdAt: ctx.now }]
    })
    if (answers.length > 0) await insertAnswers(unit.tx, answers)
    return new Set()
  },
}
