/** Builds the deliveries that `parley chaos` sends, with the signatures and headers of real deliveries. */
import { MINUTE_MS, SECOND_MS } from '../../core/clock.ts'
import type { EventKind } from '../../core/event.ts'
import { newId } from '../../core/ids.ts'
import { bodyOf, fixedHeaders } from '../../modules/platform/webhooks/delivery/attempt.ts'
import { signAttempt, signingKey } from '../../modules/platform/webhooks/delivery/signing.ts'

/** The content of an event. */
export type ChaosEvent = { id: string; event: string; createdAt: Date; data: object }

/** A request as it is sent. */
export type ChaosRequest = { headers: Record<string, string>; body: string | Buffer }

/** The requests of an API have at most 64 KB, so events are about that long at most. */
const BIG_BYTES = 64 * 1024

/** Returns an event of this kind with its documented example. */
export const exampleEvent = (kind: EventKind, at: Date, change: Partial<ChaosEvent> = {}): ChaosEvent => ({
  id: newId(),
  event: kind.name,
  createdAt: at,
  data: kind.example,
  ...change,
})

/** Returns the event with an extra field that makes its body as long as the longest bodies. */
export const bigEvent = (event: ChaosEvent): ChaosEvent => ({
  ...event,
  data: { ...event.data, chaosFiller: 'x'.repeat(BIG_BYTES - JSON.stringify(event.data).length - 300) },
})

/** Returns the delivery of an event, signed with these secrets at this time. */
export function signedRequest(event: ChaosEvent, secrets: readonly string[], at: Date): ChaosRequest {
  const { id: eventId, event: name, createdAt, data } = event
  const body = bodyOf({ eventId, event: name, createdAt, data: JSON.stringify(data) })
  const timestamp = Math.floor(at.getTime() / SECOND_MS)
  const { headers, bytes } = signAttempt(secrets.map(signingKey), eventId, timestamp, body)
  return { headers: { ...fixedHeaders({ eventId, event: name }), ...headers }, body: bytes }
}

const SIGNATURES = ['x-webhook-signature', 'webhook-signature']

/** Returns the request without a signature. */
export const unsigned = ({ headers, body }: ChaosRequest): ChaosRequest => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !SIGNATURES.includes(name))),
  body,
})

/** Returns the request with a body that was changed after signing. */
export const changedBody = ({ headers, body }: ChaosRequest): ChaosRequest => ({
  headers,
  body: `${String(body).slice(0, -1)},"chaos":true}`,
})

/** Ten minutes: twice the tolerance of timestamps (spec 6.1). */
export const OUTSIDE_TOLERANCE_MS = 10 * MINUTE_MS
