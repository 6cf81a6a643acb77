/** Copies the files of a workspace between two stores. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { MediaStore } from '../../media-store/port.ts'
import { keyOf } from '../../modules/messaging/media/operations/store-key.ts'
import { writeChecked } from '../backup/checked-file.ts'
import { type StoredFile, storedFiles } from '../backup/files.ts'

export type FileStores = { from: MediaStore; to: MediaStore }

/**
 * Copies the files that are not in `copied` yet, and adds them. A file whose row was deleted since may be missing in the store.
 */
export async function copyNewFiles(
  client: pg.ClientBase,
  { from, to }: FileStores,
  workspaceId: string,
  copied: Set<string>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-move-'))
  try {
    await client.query('begin read only')
    for await (const file of storedFiles(client, workspaceId))
      if (!copied.has(file.id)) {
        await copyFile({ from, to }, folder, file)
        copied.add(file.id)
      }
  } finally {
    await client.query('rollback').catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyFile(
  { from, to }: FileStores,
  folder: string,
  { workspaceId, id, mimeType }: StoredFile,
): Promise<void> {
  const key = keyOf(workspaceId, id)
  const opened = await from.open(key)
  if (opened === undefined) return
  const path = join(folder, id)
  const { bytes } = await writeChecked(path, opened)
  const stream = () => createReadStream(path)
  await to.put(key, { stream, pieces: stream, sizeBytes: bytes, mimeType })
  await rm(path)
}
