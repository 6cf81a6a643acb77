/**
 * Answers a chat by the assistant (DECISIONS.md). The request runs between two transactions, and its answer
 * counts only if the chat still waits for it. Any failure hands the chat over to teammates.
 */
import type { AssistantAnswer, AssistantQuestion } from '../../../../assistant/port.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { holdAllowances } from '../../../messaging/messages/sending/operations/hold-allowances.ts'
import { deleteSessions, type SessionRow } from '../queries/sessions.ts'
import { type Played, playAfterAssistantFailure } from '../script/play-script.ts'
import { findWaiting, type WaitingKey } from './find-waiting.ts'
import { carryOut } from './run-steps.ts'
import { readShownChat } from './shown-chat.ts'
import { readSituations } from './situations.ts'
import { takeAnswer } from './take-answer.ts'

type Question = WaitingKey

/** The number of a chat's messages that the assistant receives. */
const SHOWN_MESSAGES = 10
/** The number of answers from the assistant in one session. */
const ANSWERS_OF_CHAT = 20

type Prepared = { question: AssistantQuestion } | { handover: string } | undefined

/**
 * Returns the question, and counts it first: a process that dies has used up one answer, and no answer is
 * sent twice.
 */
async function prepare(ctx: Context, question: Question, dailyLimit: number): Promise<Prepared> {
  const waiting = await findWaiting(ctx, question, false)
  const node = waiting?.definition.nodes.find(({ id }) => id === waiting.session.node)
  if (!waiting || node?.type !== 'ai') return undefined
  if (waiting.session.aiAnswers >= ANSWERS_OF_CHAT)
    return { handover: `The assistant reached its limit of ${ANSWERS_OF_CHAT} answers in this chat.` }
  if (!(await takeAnswer(ctx, dailyLimit)))
    return { handover: `The assistant reached its limit of ${dailyLimit} answers a day.` }
  const { instructions, domains } = node
  return {
    question: {
      instructions,
      domains,
      utterances: await readShownChat(ctx, question.conversationId, {
        phone: waiting.contact.phone,
        limit: SHOWN_MESSAGES,
      }),
    },
  }
}

/** Asks the assistant. Returns the function that stores the answer when the job ends. */
export async function askForAnswer(
  { workspace, outside, transaction }: OutsideContext,
  question: Question,
): Promise<(ctx: Context) => Promise<void>> {
  const connection = workspace.sandbox ? undefined : await outside.assistantConnection(workspace.id)
  if (!connection)
    return (ctx) => settle(ctx, question, { kind: 'failed', why: 'No assistant is connected.' })
  const prepared = await transaction((ctx) => prepare(ctx, question, connection.dailyLimit))
  if (!prepared) return () => Promise.resolve()
  const answer: AssistantAnswer =
    'handover' in prepared
      ? { kind: 'handover', why: prepared.handover }
      : await outside.askAssistant(connection, prepared.question)
  return (ctx) => settle(ctx, question, answer)
}

/** Hands the chat over after the job failed in our code. */
export const giveUpAsking = (ctx: Context, question: Question): Promise<void> =>
  settle(ctx, question, { kind: 'failed', why: 'Asking the assistant failed.' })

async function settle(ctx: Context, question: Question, answer: AssistantAnswer): Promise<void> {
  await holdAllowances(ctx, [ctx])
  const waiting = await findWaiting(ctx, question, true)
  if (!waiting) return
  const { session, definition, name, contact, phoneNumberId } = waiting
  const [situation] = await readSituations(ctx, [{ ctx, contact, definition }])
  const played: Played =
    answer.kind === 'answer'
      ? { ...stays(session), said: [{ text: answer.text, menu: null }] }
      : playAfterAssistantFailure(definition, session, situation!, answer.why)
  const bot = { id: session.botId, name, version: session.version, definition }
  const step = {
    ctx,
    contact,
    conversationId: question.conversationId,
    phoneNumberId,
    bot,
    before: session,
    played,
  }
  const [result] = await carryOut(ctx, [{ ...step, byAssistant: answer.kind === 'answer' }])
  // The chat has reached the limit of automatic messages, so the answer was not sent. The session ends.
  if (result!.silenced) await deleteSessions(ctx.tx, [session])
}

const stays = ({ node, answers }: SessionRow): Played => ({
  said: [],
  effects: [],
  understood: true,
  state: 'waiting',
  node,
  answers,
  misses: 0,
  asks: null,
  calls: null,
  text: '',
  reached: [],
  handover: null,
})
