import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomFillSync } from 'node:crypto'
import { sha256 } from './values/digest.ts'

/** Encrypts secrets that must be read back: operator tokens, webhook secrets, stored secret answers. */
export type Sealer = {
  seal(plain: string): Buffer
  /** Throws if the bytes were not sealed with this key. */
  open(sealed: Uint8Array): string
  /** Returns a sealer whose key also depends on `secret`; without that secret, its texts cannot be opened. */
  with(secret: string): Sealer
  /** Returns a secret for this use: always the same one, and unknown without the key. */
  secretFor(use: string): string
}

/** Returns the key of the hashes that recognize erased ids and numbers (docs/decisions/retention.md). */
export const erasureKeyOf = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'erased ids', 32))

/** The first byte of sealed bytes. */
export const SEALED_VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns a sealer with a key derived from PARLEY_SECRET_KEY. */
export const createSealer = (secretKey: string): Sealer =>
  sealerOf(Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'sealed secrets', 32)))

const nonces = Buffer.alloc(NONCE_BYTES * 256)
let noncesUsed = nonces.length
/** Draws random bytes in bulk: each system call costs as much as encrypting a short text. */
function newNonce(): Buffer {
  if (noncesUsed === nonces.length) {
    randomFillSync(nonces)
    noncesUsed = 0
  }
  noncesUsed += NONCE_BYTES
  return Buffer.from(nonces.subarray(noncesUsed - NONCE_BYTES, noncesUsed))
}

/** Whether bytes are sealed; UTF-8 text never starts with the version byte. */
export const isSealed = (bytes: Uint8Array): boolean => bytes[0] === SEALED_VERSION

/** Seals with AES-256-GCM. Layout: version, nonce, tag, ciphertext. */
function sealerOf(key: Buffer): Sealer {
  return {
    // The digest is used only as a key and is never shown, so a plain hash that starts with our key is as safe as an HMAC, at
    // half the cost.
    with: (secret) => sealerOf(sha256(key.toString('hex') + secret)),
    secretFor: (use) => createHmac('sha256', key).update(use).digest('base64url'),
    seal(plain) {
      const nonce = newNonce()
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      // Encrypting bytes costs less than encrypting text.
      const text = cipher.update(Buffer.from(plain))
      cipher.final()
      const sealed = Buffer.allocUnsafe(1 + NONCE_BYTES + TAG_BYTES + text.length)
      sealed[0] = SEALED_VERSION
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
