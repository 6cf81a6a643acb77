import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { UUID_BYTES, uuidFromBytes, uuidToBytes } from '../../core/values/uuid-bytes.ts'

/** The content of a file link: the workspace, the file, and the expiry in the workspace's time. */
export type FileLink = { workspaceId: string; mediaId: string; expiresAt: Date }

/** Signs links. The URL contains the file name next to the token, and the signature covers both. */
export type FileTokens = {
  sign(link: FileLink, filename: string): string
  /** Returns undefined if the signature doesn't match the token and the name. */
  read(token: string, filename: string): FileLink | undefined
}

const TIME_BYTES = 6
const SIGNED_BYTES = 2 * UUID_BYTES + TIME_BYTES
const SIGNATURE_BYTES = 32

/**
 * Creates tokens signed with a key derived from PARLEY_SECRET_KEY. Layout: workspace, file, milliseconds,
 * HMAC-SHA256.
 */
export function createFileTokens(secretKey: string): FileTokens {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'links to files', 32))
  const signatureOf = (signed: Buffer, filename: string): Buffer =>
    createHmac('sha256', key).update(signed).update(filename).digest()
  return {
    sign({ workspaceId, mediaId, expiresAt }, filename) {
      const time = Buffer.alloc(TIME_BYTES)
      time.writeUIntBE(expiresAt.getTime(), 0, TIME_BYTES)
      const signed = Buffer.concat([uuidToBytes(workspaceId), uuidToBytes(mediaId), time])
      return Buffer.concat([signed, signatureOf(signed, filename)]).toString('base64url')
    },
    read(token, filename) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES) return undefined
      const signed = bytes.subarray(0, SIGNED_BYTES)
      if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), signatureOf(signed, filename))) return undefined
      return {
        workspaceId: uuidFromBytes(signed.subarray(0, UUID_BYTES)),
        mediaId: uuidFromBytes(signed.subarray(UUID_BYTES, 2 * UUID_BYTES)),
        expiresAt: new Date(signed.readUIntBE(2 * UUID_BYTES, TIME_BYTES)),
      }
    },
  }
}
