import type { Selectable } from 'kysely'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import type { Tables } from '../database/sql/tables.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import { keyOf } from '../modules/messaging/media/operations/store-key.ts'
import { type Check, failed, ok } from './doctor-check.ts'

const FILES_PER_WORKSPACE = 5
const MAX_FILES = 50

/**
 * Checks that this machine's store has the newest files that the database lists; files that another machine stored elsewhere
 * are missing.
 */
export async function checkStoredFiles(client: pg.Client, settings: Config): Promise<Check[]> {
  const { rows } = await client.query<Pick<Selectable<Tables['media']>, 'workspaceId' | 'id'>>(
    `select w.id as "workspaceId", newest.id from workspaces w cross join lateral (
       select id from media where workspace_id = w.id and state = 'stored' order by id desc limit $1) newest limit $2`,
    [FILES_PER_WORKSPACE, MAX_FILES],
  )
  const store = await openMediaStore(settings, systemClock)
  let missing = 0
  try {
    for (const { workspaceId, id } of rows) {
      const bytes = await store.open(keyOf(workspaceId, id))
      if (!bytes) missing++
      bytes?.destroy()
    }
  } finally {
    await store.close()
  }
  const name = 'stored files'
  if (missing === 0) return [ok(name, `this machine finds the newest ${rows.length} files`)]
  return [
    failed(
      name,
      `this machine can't find ${missing} of the newest ${rows.length} files. With several machines, use a bucket (PARLEY_MEDIA_URL) or a shared folder as PARLEY_DATA_DIR`,
    ),
  ]
}
