import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { Admin } from './load.ts'
import { until } from './until.ts'

/** Locks the rows that the query `text` selects, until the returned function is called or the test ends. */
async function lockRows(url: string, text: string, id: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query(text, [id])
  const release = () => client.end()
  onTestFinished(release)
  return release
}

/** Locks a shop's counter, which every send and every new contact needs. */
export const holdCounter = (url: string, workspaceId: string): Promise<() => Promise<void>> =>
  lockRows(url, 'select from workspace_usage where workspace_id = $1 for update', workspaceId)

/** Locks a contact, which every change of the contact needs. */
export const holdContact = (url: string, contactId: string): Promise<() => Promise<void>> =>
  lockRows(url, 'select from contacts where id = $1 for update', contactId)

/** Resolves when a request waits for a lock. */
export const waitForLock = (admin: Admin): Promise<unknown> =>
  until(async () => {
    const waiting = await admin.query(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return waiting.length > 0
  }, 'a request waits inside its transaction')
