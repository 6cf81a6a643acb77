// Copies the files of a snapshot between the media store and a folder, one at a time and never completely in memory.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../../database/sql/tables.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { keyOf } from '../../modules/messaging/media/operations/store-key.ts'
import { type Contents, verify, writeChecked } from './checked-file.ts'
import { FileLine, fileListPath, filePath, type Manifest } from './manifest.ts'

const PAGE = 500
export type StoredFile = Pick<Selectable<Tables['media']>, 'workspaceId' | 'id' | 'mimeType'>

/** Reads every file of the transaction, or of one workspace, in the order of their keys. */
export async function* storedFiles(client: pg.ClientBase, workspaceId?: string): AsyncGenerator<StoredFile> {
  await client.query({
    text: `declare files no scroll cursor for
      select workspace_id as "workspaceId", id, mime_type as "mimeType"
      from (select workspace_id, id, mime_type from media where state = 'stored'
            union all select workspace_id, id, mime_type from social_media where state = 'stored'
            union all select workspace_id, id, 'application/octet-stream' from history_imports where has_file) files
      ${workspaceId === undefined ? '' : 'where workspace_id = $1'} order by workspace_id, id`,
    values: workspaceId === undefined ? [] : [workspaceId],
  })
  try {
    for (;;) {
      const { rows } = await client.query<StoredFile>(`fetch ${PAGE} from files`)
      yield* rows
      if (rows.length < PAGE) return
    }
  } finally {
    await client.query('close files').catch(() => {})
  }
}

/**
 * Copies the files of the snapshot into `folder`, with a list of them. A file whose row was deleted since may be missing in the
 * store; it is counted as missing.
 */
export async function copyFiles(
  client: pg.ClientBase,
  store: MediaStore,
  folder: string,
  workspaceId?: string,
): Promise<Contents & { count: number; missing: number }> {
  let count = 0
  let missing = 0
  async function* lines(): AsyncGenerator<string> {
    for await (const row of storedFiles(client, workspaceId)) {
      const key = keyOf(row.workspaceId, row.id)
      const bytes = await store.open(key)
      if (bytes === undefined) {
        missing++
        continue
      }
      const contents = await writeChecked(filePath(folder, key), bytes)
      count++
      yield `${JSON.stringify({ key, mimeType: row.mimeType, ...contents } satisfies FileLine)}\n`
    }
  }
  const list = await writeChecked(fileListPath(folder), Readable.from(lines(), { objectMode: false }))
  return { ...list, count, missing }
}

async function* listedFiles(folder: string): AsyncGenerator<FileLine> {
  const lines = createInterface({
    input: createReadStream(fileListPath(folder)),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) yield FileLine.parse(JSON.parse(line))
}

/** Throws, naming the first invalid file, unless every file of the backup is there unchanged. */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  if (files === null) return
  await verify(fileListPath(folder), files)
  for await (const { key, ...contents } of listedFiles(folder)) await verify(filePath(folder, key), contents)
}

/** Puts the files of a backup into the store. Existing files are written again. */
export async function restoreFiles(folder: string, { files }: Manifest, store: MediaStore): Promise<void> {
  if (files === null) return
  for await (const { key, bytes, mimeType } of listedFiles(folder)) {
    const path = filePath(folder, key)
    const stream = () => createReadStream(path)
    await store.put(key, { stream, pieces: stream, sizeBytes: bytes, mimeType })
  }
}
