/** Sends the requests of bots through the checked egress, and tries again after temporary failures. */
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../core/clock.ts'
import type { Outside } from '../core/context.ts'
import type { Egress, EgressRequest } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'

const MAX_BODY_BYTES = 256 * 1024
const PAUSES_MS = [SECOND_MS / 2, 2 * SECOND_MS]
/** Statuses after which the same request can succeed. */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504])

type Attempt = {
  status: number | null
  body: string
  truncated: boolean
  error: string | null
  again: boolean
}

const statusError = (status: number): string | null =>
  status >= 200 && status < 300
    ? null
    : status >= 300 && status < 400
      ? `The receiver answered with a redirect (${status}). Parley doesn't follow redirects.`
      : `The receiver answered with status ${status}.`

async function attempt(
  egress: Pick<Egress, 'prepareTarget' | 'send'>,
  { method, url, ...call }: Parameters<Outside['callAddress']>[0],
): Promise<Attempt> {
  try {
    const request: EgressRequest = {
      target: egress.prepareTarget(url),
      headers: call.headers,
      timeoutMs: call.timeoutMs,
      maxBodyBytes: MAX_BODY_BYTES,
      ...(call.body === null ? {} : { body: call.body }),
    }
    const { status, body, truncated } = await egress.send(method, request)
    const again = TEMPORARY.has(status)
    return { status, body: body.toString('utf8'), truncated, error: statusError(status), again }
  } catch (fault) {
    if (!(fault instanceof EgressFault)) throw fault
    const again = fault.reason !== 'refused_address'
    return { status: null, body: '', truncated: false, error: fault.message, again }
  }
}

export const addressCaller =
  (egress: Pick<Egress, 'prepareTarget' | 'send'>): Outside['callAddress'] =>
  async (call) => {
    const startedMs = performance.now()
    for (let attempts = 1; ; attempts++) {
      const { again, ...answer } = await attempt(egress, call)
      if (answer.error === null || !again || attempts > call.retries)
        return { ...answer, attempts, durationMs: Math.round(performance.now() - startedMs) }
      await wait(PAUSES_MS[attempts - 1])
    }
  }
