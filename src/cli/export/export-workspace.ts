// Exports a workspace's data for its owner: one JSON document per line, with the field names of the API where they exist.
import { join } from 'node:path'
import type pg from 'pg'
import { copyOut } from '../../database/copy.ts'
import { camelCase } from '../../database/rows.ts'
import { quoted } from '../../database/stored-tables.ts'
import type { MediaStore } from '../../media-store/port.ts'
import { writeChecked } from '../backup/checked-file.ts'
import { copyFiles } from '../backup/files.ts'
import { inSnapshot } from '../backup/snapshot.ts'

/** Tables that only the service needs: queued work, derived counters, replies stored for retries. */
const MACHINERY = new Set([
  'activity_deltas',
  'auto_reply_uses',
  'automatic_messages',
  'automation_starts',
  'automation_states',
  'broadcast_deltas',
  'broadcast_stretches',
  'closed_template_names',
  'deliveries',
  'early_refunds',
  'erased_ids',
  'flow_syncs',
  'gateway_posts',
  'idempotency_keys',
  'invitations',
  'jobs',
  'kept_callbacks',
  'lead_changes',
  'lead_counts',
  'lead_submissions',
  'message_word_walks',
  'message_words',
  'number_lanes',
  'operator_updates',
  'priced_deltas',
  'reference_versions',
  'sales_document_pdfs',
  'template_deltas',
  'sent_files',
  'shop_deliveries',
  'deleted_webhook_endpoints',
  'simulator_objects',
  'social_message_changes',
  'social_message_words',
  'social_permalinks',
  'social_updates',
  'social_waiting_replies',
  'tag_changes',
  'task_changes',
  'task_counts',
  'unread_updates',
  'uploads',
])

/**
 * Columns that are never exported. Bytes are also left out, because sealed and hashed values are bytes; these columns are
 * secrets as text, such as the token in a link.
 */
const SECRET_COLUMNS = '(^|_)token$|^request_key$'

type Exported = { name: string; key: string; columns: string[] }

/** Writes the workspace as of one moment; returns the number of records of each kind. */
export function exportWorkspace(
  databaseUrl: string,
  workspaceId: string,
  folder: string,
  store: MediaStore,
): Promise<{ records: Record<string, number>; files: { count: number; missing: number } }> {
  return inSnapshot(databaseUrl, 'export', async (client) => {
    const found = await client.query('select 1 from workspaces where id = $1', [workspaceId])
    if (found.rows.length === 0)
      throw new Error(`Workspace ${workspaceId} not found. See "parley workspace list".`)
    const files = await copyFiles(client, store, folder, workspaceId)
    const records: Record<string, number> = {}
    for (const table of await exportedTables(client))
      records[camelCase(table.name)] = await exportTable(client, table, workspaceId, folder)
    return { records, files }
  })
}

/** Returns every table with workspace data, from the database, so that a new table is not forgotten. */
async function exportedTables(client: pg.Client): Promise<Exported[]> {
  const { rows } = await client.query<Exported>(
    `select c.relname as name, case when c.relname = 'workspaces' then 'id' else 'workspace_id' end as key,
            array_agg(a.attname::text order by a.attnum)
              filter (where a.atttypid <> all (array['bytea', 'xid8']::regtype[]) and a.attname !~ $1) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname
     having bool_or(a.attname = 'workspace_id') or c.relname = 'workspaces'
     order by c.relname`,
    [SECRET_COLUMNS],
  )
  return rows.filter(({ name }) => !MACHINERY.has(name))
}

async function exportTable(
  client: pg.Client,
  { name, key, columns }: Exported,
  workspaceId: string,
  folder: string,
): Promise<number> {
  const fields = columns.map((column) => `${quoted(column)} as ${quoted(camelCase(column))}`).join(', ')
  const condition = `${quoted(key)} = ${client.escapeLiteral(workspaceId)}`
  // JSON contains no control characters: with these as quote and delimiter, COPY leaves every line unchanged.
  const { bytes, rows } = copyOut(
    client,
    `copy (select row_to_json(r) from (select ${fields} from ${quoted(name)} where ${condition}) r)
     to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`,
  )
  await writeChecked(join(folder, `${name.replaceAll('_', '-')}.jsonl`), bytes)
  return rows()
}
