/**
 * A passkey in software: it returns the responses of a browser with a passkey (WebAuthn level 3, ES256,
 * without attestation).
 */
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()

/**
 * Encodes CBOR: only short texts, byte strings, and small numbers, which is enough for a key and an
 * attestation.
 */
const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
const number = (value: number): Buffer => (value >= 0 ? head(0, value) : head(1, -1 - value))
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_KEY = 0x40

export type Authenticator = {
  /** Returns the response of `navigator.credentials.create` to `options`. */
  create(options: { challenge: string; rp: { id?: string } }): object
  /**
   * Returns the response of `navigator.credentials.get`. With `verified` false, the user gave no fingerprint
   * or PIN.
   */
  get(
    options: { challenge: string; rpId?: string },
    overrides?: { verified?: boolean; origin?: string },
  ): object
}

export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0
  const coseKey = map([
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), bytes(Buffer.from(x as string, 'base64url'))],
    [number(-3), bytes(Buffer.from(y as string, 'base64url'))],
  ])
  const dataOf = (rpId: string, flags: number, rest: Buffer = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest])
  }
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const credential = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    create: ({ challenge, rp }) => {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey])
      const authData = dataOf(rp.id as string, USER_PRESENT | USER_VERIFIED | HAS_KEY, attested)
      const attestationObject = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(authData)],
      ])
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', challenge, origin)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      })
    },
    get: ({ challenge, rpId }, { verified = true, origin: from = origin } = {}) => {
      counter++
      const authData = dataOf(rpId as string, USER_PRESENT | (verified ? USER_VERIFIED : 0))
      const client = clientData('webauthn.get', challenge, from)
      return credential({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)),
      })
    },
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Returns the code that an authenticator app shows for a scanned secret (RFC 6238). */
export function codeAt(uri: string, ms: number): string {
  const letters = Array.from(new URL(uri).searchParams.get('secret') ?? '')
  const bits = letters.map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac[19] as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
