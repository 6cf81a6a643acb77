/** An assistant with an HTTP API like OpenAI's: `POST {url}/chat/completions`. */
import { z } from 'zod'
import { SECOND_MS } from '../core/clock.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import { ANSWER_MAX, framed } from './frame.ts'
import type { AskAssistant, AssistantAnswer } from './port.ts'
import { readAnswer } from './read-answer.ts'

/** The timeout of the whole call. */
export const ASK_TIMEOUT_MS = 20 * SECOND_MS
const MAX_BODY_BYTES = 256 * 1024
/** For some scripts, models count a token for each character, and their reasoning counts too. */
const MAX_TOKENS = 2 * ANSWER_MAX

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
})

const failed = (reason: string): AssistantAnswer => ({ kind: 'failed', why: reason })

function contentOf(body: Buffer): string | undefined {
  try {
    return Completion.safeParse(JSON.parse(body.toString('utf8'))).data?.choices[0]?.message.content
  } catch {
    return undefined
  }
}

/** Calls through the checked egress: private addresses are reached only if PARLEY_EGRESS_ALLOW lists them. */
export const chatCompletions =
  (egress: Pick<Egress, 'prepareTarget' | 'post'>, timeoutMs: number = ASK_TIMEOUT_MS): AskAssistant =>
  async ({ url, apiKey, model }, question) => {
    try {
      const answer = await egress.post({
        target: egress.prepareTarget(`${url}/chat/completions`, { requireHttps: false }),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, messages: framed(question), max_tokens: MAX_TOKENS, temperature: 0.2 }),
        timeoutMs,
        maxBodyBytes: MAX_BODY_BYTES,
      })
      if (answer.status !== 200) return failed(`The assistant answered with status ${answer.status}.`)
      if (answer.truncated) return failed("The assistant's answer is too long.")
      const text = contentOf(answer.body)
      return text === undefined
        ? failed("The assistant's answer isn't valid.")
        : readAnswer(text, question.domains)
    } catch (error) {
      if (error instanceof EgressFault) return failed(`The assistant couldn't be reached: ${error.message}`)
      throw error
    }
  }
