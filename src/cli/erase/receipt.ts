/**
 * Signs the receipt of an erasure, which lists the removed data, with a key derived from this installation's
 * secret key.
 */
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'

/**
 * Counts are by table name in the database; `by` is the name that the requester gave. Times are real, not
 * simulated.
 */
export type Erasure = {
  workspaceId: string
  by: string
  startedAt: string
  finishedAt: string
  records: Record<string, number>
  files: number
}
/** `publicKey` (Ed25519, base64url) is constant for an installation; `signature` covers all other fields. */
export type ErasureReceipt = Erasure & { publicKey: string; signature: string }

/** The prefix of a 32-byte private Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

function signingKey(secretKey: string): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'erasure receipts', 32))
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

const bytesOf = (unsigned: object): Buffer => Buffer.from(JSON.stringify(unsigned), 'utf8')

export function signReceipt(erasure: Erasure, secretKey: string): ErasureReceipt {
  const key = signingKey(secretKey)
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x as string
  const unsigned = { ...erasure, publicKey }
  return { ...unsigned, signature: sign(null, bytesOf(unsigned), key).toString('base64url') }
}

/**
 * Returns whether the receipt is unchanged. The reader must also compare its `publicKey` with the
 * installation's.
 */
export function isGenuine(receipt: Partial<ErasureReceipt>): boolean {
  const { signature, ...unsigned } = receipt
  try {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: String(unsigned.publicKey) },
      format: 'jwk',
    })
    return verify(null, bytesOf(unsigned), key, Buffer.from(String(signature), 'base64url'))
  } catch {
    return false
  }
}

/** Returns the public key in this installation's receipts. */
export const publicKeyOf = (secretKey: string): string =>
  createPublicKey(signingKey(secretKey)).export({ format: 'jwk' }).x as string
