/** Verifies webhook deliveries (specification 6.2) with the runtime's Web Crypto. */
import type { ApiEvents } from './api.ts'

/** An event as delivered. New events may be added: a `switch` on `event` must ignore unknown ones. */
export type WebhookEvent = {
  [Name in keyof ApiEvents]: { id: string; event: Name; createdAt: string; data: ApiEvents[Name] }
}[keyof ApiEvents]

/** The delivery is not from Parley, was changed on its way, or is too old. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}

export type Delivery = {
  /** The headers of the request: `fetch` headers, or Node's. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The body as received, byte for byte: not parsed and serialized again. */
  body: string | Uint8Array
  /** The signing secret of the endpoint; a list while you change from one secret to another. */
  secret: string | readonly string[]
  /** The maximum difference between the signature's time and now; default: five minutes. */
  toleranceSeconds?: number
  /** The current time in milliseconds; by default, the clock's. */
  now?: number
}

const MAX_AGE_SECONDS = 300
const SIGNATURE = /^sha256=([0-9a-f]{64})$/

function headerOf(headers: Delivery['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : (value?.join(',') ?? '')
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))

/** Compares in constant time, as `crypto.subtle.verify` does. */
async function isSignedWith(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: string[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['verify'])
  const matches = await Promise.all(
    signatures.map((hex) => crypto.subtle.verify('HMAC', key, fromHex(hex), signed)),
  )
  return matches.includes(true)
}

/**
 * Returns the event of a delivery after checking its signature and time; throws a WebhookError otherwise.
 * Deliveries arrive at least once: identify events by their `id`.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { headers, body, secret, toleranceSeconds = MAX_AGE_SECONDS, now = Date.now() } = delivery
  const timestamp = headerOf(headers, 'x-webhook-timestamp')
  if (!/^\d+$/.test(timestamp)) throw new WebhookError('The delivery has no x-webhook-timestamp.')
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The delivery was signed too long ago, or its sender’s clock is wrong.')
  // After a rotation there are two signatures, of which one matches.
  const signatures = headerOf(headers, 'x-webhook-signature')
    .split(',')
    .flatMap((part) => SIGNATURE.exec(part.trim())?.[1] ?? [])
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const raw = typeof body === 'string' ? bytesOf(body) : body
  const head = bytesOf(`${timestamp}.`)
  const signed = new Uint8Array(head.length + raw.length)
  signed.set(head)
  signed.set(raw, head.length)
  for (const candidate of [secret].flat())
    if (await isSignedWith(candidate, signed, signatures)) return JSON.parse(text) as WebhookEvent
  throw new WebhookError('The signature is not that of the secret and the body.')
}
