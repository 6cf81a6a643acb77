// Sends messages of the Model Context Protocol to a running Parley.
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { SECOND_MS } from '../../core/clock.ts'
import { readOwnVersion } from '../../core/own-version.ts'
import { causeOf } from '../remote/api.ts'

/** Longer than any operation of the API. */
const ANSWER_TIMEOUT_MS = 120 * SECOND_MS
/** Pauses before the next attempts. */
const PAUSES_MS = [SECOND_MS, 3 * SECOND_MS, 9 * SECOND_MS]
const MAX_PAUSE_MS = 60 * SECOND_MS
/** The server can't answer now, or a proxy can't reach it. */
const PASSING = [429, 502, 503, 504]
/** The newest version of the protocol whose messages need no more than a method and parameters. */
const VERSION = '2025-11-25'

/** The server refused the message. The text is for the assistant. */
export class Refused extends Error {}

export type RemoteProtocol = {
  /** Returns the result of a message. With a key, repetitions of a change have one effect. */
  send(method: string, params: object, idempotencyKey?: string): Promise<Record<string, unknown>>
}

type Reply = { status: number; type: string; text: string; pauseMs: number | undefined }

/** Returns the message in an answer: JSON, or a stream with one event. */
function messageIn({ type, text }: Reply): Record<string, unknown> | undefined {
  const json = type.startsWith('text/event-stream') ? /^data: (\{.*)$/m.exec(text)?.[1] : text
  try {
    return JSON.parse(json ?? '')
  } catch {
    return undefined
  }
}

/** Opens the protocol with an API key of the server at `base`. */
export function remoteProtocol(base: string, key: string): RemoteProtocol {
  let lastId = 0
  const post = async (body: string, idempotencyKey: string | undefined): Promise<Reply> => {
    const answer = await request(`${base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': `parley-mcp/${readOwnVersion()}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
      body,
    })
    const seconds = Number(answer.headers['retry-after'])
    return {
      status: answer.statusCode,
      type: String(answer.headers['content-type'] ?? ''),
      text: await answer.body.text(),
      pauseMs: seconds > 0 ? Math.min(seconds * SECOND_MS, MAX_PAUSE_MS) : undefined,
    }
  }
  const attempt = (body: string, idempotencyKey: string | undefined): Promise<Reply | Refused> =>
    post(body, idempotencyKey).catch(
      (fault: unknown) => new Refused(`${base} doesn't answer (${causeOf(fault)}).`),
    )
  return {
    async send(method, params, idempotencyKey) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params })
      let reply = await attempt(body, idempotencyKey)
      for (const pauseMs of PAUSES_MS) {
        if (!(reply instanceof Refused) && !PASSING.includes(reply.status)) break
        await wait(reply instanceof Refused ? pauseMs : (reply.pauseMs ?? pauseMs))
        reply = await attempt(body, idempotencyKey)
      }
      if (reply instanceof Refused) throw reply
      const message = messageIn(reply)
      if (message?.result !== undefined) return message.result as Record<string, unknown>
      const fault = (message?.error as { message?: unknown } | undefined)?.message ?? message?.message
      throw new Refused(`${typeof fault === 'string' ? fault : base} (${reply.status})`)
    },
  }
}
