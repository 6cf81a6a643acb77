import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomFillSync } from 'node:crypto'
import { sha256 } from './digest.ts'

/** Encrypts secrets that must be read back: operator tokens, webhook secrets, stored secret answers. */
export type Sealer = {
  seal(plain: string): Buffer
  /** Throws when the bytes were not sealed with this key. */
  open(sealed: Uint8Array): string
  /** One whose key depends on `secret` too: who does not know that opens nothing. */
  with(secret: string): Sealer
  /** A secret for this use, always the same one, that nobody knows without the key. */
  secretFor(use: string): string
}

/** The key of the hashes by which what was erased is known again (docs/decisions/retention.md). */
export const erasureKeyOf = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'erased ids', 32))

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals under a key derived from PARLEY_SECRET_KEY. */
export const createSealer = (secretKey: string): Sealer =>
  sealerOf(Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'sealed secrets', 32)))

const nonces = Buffer.alloc(NONCE_BYTES * 256)
let noncesUsed = nonces.length
/** Random bytes are asked for in one call for many: each call costs as much as the encryption of a short text. */
function newNonce(): Buffer {
  if (noncesUsed === nonces.length) {
    randomFillSync(nonces)
    noncesUsed = 0
  }
  noncesUsed += NONCE_BYTES
  return Buffer.from(nonces.subarray(noncesUsed - NONCE_BYTES, noncesUsed))
}

/** Whether bytes are sealed; text in UTF-8 never begins like that. */
export const isSealed = (bytes: Uint8Array): boolean => bytes[0] === VERSION

/** AES-256-GCM. Layout: version, nonce, tag, ciphertext. */
function sealerOf(key: Buffer): Sealer {
  return {
    // The digest is a key and is shown to nobody: a plain hash that begins with our key does, at half the cost of an HMAC.
    with: (secret) => sealerOf(sha256(key.toString('hex') + secret)),
    secretFor: (use) => createHmac('sha256', key).update(use).digest('base64url'),
    seal(plain) {
      const nonce = newNonce()
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      // Encrypting bytes costs less than encrypting a text.
      const text = cipher.update(Buffer.from(plain))
      cipher.final()
      const sealed = Buffer.allocUnsafe(1 + NONCE_BYTES + TAG_BYTES + text.length)
      sealed[0] = VERSION
      sealed.set(nonce, 1)
      sealed.set(cipher.getAuthTag(), 1 + NONCE_BYTES)
      sealed.set(text, 1 + NONCE_BYTES + TAG_BYTES)
      return sealed
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      if (!isSealed(bytes)) throw new Error('the secret was sealed by another version')
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([
        decipher.update(bytes.subarray(1 + NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8')
    },
  }
}
