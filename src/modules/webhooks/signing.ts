import { createHmac, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** A new signing secret: shown once, stored sealed (spec 2.11). */
export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`

/**
 * `x-webhook-signature`: `sha256=` and the hex HMAC of `<timestamp>.<raw body>`, once for each
 * secret in force, the newest first (spec 6.2).
 */
export const signatureOf = (secrets: readonly string[], timestamp: number, body: string): string =>
  secrets
    .map((secret) => `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`)
    .join(',')
