/** Forwards an event to a program on this machine in the shape of a webhook delivery. */
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { SECOND_MS, systemClock } from '../../core/clock.ts'
import { fixedHeaders } from '../../modules/platform/webhooks/delivery/attempt.ts'
import { signedHeaders } from '../../modules/platform/webhooks/delivery/signing.ts'
import { causeOf } from './api.ts'
import type { LoggedEvent } from './follow-events.ts'

const ANSWER_TIMEOUT_MS = 15 * SECOND_MS
const MAX_PAUSE_MS = 10 * SECOND_MS
/** No program is listening: the event was not received, so it is not a failed attempt. */
const NOT_LISTENING_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_SOCKET']

export type Forwarding = {
  url: string
  secret: string
  /** Maximum number of answered attempts for one event; then the next event follows. */
  attempts: number
  say(line: string): void
  stopped: AbortSignal
}

/**
 * Delivers one event, signed like any delivery. Waits while no program listens. An answer other than 2xx is retried, `attempts`
 * times in all, then reported and skipped. Rejects when stopped midway.
 */
export async function forwardEvent(event: LoggedEvent, forwarding: Forwarding): Promise<void> {
  const { say, stopped, attempts } = forwarding
  let pauseMs = SECOND_MS
  let answered = 0
  let reportedAbsent = false
  for (;;) {
    const verdict = await post(event, forwarding)
    if (verdict.absent && !reportedAbsent) say(`${forwarding.url}: ${verdict.result}. Waiting for it.`)
    reportedAbsent = verdict.absent
    if (!verdict.absent) {
      say(`${verdict.result}  ${event.event}  ${event.id}`)
      answered++
      if (verdict.ok) return
      if (answered >= attempts) {
        say(`gave up after ${answered} attempts: ${event.event}  ${event.id}`)
        return
      }
    }
    await wait(pauseMs, undefined, { signal: stopped })
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)
  }
}

type Verdict = { ok: boolean; absent: boolean; result: string }

async function post(event: LoggedEvent, { url, secret, stopped }: Forwarding): Promise<Verdict> {
  const { id, event: name, createdAt, data } = event
  const body = JSON.stringify({ id, event: name, createdAt, data })
  const timestamp = Math.floor(systemClock.now().getTime() / SECOND_MS)
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: {
        ...fixedHeaders({ eventId: id, event: name }),
        ...signedHeaders([secret], id, timestamp, body),
      },
      body,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    })
    await answer.body.dump()
    const ok = answer.statusCode >= 200 && answer.statusCode < 300
    return { ok, absent: false, result: String(answer.statusCode) }
  } catch (fault) {
    if (stopped.aborted) throw fault
    const cause = causeOf(fault)
    return { ok: false, absent: NOT_LISTENING_CODES.includes(cause), result: cause }
  }
}
