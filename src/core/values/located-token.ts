/** Bearer tokens that begin with their workspace and row, so that a look-up needs no index, and any cell finds the right one. */
import { randomBytes } from 'node:crypto'

const UUID_BYTES = 16
const RANDOM_BYTES = 32

/** The row that a token belongs to. */
export type TokenPlace = { workspaceId: string; id: string }

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Returns a new token: `prefix`, and 64 bytes as base64url: workspace, row, and 32 random ones. */
export const newLocatedToken = (prefix: string, { workspaceId, id }: TokenPlace): string =>
  prefix + Buffer.concat([bytesOf(workspaceId), bytesOf(id), randomBytes(RANDOM_BYTES)]).toString('base64url')

/** Reads the place of a token; undefined for any other text. */
export function placeOfToken(prefix: string, token: string): TokenPlace | undefined {
  if (!token.startsWith(prefix) || !/^[\w-]{86}$/.test(token.slice(prefix.length))) return undefined
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url')
  return {
    workspaceId: uuidOf(bytes.subarray(0, UUID_BYTES)),
    id: uuidOf(bytes.subarray(UUID_BYTES, 2 * UUID_BYTES)),
  }
}
