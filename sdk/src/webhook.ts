/** Verifies webhook deliveries (specification 6.2) with the runtime's Web Crypto. */
import { WebhookError } from './errors.ts'
import type { WebhookEvent } from './generated/events.ts'

/** The headers of a delivery: `fetch` headers, or Node's. */
export type DeliveryHeaders = Headers | Record<string, string | string[] | undefined>

export type VerifyOptions = {
  /** The maximum difference between the signature's time and now; default: five minutes. */
  toleranceSeconds?: number | undefined
  /** The current time in milliseconds; by default, the clock's. */
  now?: number | undefined
}

const MAX_AGE_SECONDS = 300
const SIGNATURE = /^sha256=([0-9a-f]{64})$/

function headerOf(headers: DeliveryHeaders, name: string): string {
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
 *
 * @param rawBody The body as received, byte for byte: not parsed and serialized again.
 * @param headers The headers of the request.
 * @param secret The signing secret of the endpoint; a list while you change from one secret to another.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: DeliveryHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = MAX_AGE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const timestamp = headerOf(headers, 'x-webhook-timestamp')
  if (!/^\d+$/.test(timestamp)) throw new WebhookError('The delivery has no x-webhook-timestamp.')
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The delivery was signed too long ago, or its sender’s clock is wrong.')
  // After a rotation there are two signatures, of which one matches.
  const signatures = headerOf(headers, 'x-webhook-signature')
    .split(',')
    .flatMap((part) => SIGNATURE.exec(part.trim())?.[1] ?? [])
  const body = typeof rawBody === 'string' ? bytesOf(rawBody) : new Uint8Array(rawBody)
  const head = bytesOf(`${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  for (const candidate of [secret].flat())
    if (await isSignedWith(candidate, signed, signatures))
      return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
  throw new WebhookError('The signature is not that of the secret and the body.')
}
