/** Records customers' answers to the forms that we sent. */
import type { Unit } from '../../../../core/context.ts'
import { readFormAnswer } from '../../../../operator/message-payload/form-answer.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import type { Taker } from '../../messages/intake/operations/offer-messages.ts'
import { findTemplatesForSend } from '../../templates/operations/find-for-send.ts'
import { formIdOf } from '../../templates/operations/form-templates.ts'
import { insertAnswers, listTemplateSources, type NewAnswer } from '../queries/answers.ts'

type ReadAnswer = Omit<NewAnswer, 'formId'>

/** Finds the forms of answers to templates, by the id of the answer. The message of a template does not name its form. */
async function findFormIds(unit: Unit, answers: ReadAnswer[]): Promise<Map<string, string>> {
  const sources = await listTemplateSources(unit.tx, answers)
  if (sources.length === 0) return new Map()
  const numbers = await listNumbers(unit, [...new Set(sources.map(({ workspaceId }) => workspaceId))])
  const accounts = new Map(numbers.map(({ id, accountId }) => [id, accountId]))
  const templates = await findTemplatesForSend(
    unit,
    sources.map(({ workspaceId, phoneNumberId, name, language }) => ({
      workspaceId,
      accountId: accounts.get(phoneNumberId) ?? '',
      name,
      language,
    })),
  )
  return new Map(
    sources.flatMap(({ id }, i) => {
      const formId = formIdOf(templates[i]?.components ?? [])
      return formId === undefined ? [] : [[id, formId] as const]
    }),
  )
}

/**
 * Records the answers among customers' messages by the message with the form that they reply to. Leaves the messages to the next
 * takers. Runs no query without an answer.
 */
export const formAnswerTaker: Taker = {
  name: 'form answer',
  async take(unit, messages) {
    const answers = messages.flatMap(({ ctx, messageId, type, content, replyTo }): ReadAnswer[] => {
      const fields = replyTo === null ? null : readFormAnswer(type, content)
      return fields === null
        ? []
        : [{ workspaceId: ctx.workspace.id, id: messageId, chanmid: replyTo!, fields, createdAt: ctx.now }]
    })
    if (answers.length === 0) return new Set()
    const formIds = await findFormIds(unit, answers)
    await insertAnswers(
      unit.tx,
      answers.map((answer) => ({ ...answer, formId: formIds.get(answer.id) ?? null })),
    )
    return new Set()
  },
}
