/** One attempt to deliver an event to an endpoint: the request, and its outcome. */
import { type Clock, isoOf } from '../../../../core/clock.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { openHeaders } from '../../../../core/values/own-headers.ts'
import type { LogPartition } from '../event-log/log-partitions.ts'
import { TEST_EVENT } from '../registration/rights.ts'
import type { ReceiverAnswer, SendWebhook } from './send-webhook.ts'
import { type SigningKey, signAttempt, signingKey } from './signing.ts'

/** A claimed delivery with all data for its attempt. */
export type DueDelivery = {
  /** The partition with its row. */
  partition: LogPartition
  workspaceId: string
  id: string
  endpointId: string
  eventId: string
  event: string
  attempt: number
  manual: boolean
  /** Null when the event is no longer in the log. */
  data: string | null
  createdAt: Date | null
  url: string
  secretSealed: Buffer
  headersSealed: Buffer | null
  oldSecretSealed: Buffer | null
  oldSecretExpiresAt: Date | null
  clockOffsetMs: number
  /** When it was due, in real time. */
  runAt: Date
  /** True if the delivery was long overdue when a process claimed it. */
  late: boolean
  /** True if Parley sends only probes to the endpoint because of its many failures. */
  probing: boolean
}

/** The outcome of an attempt. */
export type Outcome = {
  ok: boolean
  /** The receiver answered 410: it wants no more events. */
  gone: boolean
  startedAt: Date
  httpStatus: number | null
  latencyMs: number | null
  error: string | null
  request: { url: string; headers: Record<string, string> } | null
  response: { headers: Record<string, string>; body: string } | null
}

/** An attempt that ended at `endedAt` (real time). */
export type Result = { delivery: DueDelivery; outcome: Outcome; endedAt: Date }

export type AttemptOptions = { send: SendWebhook; sealer: Sealer; clock: Clock }

const MAX_KEYS = 5_000
/** Response headers that the log keeps. */
const KEPT_HEADERS = ['content-type', 'location', 'retry-after', 'server']
const KEPT_HEADER_CHARACTERS = 300

/**
 * Returns the headers that are the same for each delivery of an event; the signature headers differ by
 * attempt.
 */
export const fixedHeaders = (delivery: { eventId: string; event: string }): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Parley-Webhooks/1',
  'x-webhook-id': delivery.eventId,
  'webhook-id': delivery.eventId,
  'x-webhook-event': delivery.event,
})

const ownHeaders = (sealer: Sealer, { headersSealed }: DueDelivery): Record<string, string> =>
  Object.fromEntries(openHeaders(sealer, headersSealed).map(({ name, value }) => [name, value]))

/** Returns the bytes of the body: the same for each retry and redelivery (spec 6.1). */
export const bodyOf = (delivery: Pick<DueDelivery, 'eventId' | 'event' | 'createdAt' | 'data'>): string =>
  `{"id":"${delivery.eventId}","event":${JSON.stringify(delivery.event)},` +
  `"createdAt":"${delivery.createdAt && isoOf(delivery.createdAt)}","data":${delivery.data}}`

// Columns of PostgreSQL cannot store NUL or lone surrogates.
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

function storedResponse(answer: ReceiverAnswer): Outcome['response'] {
  const headers: Record<string, string> = {}
  for (const name of KEPT_HEADERS) {
    const value = answer.headers[name]
    if (value !== undefined) headers[name] = storable(value.slice(0, KEPT_HEADER_CHARACTERS))
  }
  return { headers, body: storable(answer.bodyExcerpt) }
}

const verdict = (status: number): string | null =>
  status >= 200 && status < 300
    ? null
    : status >= 300 && status < 400
      ? `The receiver answered with a redirect (${status}). Parley doesn't follow redirects.`
      : `The receiver answered with status ${status}.`

/** Builds the function that runs one attempt; it never rejects. */
export function attempter(options: AttemptOptions): (delivery: DueDelivery) => Promise<Outcome> {
  const { clock, sealer } = options
  const keys = new Map<string, SigningKey>()

  const keyOf = (sealed: Buffer): SigningKey => {
    const name = sealed.toString('latin1')
    const knownKey = keys.get(name)
    if (knownKey !== undefined) return knownKey
    const key = signingKey(sealer.open(sealed))
    if (keys.size >= MAX_KEYS) keys.delete(keys.keys().next().value as string)
    keys.set(name, key)
    return key
  }

  /**
   * Returns the current secret, and for 24 hours of the workspace's time after a rotation also the old one
   * (spec 6.2). Manual redeliveries are signed only with the current one (spec 4.8).
   */
  const keysOf = (delivery: DueDelivery, now: Date): SigningKey[] => {
    const { oldSecretSealed, oldSecretExpiresAt } = delivery
    const isRedelivery = delivery.manual && delivery.event !== TEST_EVENT
    const overlaps =
      !isRedelivery &&
      oldSecretSealed &&
      oldSecretExpiresAt &&
      oldSecretExpiresAt.getTime() > now.getTime() + delivery.clockOffsetMs
    return overlaps ? [keyOf(delivery.secretSealed), keyOf(oldSecretSealed)] : [keyOf(delivery.secretSealed)]
  }

  return async (delivery) => {
    const startedAt = clock.now()
    const startedMs = clock.monotonicMs()
    const outcome: Outcome = {
      ok: false,
      gone: false,
      startedAt,
      httpStatus: null,
      latencyMs: null,
      error: null,
      request: null,
      response: null,
    }
    if (delivery.data === null) return { ...outcome, error: 'The event is no longer in the log.' }
    try {
      // Always real time, even if a sandbox's clock was moved, because receivers compare it with their own.
      const timestamp = Math.floor(startedAt.getTime() / 1000)
      const signedRequest = signAttempt(
        keysOf(delivery, startedAt),
        delivery.eventId,
        timestamp,
        bodyOf(delivery),
      )
      outcome.request = { url: delivery.url, headers: signedRequest.headers }
      // The log keeps only our own headers: the endpoint's may contain secrets of the receiver.
      const headers = {
        ...ownHeaders(sealer, delivery),
        ...fixedHeaders(delivery),
        ...signedRequest.headers,
      }
      const answer = await options.send(delivery.url, headers, signedRequest.bytes, delivery)
      outcome.httpStatus = answer.status
      outcome.latencyMs = Math.round(answer.latencyMs)
      outcome.response = storedResponse(answer)
      outcome.error = verdict(answer.status)
      outcome.ok = outcome.error === null
      outcome.gone = answer.status === 410
    } catch (fault) {
      outcome.latencyMs = Math.round(clock.monotonicMs() - startedMs)
      outcome.error = storable(fault instanceof Error ? fault.message : String(fault))
    }
    return outcome
  }
}
