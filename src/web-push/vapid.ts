/** The installation's identity at push services (RFC 8292). */

import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Sealer } from '../core/sealing.ts'

export type VapidKeys = { publicKey: string; privateKey: KeyObject }

/** Returns the keys that belong to 32 secret bytes: always the same ones. */
export function vapidKeysOf(secret: Buffer): VapidKeys {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(secret)
  const point = ecdh.getPublicKey()
  const part = (from: number, to: number): string => point.subarray(from, to).toString('base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: secret.toString('base64url'),
    x: part(1, 33),
    y: part(33, 65),
  }
  return {
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
  }
}

/** The public key that browsers subscribe with, base64url. Derived, so that every process has the same. */
export const pushKeyOf = (sealer: Pick<Sealer, 'secretFor'>): string => pushKeysOf(sealer).publicKey

export const pushKeysOf = (sealer: Pick<Sealer, 'secretFor'>): VapidKeys =>
  vapidKeysOf(Buffer.from(sealer.secretFor('web push'), 'base64url'))

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Below the limit of 24 hours. */
const VALID_SECONDS = 12 * 3_600

/** Returns the `Authorization` header for a push service. `contact`: the site, for its operator. */
export function vapidHeader(
  { publicKey, privateKey }: VapidKeys,
  { endpoint, contact, now }: { endpoint: string; contact: string; now: Date },
): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1_000) + VALID_SECONDS,
    sub: contact,
  }
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
}
