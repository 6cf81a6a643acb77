import { createHmac, timingSafeEqual } from 'node:crypto'

/** The headers of a request, by names in small letters. */
export type Headers = Record<string, string | string[] | undefined>

/** The largest difference between the time of a signature and the clock of n8n. */
const MAX_AGE_SECONDS = 300
const SIGNATURE = /^sha256=([0-9a-f]{64})$/

const headerOf = (headers: Headers, name: string): string => [headers[name] ?? ''].flat().join(',')

/** Compares in constant time. */
const isSignedWith = (secret: string, signed: Buffer, signatures: Buffer[]): boolean => {
  const expected = createHmac('sha256', secret).update(signed).digest()
  return signatures.some((signature) => timingSafeEqual(signature, expected))
}

/**
 * Returns why a delivery is not valid; undefined for a valid one. After a rotation, a delivery has two signatures, of which one
 * matches.
 *
 * @param rawBody The body as received, byte for byte.
 * @param secrets The signing secrets of the registered addresses.
 * @param nowSeconds The time, in seconds since 1970.
 */
export function findFault(
  rawBody: Buffer,
  headers: Headers,
  secrets: readonly string[],
  nowSeconds: number,
): string | undefined {
  const timestamp = headerOf(headers, 'x-webhook-timestamp')
  if (!/^\d{1,15}$/.test(timestamp)) return 'The request has no x-webhook-timestamp.'
  if (Math.abs(nowSeconds - Number(timestamp)) > MAX_AGE_SECONDS)
    return 'The request was signed more than 5 minutes ago, or a clock is wrong.'
  const signatures = headerOf(headers, 'x-webhook-signature')
    .split(',')
    .flatMap((part) => SIGNATURE.exec(part.trim())?.[1] ?? [])
    .map((hex) => Buffer.from(hex, 'hex'))
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), rawBody])
  if (secrets.some((secret) => isSignedWith(secret, signed, signatures))) return undefined
  return 'The signature does not match the signing secret and the body.'
}
