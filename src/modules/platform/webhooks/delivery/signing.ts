import { HMAC_ROOM, type HmacKey, hmacKey, signAfterRoom } from '../../../../core/values/hmac.ts'
import { SECRET_PREFIX } from '../../../../core/values/webhook-secret.ts'

/**
 * A secret prepared for signing: the spec's signature uses its text, Standard Webhooks the bytes that it
 * encodes.
 */
export type SigningKey = { spec: HmacKey; standard: HmacKey }

export const signingKey = (secret: string): SigningKey => ({
  spec: hmacKey(Buffer.from(secret)),
  standard: hmacKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
})

/** The signature headers of an attempt, as `signAttempt` builds them. */
export type SignatureHeaders = {
  'x-webhook-timestamp': string
  'x-webhook-signature': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * Signs an attempt with each valid key, newest first; returns headers and body bytes. `x-webhook-signature`
 * (spec 6.2): `sha256=` and hex HMACs of `<timestamp>.<raw body>`, separated by commas. `webhook-signature`
 * (Standard Webhooks 1.0): `v1,` and base64 HMACs of `<id>.<timestamp>.<raw body>`, separated by spaces.
 */
export function signAttempt(
  keys: readonly SigningKey[],
  id: string,
  timestamp: number,
  body: string,
): { headers: SignatureHeaders; bytes: Buffer } {
  const seconds = String(timestamp)
  const bytes = Buffer.from(`${HMAC_ROOM}${id}.${seconds}.${body}`)
  const idAt = HMAC_ROOM.length
  const timestampAt = idAt + Buffer.byteLength(id) + 1
  // The spec's signed text is the end of Standard Webhooks' text and reuses its buffer, so it is signed
  // second.
  const standard = keys.map((key) => `v1,${signAfterRoom(key.standard, bytes, idAt, 'base64')}`)
  const spec = keys.map((key) => `sha256=${signAfterRoom(key.spec, bytes, timestampAt, 'hex')}`)
  return {
    headers: {
      'x-webhook-timestamp': seconds,
      'x-webhook-signature': spec.join(','),
      'webhook-timestamp': seconds,
      'webhook-signature': standard.join(' '),
    },
    bytes: bytes.subarray(timestampAt + seconds.length + 1),
  }
}

/** Returns the signature headers of an attempt: the spec's, and those of Standard Webhooks. */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): SignatureHeaders => signAttempt(secrets.map(signingKey), id, timestamp, body).headers

export const signatureOf = (secrets: readonly string[], timestamp: number, body: string): string =>
  signedHeaders(secrets, '', timestamp, body)['x-webhook-signature']

export const standardSignatureOf = (
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): string => signedHeaders(secrets, id, timestamp, body)['webhook-signature']
