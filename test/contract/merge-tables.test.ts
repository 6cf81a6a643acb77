/**
 * Every table whose rows name a contact, a chat, or a lead must either handle merges with a trigger on
 * `merged_contacts`, `merged_conversations`, or `merged_leads` (src/modules/messaging/contacts/DECISIONS.md
 * "Merges"), or be in the list here, with the reason why the rows stay.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onDatabase } from '../../src/database/on-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

/** Columns whose rows stay unchanged. */
const OTHERS: Record<string, string> = {
  'conversation_activity.conversation_id':
    'one of each chat: merge_conversations writes the kept one, and the other goes with its chat',
  'social_conversations.contact_id': 'of the photo network, whose contacts are not merged',
  'social_messages.conversation_id': 'of the photo network, whose contacts are not merged',
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

// Columns with one of these ids, with any prefix in their name.
const COLUMNS = `
select c.relname || '.' || a.attname as name from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
  and t.typname in ('uuid', '_uuid') and a.attname ~ '(contact|conversation|lead)_ids?$'
order by 1`

// The first arguments of each trigger on the merge tables are a table and its column.
const DECLARED = `
select distinct split_part(args, '\\000', 1) || '.' || split_part(args, '\\000', 2) as name
from (
  select encode(t.tgargs, 'escape') as args from pg_trigger t join pg_class p on p.oid = t.tgrelid
  where p.relname in ('merged_contacts', 'merged_conversations', 'merged_leads') and not t.tgisinternal) declared
where split_part(args, '\\000', 2) <> ''`

test('each column that names a contact, a chat, or a lead follows a merge, or has a reason why not', async () => {
  const [columns, declared] = await onDatabase(database.url, async (client) => [
    (await client.query<{ name: string }>(COLUMNS)).rows.map(({ name }) => name),
    (await client.query<{ name: string }>(DECLARED)).rows.map(({ name }) => name),
  ])
  expect(columns.length).toBeGreaterThan(20)
  expect(columns.filter((name) => !declared!.includes(name)).sort()).toEqual(Object.keys(OTHERS).sort())
  // The declared columns exist, and ids from before the merge follow too.
  const own = ['merged_contacts.kept_id', 'merged_conversations.kept_id', 'merged_leads.kept_id']
  expect(declared!.filter((name) => !columns.includes(name)).sort()).toEqual(own)
})
