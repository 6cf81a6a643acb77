/** The thread of request-thread.ts. */
import { parentPort } from 'node:worker_threads'
import { request } from 'undici'
import type { Returned, Sent, ThreadAnswer, ThreadRequest } from './request-thread.ts'

const MAX_TEXT = 300

async function answerOf({ method, url, headers, body }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const answer = await request(url, {
      method: method as 'GET',
      headers,
      ...(body ? { body: Buffer.from(body) } : {}),
      headersTimeout: 60_000,
    })
    return { status: answer.statusCode, text: (await answer.body.text()).slice(0, MAX_TEXT) }
  } catch (error) {
    // A server may answer before it has read the whole body, and close the connection.
    return { status: 0, text: String(error).slice(0, MAX_TEXT) }
  }
}

parentPort!.on('message', async ({ id, requests }: Sent) => {
  const answers = await Promise.all(requests.map(answerOf))
  parentPort!.postMessage({ id, answers } satisfies Returned)
})
