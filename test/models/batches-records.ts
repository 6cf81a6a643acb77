/** Everything that a workspace has stored and reported, in a form that is equal after equal actions. */
import type { Body, TestParley, TestWorkspace } from '../support/boot.ts'

/** Sorts a contact's fields, whose stored order may differ. */
const sortFields = (name: string, value: unknown): unknown =>
  name === 'attributes' && typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Removes values that differ between runs: IDs, values derived from them, and times. */
export const withoutIds = (value: unknown): string =>
  JSON.stringify(value, sortFields)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/\\\\x[0-9a-f]{16,}/g, 'BYTES')
    .replace(/\d{15,16}|\+1 ?555[- ]?\d{3}[- ]?\d{4}/g, 'NUMBER')
    .replace(/sealed:[A-Za-z0-9+/=]+/g, 'SEALED')
    .replace(/wamid\.[A-Za-z0-9_=+/-]+/g, 'WAMID')
    .replace(/"(written_in|prefix)":"\w+"/g, '')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)/g, 'TIME')

/** Tables that background work sums up or indexes later. */
const BACKGROUND = 'words|walks|changes|counts|deltas|days'

/** Returns all rows of a workspace, without IDs, sorted. */
export const rowsOf = (parley: TestParley, shop: TestWorkspace): Promise<Record<string, string[]>> =>
  parley.system(async (tx) => {
    const tables = await tx.sql<{ name: string }>(
      `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
       where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
       and c.relname !~ ('_(' || $1 || ')$') order by 1`,
      [BACKGROUND],
    )
    const rows: Record<string, string[]> = {}
    for (const { name } of tables) {
      const found = await tx.sql<{ row: Body }>(
        `select to_jsonb(t) as row from "${name}" t where workspace_id = $1`,
        [shop.workspaceId],
      )
      rows[name] = found.map(({ row }) => withoutIds(row)).sort()
    }
    return rows
  })

/** Returns the events of each customer in order. */
export const eventsOf = (parley: TestParley, shop: TestWorkspace): Promise<string[]> =>
  parley.system(async (tx) => {
    const customers = await tx.sql<{ phone: string; names: string }>(
      `select phone, string_agg(name, ' ' order by events.id) as names from contacts
       join events on events.workspace_id = $1 and contact_id = contacts.id
       where contacts.workspace_id = $1 group by 1 order by 1`,
      [shop.workspaceId],
    )
    return customers.map(({ phone, names }) => `${phone}: ${names}`)
  })
