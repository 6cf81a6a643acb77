/** The receipt of an erasure: the deleted rows, signed with a private key of this installation. */
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'

/** Counts by table, under the names in the database; `by` is the requester, in their own words. Times are real. */
export type Erasure = {
  workspaceId: string
  by: string
  startedAt: string
  finishedAt: string
  records: Record<string, number>
  files: number
}
/** `publicKey` (Ed25519, base64url) is always the same for an installation; `signature` covers all fields before it. */
export type ErasureReceipt = Erasure & { publicKey: string; signature: string }

/** The bytes before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410). */
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
 * Returns whether the receipt is unchanged since it was signed. Its owner must also compare `publicKey` with
 * the key that the installation shows.
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

/** Returns the public key in receipts of this installation. */
export const publicKeyOf = (secretKey: string): string =>
  createPublicKey(signingKey(secretKey)).export({ format: 'jwk' }).x as string
