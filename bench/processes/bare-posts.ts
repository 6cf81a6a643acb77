/**
 * The baseline of the webhook goals (B3): signed POSTs to one sink with the same client library, and no other
 * work.
 */
import { createHmac } from 'node:crypto'
import { Agent } from 'undici'
import { newId } from '../../src/core/ids.ts'
import { newWebhookSecret } from '../../src/core/values/webhook-secret.ts'
import { bodyOf, fixedHeaders } from '../../src/modules/platform/webhooks/delivery/attempt.ts'
import { answerParent } from '../ground/answers.ts'
import { EVENT_DATA, EVENT_NAME } from '../ground/events.ts'

export type BarePosts = { url: string; ca?: string; connections: number }
export type BarePostsResult = { count: number; perSecond: number }

let agent: Agent | undefined
let options: BarePosts

async function loop(origin: string, path: string, untilMs: number, secret: string): Promise<number> {
  let count = 0
  while (performance.now() < untilMs) {
    const nowMs = performance.timeOrigin + performance.now()
    const event = { eventId: newId(), event: EVENT_NAME, data: EVENT_DATA, createdAt: new Date(nowMs) }
    const body = bodyOf(event as Parameters<typeof bodyOf>[0])
    const timestamp = Math.floor(nowMs / 1000)
    const answer = await agent!.request({
      origin,
      path,
      method: 'POST',
      headers: {
        ...fixedHeaders(event),
        'x-webhook-timestamp': String(timestamp),
        'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
      },
      body,
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`the sink answered ${answer.statusCode}`)
    count++
  }
  return count
}

answerParent({
  open: (input: BarePosts) => {
    options = input
    agent = new Agent({
      connections: input.connections,
      pipelining: 1,
      connect: input.ca ? { ca: input.ca } : {},
    })
  },
  run: async ({ seconds }: { seconds: number }): Promise<BarePostsResult> => {
    const { origin, pathname } = new URL(options.url)
    const secret = newWebhookSecret()
    const startedMs = performance.now()
    const counts = await Promise.all(
      Array.from({ length: options.connections }, () =>
        loop(origin, pathname, startedMs + seconds * 1000, secret),
      ),
    )
    const count = counts.reduce((sum, value) => sum + value, 0)
    return { count, perSecond: count / ((performance.now() - startedMs) / 1000) }
  },
  stop: () => agent?.destroy(),
})
