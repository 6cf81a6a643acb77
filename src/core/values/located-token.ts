/** Bearer tokens that begin with their workspace and row, so that a look-up needs no index, and any cell finds the right one. */
import { randomBytes } from 'node:crypto'
import { UUID_BYTES, uuidFromBytes, uuidToBytes } from './uuid-bytes.ts'

const RANDOM_BYTES = 32

/** The row that a token belongs to. */
export type TokenPlace = { workspaceId: string; id: string }

/** Returns a new token: `prefix`, and 64 bytes as base64url: workspace, row, and 32 random ones. */
export const newLocatedToken = (prefix: string, { workspaceId, id }: TokenPlace): string =>
  prefix +
  Buffer.concat([uuidToBytes(workspaceId), uuidToBytes(id), randomBytes(RANDOM_BYTES)]).toString('base64url')

/** Reads the place of a token; undefined for any other text. */
export function placeOfToken(prefix: string, token: string): TokenPlace | undefined {
  if (!token.startsWith(prefix) || !/^[\w-]{86}$/.test(token.slice(prefix.length))) return undefined
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url')
  return {
    workspaceId: uuidFromBytes(bytes.subarray(0, UUID_BYTES)),
    id: uuidFromBytes(bytes.subarray(UUID_BYTES, 2 * UUID_BYTES)),
  }
}
