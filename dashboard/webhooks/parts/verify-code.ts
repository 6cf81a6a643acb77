/**
 * Returns a program that checks a signature: on the raw body, against either of two values, in constant time,
 * and with a maximum age.
 */
export const verifyCode = (
  toleranceSeconds: number,
): string => `import { createHmac, timingSafeEqual } from 'node:crypto'

// rawBody: the request body exactly as received, before JSON parsing.
export function isFromParley(rawBody, headers, secret) {
  const timestamp = headers['x-webhook-timestamp']
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= ${toleranceSeconds})) return false
  const digest = createHmac('sha256', secret).update(timestamp + '.').update(rawBody).digest('hex')
  const expected = Buffer.from('sha256=' + digest)
  return String(headers['x-webhook-signature']).split(',').some((value) => {
    const signature = Buffer.from(value)
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  })
}
`
