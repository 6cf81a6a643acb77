import { createHmac, timingSafeEqual } from 'node:crypto'

const prefix = 'sha256='

/**
 * Returns the `X-Hub-Signature-256` header for a webhook's bytes: `sha256=` and the hex HMAC-SHA256
 * (docs/formats.md section 1).
 */
export function signWebhook(body: string | Uint8Array, appSecret: string): string {
  return prefix + createHmac('sha256', appSecret).update(body).digest('hex')
}

/** Returns the headers that sign a webhook: the current one, and the SHA-1 header that old parsers read. */
export const signatureHeaders = (body: string | Uint8Array, appSecret: string) => ({
  'x-hub-signature': `sha1=${createHmac('sha1', appSecret).update(body).digest('hex')}`,
  'x-hub-signature-256': signWebhook(body, appSecret),
})

/**
 * Returns whether `header` is the signature of exactly these raw bytes, compared in constant time. Returns
 * false for a missing, doubled, or malformed header; never throws.
 */
export function verifyWebhookSignature(
  rawBody: string | Uint8Array,
  header: string | string[] | undefined,
  appSecret: string,
): boolean {
  if (typeof header !== 'string' || !header.startsWith(prefix)) return false
  const signature = header.slice(prefix.length)
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false
  const expected = createHmac('sha256', appSecret).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

/**
 * Encodes JSON as the operator sends it: ASCII, other characters as lowercase `\uXXXX`, `/` as `\/`. Some
 * clients escape the body again before they verify it, which is harmless only if the bytes are already
 * escaped (docs/formats.md section 16).
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u0080-\uffff]|\//g, escaped)
}

function escaped(character: string): string {
  return character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
