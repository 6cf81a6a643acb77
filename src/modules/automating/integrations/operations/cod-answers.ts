/** Customers' answers to the question about cash on delivery (spec 6.3 order.cod_response). */
import type { Context, Unit } from '../../../../core/context.ts'
import { emit, touch } from '../../../../core/event.ts'
import { LANGUAGES } from '../../../../core/values/languages.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import type { Offered, Taker } from '../../../messaging/messages/intake/operations/offer-messages.ts'
import { orderCodResponse } from '../events.ts'
import { markOrderInShop } from '../jobs.ts'
import { type TakenAnswer, takeAnswers } from '../queries/cod.ts'
import { orderTexts } from '../texts/texts.ts'
import { readStoreSettings } from './store-settings.ts'

/** Returns the ids of the buttons under a question. */
export const answerIds = (orderId: string) => ({ yes: `cod:${orderId}:yes`, no: `cod:${orderId}:no` })

const BUTTON = /^cod:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}):(yes|no)$/

/** The length of the longest answer that is read, with its spaces and signs. */
const MAX_ANSWER = 100

/** Returns a word without case, accents, and the signs around it, as customers type it. */
const plainWord = (text: string): string =>
  text.length > MAX_ANSWER
    ? ''
    : text
        .normalize('NFD')
        .replaceAll(/[\u0300-\u036f]/g, '')
        .split(/[\s.!।]/)
        .filter((word) => word !== '')
        .join(' ')
        .toLowerCase()

/** The words on the buttons, in every language. */
const WORDS = new Map(
  LANGUAGES.flatMap((language): [string, boolean][] => {
    const { t } = orderTexts(language)
    return [
      [plainWord(t('yes')), true],
      [plainWord(t('no')), false],
    ]
  }),
)

type MessageContent = { type: string; content: Record<string, unknown> }

/** Returns the answer in a message: a button, or one word. `orderId` null: about the last question. */
export function answerIn({
  type,
  content,
}: MessageContent): { orderId: string | null; confirmed: boolean } | undefined {
  const {
    button_reply: reply,
    payload,
    body,
    text,
  } = content as {
    button_reply?: { id?: unknown }
    payload?: unknown
    body?: unknown
    text?: unknown
  }
  const id = type === 'interactive' ? reply?.id : type === 'button' ? payload : undefined
  const tapped = typeof id === 'string' ? BUTTON.exec(id) : null
  if (tapped) return { orderId: tapped[1]!, confirmed: tapped[2] === 'yes' }
  const answerText = type === 'text' ? body : type === 'button' ? text : undefined
  const confirmed = typeof answerText === 'string' ? WORDS.get(plainWord(answerText)) : undefined
  return confirmed === undefined ? undefined : { orderId: null, confirmed }
}

/**
 * Records the cash-on-delivery answers among customers' messages, the first per order. Runs no query if there
 * are none. Returns the ids of the messages that were answers.
 */
async function recordCodAnswers(unit: Unit, messages: Offered[]): Promise<Set<string>> {
  const answers = messages.flatMap((message) => {
    const answer = answerIn(message)
    return answer ? [{ ...message, ...answer }] : []
  })
  if (answers.length === 0) return new Set()
  const takenAnswers = await takeAnswers(
    unit,
    answers.map(({ ctx, ...answer }) => ({ ...answer, workspaceId: ctx.workspace.id, at: ctx.now })),
  )
  const answeredQuestions = takenAnswers.map((row) => ({
    row,
    answer: answers.find(({ messageId }) => messageId === row.messageId)!,
  }))
  for (const { row, answer } of answeredQuestions) {
    const { conversationId, contactId } = answer
    const { reference, confirmed, orderId } = row
    touch(answer.ctx, { order: orderId })
    emit(answer.ctx, orderCodResponse, { conversationId, contactId, reference, confirmed }, { contactId })
  }
  for (const [, group] of Map.groupBy(answeredQuestions, ({ answer }) => answer.ctx.workspace.id))
    await markInShops(
      group[0]!.answer.ctx,
      group.map(({ row }) => row),
    )
  return new Set(takenAnswers.map(({ messageId }) => messageId))
}

/** Simulated and own shops can't be marked. They receive the event instead. */
const TAKE_MARKS = ['shopify', 'woocommerce']

async function markInShops(ctx: Context, takenAnswers: TakenAnswer[]): Promise<void> {
  const markable = takenAnswers.filter(({ integration }) => TAKE_MARKS.includes(integration))
  if (markable.length === 0) return
  const settingsOf = await readStoreSettings(ctx)
  await enqueueAll(
    markOrderInShop,
    markable.flatMap(({ integration, externalId, confirmed }) =>
      externalId !== null && settingsOf(integration).cod.tagStore
        ? [{ ctx, payload: { integration, externalId, confirmed } }]
        : [],
    ),
  )
}

/** Takes customers' answers about cash on delivery out of their messages. */
export const codTaker: Taker = { name: 'cash on delivery', take: recordCodAnswers }
