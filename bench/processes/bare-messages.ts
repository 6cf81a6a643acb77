/**
 * The baseline of submitting messages: the same messages posted with the same client library, and no other
 * work.
 */
import { Agent } from 'undici'
import { newId } from '../../src/core/ids.ts'
import { messageEnvelope } from '../../src/operator/cloud/envelope.ts'
import { answerParent } from '../ground/answers.ts'
import { MESSAGE } from '../ground/messages.ts'

export type BareMessages = { url: string; connections: number }
/** `cpuMs`: milliseconds of this process's processor time. */
export type BareMessagesResult = { count: number; perSecond: number; cpuMs: number }

let agent: Agent | undefined
let options: BareMessages

async function loop(untilMs: number): Promise<number> {
  let count = 0
  while (performance.now() < untilMs) {
    const answer = await agent!.request({
      origin: options.url,
      path: '/v24.0/106540352242922/messages',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
      body: messageEnvelope({ ...MESSAGE, callbackData: newId(), to: '+919812345678' }),
    })
    await answer.body.json()
    if (answer.statusCode !== 200) throw new Error(`the operator answered ${answer.statusCode}`)
    count++
  }
  return count
}

answerParent({
  open: (input: BareMessages) => {
    options = input
    agent = new Agent({ connections: input.connections, pipelining: 1 })
  },
  run: async ({ seconds }: { seconds: number }): Promise<BareMessagesResult> => {
    const startedMs = performance.now()
    const used = process.cpuUsage()
    const loops = Array.from({ length: options.connections }, () => loop(startedMs + seconds * 1000))
    const count = (await Promise.all(loops)).reduce((sum, value) => sum + value, 0)
    const { user, system } = process.cpuUsage(used)
    return {
      count,
      perSecond: count / ((performance.now() - startedMs) / 1000),
      cpuMs: (user + system) / 1000,
    }
  },
  stop: () => agent?.destroy(),
})
