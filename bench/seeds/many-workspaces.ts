/** The messages of other companies: thousands of workspaces, whose rows fill the same tables and indexes. */
import type { BenchDatabase } from '../ground/arena.ts'
import { makeShops } from './shops.ts'

/** The number of messages in a chat. */
const CHAT_LENGTH = 100
/** Workspaces whose rows one statement creates. */
const AT_ONCE = 50
const REPORT_EVERY = 1_000
const LINE_LENGTH = 90
/** Days over which the messages are spread. */
const DAYS = 180

/** Indexes that the load drops, and builds when all rows exist: sorted once, they cost a fraction. */
async function dropIndexes(database: BenchDatabase, table: string): Promise<string[]> {
  const rows = await database.sql<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where i.indrelid = $1::regclass and not i.indisprimary`,
    [table],
  )
  for (const { name } of rows) await database.admin(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** An id of the chat `c` for its message number `m`, which was created at `at`. */
const idOf = (at: string): string => {
  const hash = 'md5(c.id::text || m)'
  return `(left(id_bound(${at})::text, 13) || '-7' || substr(${hash}, 1, 3) || '-8' || substr(${hash}, 4, 3) || '-' || substr(${hash}, 7, 12))::uuid`
}

/**
 * Creates workspaces as the command line does, and gives them `messages` messages together, in chats of a hundred, spread over
 * half a year. Triggers and foreign keys are off for these rows: they are right by themselves.
 */
export async function addManyWorkspaces(
  database: BenchDatabase,
  { workspaces, messages, say }: { workspaces: number; messages: number; say(line: string): void },
): Promise<void> {
  const shops = await makeShops(database, workspaces, 'pro')
  say(`  ${workspaces} workspaces …`)
  await database.sql(
    `update workspaces set message_days = 365, created_at = now() - ${DAYS} * interval '1 day' where id = any($1)`,
    [shops.map(({ workspaceId }) => workspaceId)],
  )
  const chats = Math.max(1, Math.round(messages / workspaces / CHAT_LENGTH))
  const definitions = await dropIndexes(database, 'messages')
  const at = `now() - ${DAYS} * interval '1 day' * (m::float8 / ${CHAT_LENGTH})`
  for (let first = 0; first < shops.length; first += AT_ONCE) {
    const group = shops.slice(first, first + AT_ONCE)
    const values = group.map((shop) => `('${shop.workspaceId}'::uuid, '${shop.phoneNumberId}'::uuid)`)
    await database.admin(`
      set session_replication_role = replica;
      create temporary table c as
        select w.workspace_id, w.phone_number_id, uuidv7() as contact_id, uuidv7() as id, k
        from (values ${values.join(', ')}) w (workspace_id, phone_number_id), generate_series(1, ${chats}) k;
      insert into contacts (workspace_id, id, phone, display_name, created_at, updated_at)
        select workspace_id, contact_id, '+9196' || lpad(k::text, 8, '0'), 'Ravi Iyer', now(), now() from c;
      insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at)
        select workspace_id, id, contact_id, phone_number_id, now(), now() from c;
      insert into conversation_activity (workspace_id, conversation_id, activity_id, last_message_at)
        select workspace_id, id, uuidv7(), now() from c;
      insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                            chanmid, created_at, sent_at, delivered_at)
        select workspace_id, ${idOf(at)}, id, contact_id, phone_number_id,
               case when m % 2 = 0 then 'inbound' else 'outbound' end, 'text', '{"body": "Your order is on its way, with us by Friday."}',
               case when m % 2 = 0 then 'received' else 'delivered' end, 'wamid.' || md5(c.id::text || m), ${at}, ${at}, ${at}
        from c, generate_series(1, ${CHAT_LENGTH}) m`)
    const done = first + group.length
    if (done % REPORT_EVERY === 0) say(`  ${done * chats * CHAT_LENGTH} messages …`)
  }
  for (const definition of definitions) {
    say(`  ${definition.slice(0, LINE_LENGTH)} …`)
    await database.admin(`set maintenance_work_mem = '1GB'; ${definition}`)
  }
  await database.admin('vacuum (analyze)')
}
