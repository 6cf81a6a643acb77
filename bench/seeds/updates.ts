/** Reports of the operator that are not applied yet. */
import { newId } from '../../src/core/ids.ts'
import { insertPosts } from '../../src/modules/messaging/messages/intake/queries/updates.ts'
import type { BenchDatabase } from '../ground/arena.ts'
import type { Shop } from './shops.ts'

const AT_ONCE = 2_000
const unixSeconds = () => Math.floor((performance.timeOrigin + performance.now()) / 1000)

let serial = 0

/** A customer's message, or the three receipts of one of ours, as elements of a webhook's value. */
export type Reported = { messages: object[]; statuses: object[] }

/** Adds our sent messages, one for each line of `chanmids`, ready for their receipts. */
export async function addSentMessages(
  database: BenchDatabase,
  rows: { workspaceId: string; phone: string }[],
): Promise<{ workspaceId: string; chanmid: string }[]> {
  return database.sql<{ workspaceId: string; chanmid: string }>(
    `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                           chanmid, created_at)
     select c.workspace_id, uuidv7(), v.id, c.id, v.phone_number_id, 'outbound', 'text', '{"body": "It is."}', 'queued',
            'wamid.out.' || uuidv7(), now()
     from unnest($1::uuid[], $2::text[]) as r (workspace_id, phone)
     join contacts c on c.workspace_id = r.workspace_id and c.phone = r.phone
     join conversations v on v.workspace_id = c.workspace_id and v.contact_id = c.id
     returning workspace_id as "workspaceId", chanmid`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.phone)],
  )
}

/** Returns a new message of a customer. */
export const messageFrom = (phone: string): Reported => ({
  messages: [
    {
      from: phone.slice(1),
      id: `wamid.in.${++serial}`,
      timestamp: String(unixSeconds()),
      type: 'text',
      text: { body: 'Is the blue one in stock?' },
    },
  ],
  statuses: [],
})

/** Returns one receipt. */
export const receiptOf = (chanmid: string, status: string): Reported => ({
  messages: [],
  statuses: [{ id: chanmid, status, timestamp: String(unixSeconds()) }],
})

/** Stores updates as the callback does: the updates of each shop, `batchSize` of them in one change. */
export async function storeUpdates(
  database: BenchDatabase,
  reported: { shop: Shop; update: Reported }[],
  batchSize: number,
): Promise<number> {
  const byShop = Map.groupBy(reported, ({ shop }) => shop)
  const now = new Date(unixSeconds() * 1000)
  const rows = [...byShop].flatMap(([{ workspaceId, phoneNumberId }, updates]) =>
    Array.from({ length: Math.ceil(updates.length / batchSize) }, (_, i) => {
      const batch = updates.slice(i * batchSize, i * batchSize + batchSize)
      const value = {
        messages: batch.flatMap(({ update }) => update.messages),
        statuses: batch.flatMap(({ update }) => update.statuses),
      }
      return {
        workspaceId,
        id: newId(),
        raw: Buffer.from(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] })),
        signers: [phoneNumberId],
        runAt: now,
        receivedAt: now,
      }
    }),
  )
  for (let first = 0; first < rows.length; first += AT_ONCE)
    await insertPosts(database.sql, rows.slice(first, first + AT_ONCE))
  return rows.length
}
