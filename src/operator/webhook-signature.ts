import { createHmac, timingSafeEqual } from 'node:crypto'

const prefix = 'sha256='

/** The `X-Hub-Signature-256` header for a webhook's bytes: `sha256=` and the hex HMAC-SHA256 (docs/formats.md section 1). */
export function signWebhook(body: string | Uint8Array, appSecret: string): string {
  return prefix + createHmac('sha256', appSecret).update(body).digest('hex')
}

/** The headers that sign a webhook: that of today, and the one of SHA-1 that parsers of long ago look at. */
export const signatureHeaders = (body: string | Uint8Array, appSecret: string) => ({
  'x-hub-signature': `sha1=${createHmac('sha1', appSecret).update(body).digest('hex')}`,
  'x-hub-signature-256': signWebhook(body, appSecret),
})

/**
 * Whether `header` is the signature of exactly these raw bytes, compared in constant time.
 * A missing, doubled or malformed header is false, never an error.
 */
export function verifyWebhookSignature(
  rawBody: string | Uint8Array,
  header: string | string[] | undefined,
  appSecret: string,
): boolean {
  if (typeof header !== 'string' || !header.startsWith(prefix)) return false
  const given = header.slice(prefix.length)
  if (!/^[0-9a-f]{64}$/i.test(given)) return false
  const expected = createHmac('sha256', appSecret).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(given, 'hex'))
}

/**
 * JSON as the operator puts it on the wire: ASCII, everything else as lowercase `\uXXXX`, `/` as `\/`. Some clients
 * escape the body again before they verify, which is harmless only when the bytes were escaped (docs/formats.md section 16).
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u0080-\uffff]|\//g, escaped)
}

function escaped(character: string): string {
  return character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
