import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Returns the `X-Razorpay-Signature` of a webhook's bytes: the hex HMAC-SHA256 (docs/formats.md section 15).
 */
export const signGatewayWebhook = (body: string | Uint8Array, webhookSecret: string): string =>
  createHmac('sha256', webhookSecret).update(body).digest('hex')

/**
 * Returns whether `header` signs exactly these raw bytes, compared in constant time; false for a malformed
 * header.
 */
export function verifyGatewaySignature(rawBody: Uint8Array, header: string, webhookSecret: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(header)) return false
  const expected = createHmac('sha256', webhookSecret).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(header, 'hex'))
}
