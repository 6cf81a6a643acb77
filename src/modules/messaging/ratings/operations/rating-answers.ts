/** Customers' answers to rating requests. */
import { HOUR_MS } from '../../../../core/clock.ts'
import { emit } from '../../../../core/event.ts'
import type { Taker } from '../../messages/intake/operations/offer-messages.ts'
import { conversationRated } from '../events.ts'
import { storeScores } from '../queries.ts'

/** Answers count for 72 hours after the question. */
const ANSWER_MS = 72 * HOUR_MS

const PREFIX = 'rating:'
const SCORES = [5, 4, 3, 2, 1]

/** Best first, because it is tapped most often. */
export const RATING_ROWS = SCORES.map((score) => ({
  id: `${PREFIX}${score}`,
  title: `${score} ${'★'.repeat(score)}${'☆'.repeat(5 - score)}`,
}))

const LONE_DIGIT = /^\s*([1-5])\s*$/
const ROW = new RegExp(`^${PREFIX}([1-5])$`)

const scoreIn = (pattern: RegExp, text: unknown): number | undefined => {
  const found = typeof text === 'string' ? pattern.exec(text) : null
  return found ? Number(found[1]) : undefined
}

type Written = { type: string; content: Record<string, unknown> }

/**
 * Returns the score in a message, if it is a rating: a tapped row, a template's button, or a single digit.
 */
function scoreOf({ type, content }: Written): { score: number; tapped: boolean } | undefined {
  const tap = (score: number | undefined) => (score === undefined ? undefined : { score, tapped: true })
  if (type === 'interactive') return tap(scoreIn(ROW, (content.list_reply as { id?: unknown })?.id))
  if (type === 'button') return tap(scoreIn(LONE_DIGIT, content.text))
  const score = type === 'text' ? scoreIn(LONE_DIGIT, content.body) : undefined
  return score === undefined ? undefined : { score, tapped: false }
}

/** Takes the ratings among customers' messages, one for each chat. Runs no query without candidates. */
export const ratingTaker: Taker = {
  name: 'rating',
  async take(unit, messages) {
    const answers = messages.flatMap((message) => {
      const score = scoreOf(message)
      return score ? [{ ...message, ...score }] : []
    })
    if (answers.length === 0) return new Set()
    const rated = await storeScores(
      unit,
      answers.map(({ ctx, ...answer }) => ({ ...answer, workspaceId: ctx.workspace.id, at: ctx.now })),
      ANSWER_MS,
    )
    for (const { messageId, conversationId, score } of rated) {
      const { ctx, contactId } = answers.find((answer) => answer.messageId === messageId)!
      emit(ctx, conversationRated, { conversationId, score }, { contactId })
    }
    return new Set(rated.map(({ messageId }) => messageId))
  },
}
