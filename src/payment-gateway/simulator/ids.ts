import { randomBytes } from 'node:crypto'
import { sha256 } from '../../core/values/digest.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 14

const toBase62 = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** Returns a new id in the gateway's format: `pay_` and 14 letters and digits. */
export const newEntityId = (prefix: string): string => `${prefix}_${toBase62(randomBytes(LENGTH))}`

/**
 * Returns the id of the link with this reference. It is derived from the reference, so each reference has one
 * link.
 */
export const linkIdOf = (keyId: string, reference: string): string =>
  `plink_${toBase62(sha256(`${keyId} ${reference}`))}`
