import { HMAC_ROOM, type HmacKey, hmacKey, signAfterRoom } from '../../../core/hmac.ts'
import { SECRET_PREFIX } from '../../../core/webhook-secret.ts'

/** A secret made ready to sign: the spec signs with its text, Standard Webhooks with the bytes that it stands for. */
export type SigningKey = { spec: HmacKey; standard: HmacKey }

export const signingKey = (secret: string): SigningKey => ({
  spec: hmacKey(Buffer.from(secret)),
  standard: hmacKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
})

/** The headers that sign an attempt, as `signAttempt` makes them. */
export type SignatureHeaders = {
  'x-webhook-timestamp': string
  'x-webhook-signature': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * Signs one attempt with each key in force, the newest first; answers the bytes of its body beside the headers.
 * `x-webhook-signature`: `sha256=` and the hex HMAC of `<timestamp>.<raw body>` for each, separated by commas (spec 6.2).
 * `webhook-signature` of Standard Webhooks 1.0: `v1,` and the base64 HMAC of `<id>.<timestamp>.<raw body>`, separated by spaces.
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
  // What the spec signs is the end of what Standard Webhooks does, and its room is where that begins: so it comes second.
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

/** The headers that sign one attempt: the spec's, and those of Standard Webhooks beside them. */
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
