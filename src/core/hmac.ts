import { hash } from 'node:crypto'
import { sha256 } from './digest.ts'

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32

/** A secret made ready for HMAC-SHA-256 (RFC 2104): its two padded blocks; behind the outer one is room for a digest. */
export type HmacKey = { inner: Buffer; outer: Buffer }

/** What `signAfterRoom` needs free before the bytes that it signs. */
export const HMAC_ROOM = '\0'.repeat(BLOCK_BYTES)

export function hmacKey(secret: Buffer): HmacKey {
  const key = secret.length > BLOCK_BYTES ? sha256(secret) : secret
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36)
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c)
  for (const [i, byte] of key.entries()) {
    inner[i]! ^= byte
    outer[i]! ^= byte
  }
  return { inner, outer }
}

/**
 * The HMAC-SHA-256 of the bytes from `start` on; overwrites the 64 before them. Two hashes of bytes that are there take half
 * the time of `createHmac`, which reads its key and makes three objects each time.
 */
export function signAfterRoom(
  key: HmacKey,
  bytes: Buffer,
  start: number,
  encoding: 'hex' | 'base64',
): string {
  bytes.set(key.inner, start - BLOCK_BYTES)
  key.outer.write(hash('sha256', bytes.subarray(start - BLOCK_BYTES), 'binary'), BLOCK_BYTES, 'latin1')
  return hash('sha256', key.outer, encoding)
}
