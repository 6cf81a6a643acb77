/** An assistant with an HTTP API like OpenAI's: `POST {url}/chat/completions`. */
import { z } from 'zod'
import { SECOND_MS } from '../core/clock.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import { ANSWER_MAX, type ChatMessage, framed } from './frame.ts'
import type { AskAssistant, AssistantConnection, WriteText } from './port.ts'
import { readAnswer } from './read-answer.ts'
import { readText } from './read-text.ts'
import { framedTask, TEXT_MAX } from './write-frame.ts'

/** The timeout of the whole call. */
export const ASK_TIMEOUT_MS = 20 * SECOND_MS
const MAX_BODY_BYTES = 256 * 1024
/** For some scripts, models count a token for each character, and their reasoning counts too. */
const TOKENS_OF_CHARACTER = 2

const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
})

type Failed = { kind: 'failed'; why: string }
type Completed = { kind: 'content'; content: string } | Failed

const failed = (reason: string): Failed => ({ kind: 'failed', why: reason })

function contentOf(body: Buffer): Completed {
  const message = messageIn(body)
  if (typeof message?.content === 'string') return { kind: 'content', content: message.content }
  return message?.refusal
    ? failed('The assistant declined to answer.')
    : failed("The assistant's answer isn't valid.")
}

function messageIn(body: Buffer) {
  try {
    return Completion.safeParse(JSON.parse(body.toString('utf8'))).data?.choices[0]?.message
  } catch {
    return undefined
  }
}

type Caller = Pick<Egress, 'prepareTarget' | 'post'>
type Question = { messages: ChatMessage[]; maxCharacters: number }

/** Calls through the checked egress: private addresses are reached only if PARLEY_EGRESS_ALLOW lists them. */
async function complete(
  egress: Caller,
  { url, apiKey, model }: AssistantConnection,
  { messages, maxCharacters, timeoutMs }: Question & { timeoutMs: number },
): Promise<Completed> {
  try {
    const answer = await egress.post({
      target: egress.prepareTarget(`${url}/chat/completions`, { requireHttps: false }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        model,
        messages,
        max_tokens: TOKENS_OF_CHARACTER * maxCharacters,
        temperature: 0.2,
      }),
      timeoutMs,
      maxBodyBytes: MAX_BODY_BYTES,
    })
    if (answer.status !== 200) return failed(`The assistant answered with status ${answer.status}.`)
    if (answer.truncated) return failed("The assistant's answer is too long.")
    return contentOf(answer.body)
  } catch (error) {
    if (error instanceof EgressFault) return failed(`The assistant couldn't be reached: ${error.message}`)
    throw error
  }
}

/** Asks for an answer to a customer. */
export const chatCompletions =
  (egress: Caller, timeoutMs: number = ASK_TIMEOUT_MS): AskAssistant =>
  async (connection, question) => {
    const messages = framed(question)
    const completed = await complete(egress, connection, { messages, maxCharacters: ANSWER_MAX, timeoutMs })
    return completed.kind === 'content' ? readAnswer(completed.content, question.domains) : completed
  }

/** Asks for a text for a member. */
export const textWriter =
  (egress: Caller, timeoutMs: number = ASK_TIMEOUT_MS): WriteText =>
  async (connection, task) => {
    const messages = framedTask(task)
    const completed = await complete(egress, connection, { messages, maxCharacters: TEXT_MAX, timeoutMs })
    return completed.kind === 'content' ? readText(completed.content, task) : completed
  }
