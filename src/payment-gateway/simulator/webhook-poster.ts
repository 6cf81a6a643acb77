import { type Dispatcher, request } from 'undici'
import { SECOND_MS } from '../../core/clock.ts'
import { shuffled } from '../../core/values/shuffled.ts'
import { signGatewayWebhook } from '../razorpay/signature.ts'
import type { GatewayEvent } from './store.ts'

/** Deviations of webhooks from the normal case: one at a time, in order, exactly once. */
export type WebhookDisorder = {
  /** The receiver's address; without it events are lost. */
  callbackUrl: string | null
  /** Events of the same moment arrive in any order. */
  shuffle: boolean
  /** The share of events that arrive twice, 0 to 1. */
  duplicate: number
  /** Events that never arrive, such as `payment_link.paid`. */
  drop: string[]
  /** No events are sent while this is true. */
  hold: boolean
}

export const inOrder: WebhookDisorder = {
  callbackUrl: null,
  shuffle: false,
  duplicate: 0,
  drop: [],
  hold: false,
}

export type WebhookPoster = {
  post(event: GatewayEvent): void
  /** Sends the held events. */
  release(): void
  counts(): { posted: number; givenUp: number; waiting: number }
  close(): void
}

// The gateway retries for a day; a simulator for tests need not.
const RETRY_DELAYS_MS = [SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS]
/** The milliseconds for which events are collected before they are shuffled. */
const GATHER_MS = 100
const ANSWER_WITHIN_MS = 5 * SECOND_MS

type WebhookPosterOptions = {
  webhookSecret: string
  disorder: () => WebhookDisorder
  random?: () => number
  dispatcher?: Dispatcher
  log?: (message: string) => void
}

/** Posts once and returns why it failed; undefined: it was answered 2xx. */
async function postOnce(
  url: string,
  { id, body }: GatewayEvent,
  { webhookSecret, dispatcher }: WebhookPosterOptions,
): Promise<string | undefined> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-razorpay-event-id': id,
        'x-razorpay-signature': signGatewayWebhook(body, webhookSecret),
      },
      body,
      headersTimeout: ANSWER_WITHIN_MS,
      bodyTimeout: ANSWER_WITHIN_MS,
      dispatcher,
    })
    await answer.body.dump()
    return answer.statusCode >= 200 && answer.statusCode < 300 ? undefined : `answered ${answer.statusCode}`
  } catch (error) {
    return String(error)
  }
}

/** Posts events to the callback, with a signature over their bytes, and retries until the answer is 2xx. */
export function createWebhookPoster(options: WebhookPosterOptions): WebhookPoster {
  const { disorder, random = Math.random, log } = options
  const timers = new Set<NodeJS.Timeout>()
  const counts = { posted: 0, givenUp: 0 }
  let gathered: GatewayEvent[] = []
  let closed = false

  const after = (ms: number, run: () => void): void => {
    if (closed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }

  const giveUp = (reason: string): void => {
    counts.givenUp++
    log?.(`simulated gateway: webhook not delivered: ${reason}`)
  }

  async function send(event: GatewayEvent, failures: number): Promise<void> {
    const url = disorder().callbackUrl
    if (url === null) return giveUp('there is no callback address')
    const failure = await postOnce(url, event, options)
    if (failure === undefined) counts.posted++
    else if (RETRY_DELAYS_MS[failures] === undefined) giveUp(failure)
    else after(RETRY_DELAYS_MS[failures], () => void send(event, failures + 1))
  }

  const release = (): void => {
    const { hold, shuffle } = disorder()
    if (hold) return
    const ready = shuffle ? shuffled(gathered, random) : gathered
    gathered = []
    for (const event of ready) void send(event, 0)
  }

  return {
    post(event) {
      const { duplicate, drop, shuffle, hold } = disorder()
      if (closed || drop.some((name) => event.body.includes(`"event":"${name}"`))) return
      const copies = random() < duplicate ? [event, event] : [event]
      if (!shuffle && !hold) {
        for (const copy of copies) void send(copy, 0)
        return
      }
      gathered.push(...copies)
      if (!hold) after(GATHER_MS, release)
    },
    release,
    counts: () => ({ ...counts, waiting: gathered.length + timers.size }),
    close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
