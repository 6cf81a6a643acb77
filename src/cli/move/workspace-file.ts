/** The format of the file in which a workspace moves: a header, and parts (docs/decisions/workspace-moves.md). */
import { z } from 'zod'
import { createSealer } from '../../core/sealing.ts'
import type { Frame } from './frames.ts'
import type { MovedAccount } from './match-accounts.ts'

export const FORMAT = 'parley workspace 1'

const Header = z.object({
  format: z.literal(FORMAT),
  moveId: z.uuid(),
  workspaceId: z.uuid(),
  name: z.string(),
  takenAt: z.string(),
  migrations: z.array(z.string()),
  /** The days of the log that have rows. */
  logDays: z.array(z.object({ log: z.enum(['events', 'deliveries']), day: z.string() })),
  row: z.record(z.string(), z.unknown()),
  /** A value that only the key of the file opens. */
  proof: z.string(),
})
export type Header = z.infer<typeof Header>

/** The beginning of a part: the rows of a table, the accounts, or a file. */
export type Part =
  | { part: 'table'; name: string; columns: string[] }
  | { part: 'rows'; rows: number }
  | { part: 'accounts'; accounts: Record<string, unknown>[] }
  | { part: 'file'; id: string; mimeType: string; bytes: number }

export const partFrame = (value: Part): Frame => ({ type: 'json', value })

/** Reads the first frame of a file. */
export function readHeader(path: string, item: Frame): Header {
  const parsed = item.type === 'json' ? Header.safeParse(item.value) : undefined
  if (!parsed?.success) throw new Error(`${path} isn't a moved workspace, or a newer version wrote it.`)
  return parsed.data
}

/** Throws unless this is the key with which the secrets in the file are sealed. */
export function requireFileKey({ proof }: Header, fileKey: string): void {
  try {
    createSealer(fileKey).open(Buffer.from(proof, 'base64'))
  } catch {
    throw new Error("This isn't the key of the file. The command that wrote the file showed it.")
  }
}

/** Bytes as base64, because JSON has none. */
export const accountToJson = (account: MovedAccount): Record<string, unknown> =>
  JSON.parse(JSON.stringify(account, (_, value: unknown) => bytesToJson(value)))

// JSON.stringify calls `toJSON` of buffers before it calls the replacer.
const bytesToJson = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value
    ? { base64: Buffer.from(value.data as number[]).toString('base64') }
    : value

export const accountFromJson = (account: Record<string, unknown>): MovedAccount => {
  const revived = JSON.parse(JSON.stringify(account), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'base64' in value
      ? Buffer.from(String(value.base64), 'base64')
      : value,
  ) as MovedAccount
  return { ...revived, createdAt: new Date(revived.createdAt) }
}
