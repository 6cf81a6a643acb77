/**
 * Sign-ins that a backup contains: sessions are ended, because they may have ended since, and keys that may have been revoked
 * are listed.
 */
import type { Selectable } from 'kysely'
import type pg from 'pg'
import { systemClock } from '../../core/clock.ts'
import type { Tables } from '../../database/sql/tables.ts'
import type { Manifest } from './manifest.ts'

type KeyRow = Selectable<Tables['apiKeys']>

const REASON = 'the installation was restored from a backup.'

/** An API key that is valid after the restore, even if it was revoked after the backup. */
export type RevivedKey = Pick<KeyRow, 'label' | 'prefix' | 'role' | 'workspaceId'> & {
  keyId: KeyRow['id']
  workspace: Selectable<Tables['workspaces']>['name']
}
export type Revived = { sessionsEnded: number; keys: RevivedKey[] }

/** Ends all sessions and sign-in links, in the transaction of the rows, and returns the valid keys. */
export async function endSignIns(client: pg.Client, { tables }: Manifest): Promise<Revived> {
  const has = (name: string): boolean => tables.some((table) => table.name === name)
  const now = systemClock.now()
  const ended = has('sessions')
    ? await client.query('update sessions set ended_at = $1, ended_because = $2 where ended_at is null', [
        now,
        REASON,
      ])
    : undefined
  if (has('sign_in_tokens')) await client.query('delete from sign_in_tokens')
  if (has('invitations')) await client.query('delete from invitations')
  if (!has('api_keys')) return { sessionsEnded: ended?.rowCount ?? 0, keys: [] }
  const { rows } = await client.query<RevivedKey>(
    `select k.id as "keyId", k.label, k.prefix, k.role, k.workspace_id as "workspaceId", w.name as workspace
     from api_keys k join workspaces w on w.id = k.workspace_id
     where k.revoked_at is null and (k.expires_at is null or k.expires_at > $1)
     order by w.name, w.id, k.id`,
    [now],
  )
  return { sessionsEnded: ended?.rowCount ?? 0, keys: rows }
}
