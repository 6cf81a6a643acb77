import { systemClock } from '../../src/core/clock.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { createWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import type { BenchDatabase } from '../ground/arena.ts'
import { MESSAGE } from '../ground/messages.ts'
import { SECRET_KEY } from '../ground/service.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'

/**
 * Creates workspaces with one number at the operator each, which accepts `throughput` messages per second,
 * and `chats` chats.
 */
export async function makeCloudShops(
  database: BenchDatabase,
  count: number,
  options: { throughput: number; chats: number },
): Promise<void> {
  const open = openSilentDatabase(database.url)
  const sealer = createSealer(SECRET_KEY)
  const now = systemClock.now()
  try {
    await open.system(async (tx) => {
      for (let i = 0; i < count; i++) {
        const { workspaceId } = await createWorkspace(tx, { name: `Shop ${i}`, plan: 'pro' }, now, sealer)
        const number = `+1555${String(i).padStart(7, '0')}`
        await addPhoneNumber(tx, { workspaceId, number, operator: 'cloud' }, now, sealer)
      }
    })
  } finally {
    await open.close()
  }
  await database.sql('update phone_numbers set throughput = $1', [options.throughput])
  await database.sql(
    `insert into contacts (workspace_id, id, phone, created_at, updated_at)
     select w.id, uuidv7(), '+9197' || lpad((row_number() over ())::text, 8, '0'), now(), now()
     from generate_series(1, $1) n cross join workspaces w`,
    [options.chats],
  )
  await database.sql(
    `insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at)
     select c.workspace_id, uuidv7(), c.id, n.id, now(), now() from contacts c join phone_numbers n using (workspace_id)`,
  )
  await database.admin('vacuum (analyze)')
}

/** Queues messages, one to each chat in turn, for all numbers together. */
export const queueMessages = (database: BenchDatabase, count: number): Promise<unknown> =>
  database.sql(
    `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                           created_at, run_at)
     select c.workspace_id, uuidv7(), c.id, c.contact_id, c.phone_number_id, 'outbound', $2, $3, 'queued', date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
     from (select *, row_number() over (order by random()) as place from conversations) c where place <= $1`,
    [count, MESSAGE.type, JSON.stringify(MESSAGE.content)],
  )
