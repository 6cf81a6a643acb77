import { createHmac } from 'node:crypto'
import { SECRET_PREFIX } from '../../../core/webhook-secret.ts'

/**
 * `x-webhook-signature`: `sha256=` and the hex HMAC of `<timestamp>.<raw body>`, once for each
 * secret in force, the newest first (spec 6.2).
 */
export const signatureOf = (secrets: readonly string[], timestamp: number, body: string): string =>
  secrets
    .map((secret) => `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`)
    .join(',')

/** The bytes that a secret stands for in Standard Webhooks. */
const standardKeyOf = (secret: string): Buffer => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')

/**
 * `webhook-signature` of Standard Webhooks 1.0: `v1,` and the base64 HMAC of `<id>.<timestamp>.<raw body>`,
 * once for each secret in force, the newest first, separated by spaces.
 */
export const standardSignatureOf = (
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): string =>
  secrets
    .map(
      (secret) =>
        `v1,${createHmac('sha256', standardKeyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
    )
    .join(' ')

/** The headers that sign one attempt: the spec's, and those of Standard Webhooks beside them. */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): Record<string, string> => ({
  'x-webhook-timestamp': String(timestamp),
  'x-webhook-signature': signatureOf(secrets, timestamp, body),
  'webhook-timestamp': String(timestamp),
  'webhook-signature': standardSignatureOf(secrets, id, timestamp, body),
})
