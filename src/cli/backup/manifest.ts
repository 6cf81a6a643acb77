// The folder of a backup contains:
//   manifest.json          the table of contents, with its own checksum, written last: without it, the backup is incomplete
//   tables/NAME.copy.zst   the rows of a table, PostgreSQL's COPY text, compressed
//   files.jsonl            a line for each file of the media store; their bytes are below files/
//   secret.key             only with --with-secret-key
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createSealer } from '../../core/sealing.ts'

const MANIFEST = 'manifest.json'
const FORMAT = 'parley backup 2'
/** The format without a checksum of the manifest itself. */
const FIRST_FORMAT = 'parley backup 1'

const Contents = z.object({ bytes: z.number(), sha256: z.string() })

const Manifest = z.object({
  format: z.enum([FORMAT, FIRST_FORMAT]),
  /** When the snapshot was taken, ISO 8601. */
  takenAt: z.string(),
  postgres: z.string(),
  /** The applied migrations of the database. */
  migrations: z.array(z.string()),
  /** Sealed with the secret key, so that a restore can check that it has the right key. */
  sealedProof: z.string(),
  tables: z.array(Contents.extend({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  partitions: z.array(
    z.object({
      name: z.string(),
      parent: z.string(),
      bound: z.string().regex(/^(FOR VALUES [^;]+|DEFAULT)$/),
      partitionBy: z.string().nullable(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
  /**
   * Null: files were left out. `missing` counts files of the snapshot that were deleted from the store before they were copied.
   */
  files: Contents.extend({ count: z.number(), missing: z.number() }).nullable(),
  /** Checksum of all other fields, as compact JSON. */
  sha256: z.string().optional(),
})

export type Manifest = z.infer<typeof Manifest>
/** A line of files.jsonl. */
export const FileLine = Contents.extend({
  key: z.string().regex(/^[\w-]+(\/[\w-]+)*$/),
  mimeType: z.string(),
})
export type FileLine = z.infer<typeof FileLine>

export const manifestPath = (folder: string): string => join(folder, MANIFEST)
export const tablePath = (folder: string, table: string): string =>
  join(folder, 'tables', `${table}.copy.zst`)
export const fileListPath = (folder: string): string => join(folder, 'files.jsonl')
export const filePath = (folder: string, key: string): string => join(folder, 'files', key)
export const backedUpKeyPath = (folder: string): string => join(folder, 'secret.key')

const checksumOf = (rest: object): string => createHash('sha256').update(JSON.stringify(rest)).digest('hex')

export function newManifest(contents: Omit<Manifest, 'format' | 'sha256'>): Manifest {
  const rest = { format: FORMAT, ...contents } as const
  return { ...rest, sha256: checksumOf(rest) }
}

/** Reads the manifest of a backup. Throws, in words for the person, if the folder is not a complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(manifestPath(folder), 'utf8')
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw new Error(`${folder} has no complete backup: ${MANIFEST}, which is written last, is missing.`)
  }
  let parsed: unknown
  let manifest: Manifest
  try {
    parsed = JSON.parse(text)
    manifest = Manifest.parse(parsed)
  } catch {
    throw new Error(`${manifestPath(folder)} is damaged, or a newer Parley wrote it.`)
  }
  const { sha256, ...rest } = parsed as { sha256?: string }
  if (manifest.format !== FIRST_FORMAT && sha256 !== checksumOf(rest))
    throw new Error(`${manifestPath(folder)} is damaged: its checksum differs. Restore from another backup.`)
  return manifest
}

const proofOf = (takenAt: string): string => createHash('sha256').update(takenAt).digest('hex')

/** Returns a value that only the same secret key decrypts. */
export const sealProof = (secretKey: string, takenAt: string): string =>
  createSealer(secretKey).seal(proofOf(takenAt)).toString('base64')

/** Whether `secretKey` was in use when the backup was made. */
export function isKeyOf(secretKey: string, { sealedProof, takenAt }: Manifest): boolean {
  try {
    return createSealer(secretKey).open(Buffer.from(sealedProof, 'base64')) === proofOf(takenAt)
  } catch {
    return false
  }
}
