/** Asks customers to confirm their cash-on-delivery orders, and reminds them once (DECISIONS.md). */

import { HOUR_MS, later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { type DueMoment, runOffsetOf } from '../../../../core/due.ts'
import { Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { actingAs } from '../../../../core/source.ts'
import { type Language, languageOf } from '../../../../core/values/languages.ts'
import { numberLocale } from '../../../../core/values/money.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { readLanguages } from '../../../messaging/contacts/operations/customer-language.ts'
import {
  askCustomers,
  type Fallback,
  type Filled,
  findReachable,
  findTemplate,
  type Template,
} from '../../../messaging/messages/sending/operations/ask-customer.ts'
import { logUnsent } from '../../../messaging/messages/sending/operations/record-unsent.ts'
import { bodyVariables } from '../../../messaging/templates/operations/body-variables.ts'
import { type DueQuestion, listDueQuestions, type QuestionChange, updateQuestions } from '../queries/cod.ts'
import type { CodSettings, StoreSettings } from '../schema.ts'
import { orderTexts } from '../texts/texts.ts'
import { answerIds } from './cod-answers.ts'
import { COD_QUESTIONS } from './cod-plans.ts'
import { readStoreSettings } from './store-settings.ts'

const BATCH = 50

const sumOf = ({ total, currency }: DueQuestion, language: Language): string => {
  if (total === null) return '-'
  if (currency === null) return String(total)
  return new Intl.NumberFormat(numberLocale(currency, language), { style: 'currency', currency }).format(
    total,
  )
}

const textOf = (question: DueQuestion, language: Language): string =>
  orderTexts(language).t('question', { reference: question.reference, sum: sumOf(question, language) })

const rowsOf = ({ orderId }: DueQuestion, language: Language) => {
  const { yes, no } = answerIds(orderId)
  const { t } = orderTexts(language)
  return [
    { id: yes, title: t('yes') },
    { id: no, title: t('no') },
  ]
}

type Button = { type?: string }
type Component = { type?: string; buttons?: Button[] }

/** Fills in a template: name, order, and amount. Its first two quick replies are yes and no. */
function filledFor(template: Template, question: DueQuestion): Filled {
  // The values follow the language of the template, not of the customer.
  const language = languageOf(template.language) ?? 'en'
  const name = question.customerName?.trim() || orderTexts(language).t('you')
  const values = [name, question.reference, sumOf(question, language)]
  const buttons = (template.components as Component[]).find(({ type }) => type === 'BUTTONS')?.buttons ?? []
  const places = buttons.flatMap(({ type }, index) => (type === 'QUICK_REPLY' ? [index] : []))
  const { yes, no } = answerIds(question.orderId)
  return {
    body: bodyVariables(template).map((_, i) => values[i]),
    buttons: [yes, no].flatMap((payload, i) => {
      const index = places[i]
      return index === undefined ? [] : [{ index, payload }]
    }),
  }
}

/** Returns the change that leaves a question as it is. */
const unchanged = (orderId: string): QuestionChange => ({
  orderId,
  status: 'asked',
  runAt: null,
  runOffsetMs: null,
  messageId: null,
  askedAt: null,
  remindedAt: null,
  expiresAt: null,
  failure: null,
})

/** Converts a time in the workspace's time to the due time of a row. */
const dueOn = (ctx: Context, time: Date) => ({
  runAt: realTime(time, ctx.workspace),
  runOffsetMs: runOffsetOf(ctx.workspace),
})

function askedChange(
  ctx: Context,
  { orderId }: DueQuestion,
  messageId: string,
  cod: CodSettings,
): QuestionChange {
  const expiresAt = later(ctx.now, cod.expireHours * HOUR_MS)
  const waitMs = Math.min(cod.expireHours * HOUR_MS, (cod.remindAfterMinutes ?? Infinity) * MINUTE_MS)
  return {
    ...unchanged(orderId),
    messageId,
    askedAt: ctx.now,
    expiresAt,
    ...dueOn(ctx, later(ctx.now, waitMs)),
  }
}

/**
 * Returns the change after the reminder: the question only expires, even if the reminder couldn't be sent.
 */
const remindedChange = (
  ctx: Context,
  { orderId, expiresAt }: DueQuestion,
  messageId: string | null,
): QuestionChange => ({
  ...unchanged(orderId),
  messageId,
  remindedAt: ctx.now,
  ...dueOn(ctx, expiresAt!),
})

/** Returns the change of a question that needs no message; undefined if a message is sent. */
function changeWithoutMessage(
  ctx: Context,
  question: DueQuestion,
  cod: CodSettings,
): QuestionChange | undefined {
  const { orderId, status, expiresAt, remindedAt } = question
  if (status === 'waiting')
    return question.shipped || !cod.enabled ? { ...unchanged(orderId), status: 'dropped' } : undefined
  if (expiresAt !== null && expiresAt <= ctx.now) return { ...unchanged(orderId), status: 'expired' }
  return remindedAt !== null || question.shipped || !cod.enabled || cod.remindAfterMinutes === null
    ? { ...unchanged(orderId), ...dueOn(ctx, expiresAt!) }
    : undefined
}

function changeAfterSend(
  ctx: Context,
  question: DueQuestion,
  { outcome, cod }: { outcome: string | Refusal; cod: CodSettings },
): QuestionChange {
  const isFailed = outcome instanceof Refusal
  if (isFailed)
    logUnsent(ctx, { contactId: question.contactId, subject: 'The cash on delivery question', why: outcome })
  if (question.status === 'asked')
    return {
      ...remindedChange(ctx, question, isFailed ? null : outcome),
      failure: isFailed ? `The reminder wasn't sent: ${outcome.message}` : null,
    }
  return isFailed
    ? { ...unchanged(question.orderId), status: 'failed', failure: outcome.message }
    : askedChange(ctx, question, outcome, cod)
}

/** Asks about due orders in the transaction that records it, so that a crash sends nothing. */
export async function askDueQuestions(ctx: Context, due: DueMoment): Promise<number> {
  // One process at a time, because the same questions are due in every process.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, COD_QUESTIONS)
  const questions = await listDueQuestions(ctx, due, BATCH)
  if (questions.length === 0) return 0
  const settingsOf = await readStoreSettings(ctx)
  const changes: QuestionChange[] = []
  const unanswered: DueQuestion[] = []
  for (const question of questions) {
    const settledChange = changeWithoutMessage(ctx, question, settingsOf(question.integration).cod)
    if (settledChange) changes.push(settledChange)
    else unanswered.push(question)
  }
  // Each shop can have a separate template. There are only a few shops.
  for (const [integration, group] of Map.groupBy(unanswered, (question) => question.integration))
    changes.push(...(await askGroup(ctx, group, settingsOf(integration))))
  await updateQuestions(ctx, changes)
  touch(ctx, { order: changes.map(({ orderId }) => orderId) })
  return questions.length
}

async function askGroup(
  ctx: Context,
  group: DueQuestion[],
  { cod }: StoreSettings,
): Promise<QuestionChange[]> {
  const [template, reachable] = await Promise.all([
    findTemplate(ctx, cod.templateId),
    findReachable(
      ctx,
      group.map(({ contactId }) => contactId),
    ),
  ])
  const fallback: Fallback | undefined = template && {
    template,
    fill: (question, i) => filledFor(question, group[i]!),
  }
  const languageOfCustomer = await readLanguages(
    ctx,
    group.map(({ contactId }) => contactId),
  )
  const outcomes = await askCustomers(
    actingAs(ctx, { kind: 'order', id: null, name: null }),
    group.map((question) => ({
      contactId: question.contactId,
      ...(reachable.get(question.contactId) ?? { windowExpiresAt: null }),
      text: textOf(question, languageOfCustomer(question.contactId)),
      rows: rowsOf(question, languageOfCustomer(question.contactId)),
      button: null,
    })),
    fallback,
  )
  return group.map((question, i) => changeAfterSend(ctx, question, { outcome: outcomes[i]!, cod }))
}
