/** Workspaces for a run, created by the operations that the command line uses. */
import { systemClock } from '../../src/core/clock.ts'
import type { Plan } from '../../src/core/context.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { createWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import type { BenchDatabase } from '../ground/arena.ts'
import { SECRET_KEY } from '../ground/service.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'

export type Shop = { workspaceId: string; apiKey: string; phoneNumberId: string }

const AT_ONCE = 25
const CONNECTIONS = 4

/**
 * Creates `count` workspaces, each with one admin key and a simulated number. Analyzes the tables afterwards.
 */
export async function makeShops(
  database: BenchDatabase,
  count: number,
  plan: Plan,
  sandbox = false,
): Promise<Shop[]> {
  const open = openSilentDatabase(database.url, CONNECTIONS)
  const sealer = createSealer(SECRET_KEY)
  const now = systemClock.now()
  const make = (first: number) =>
    open.system(async (tx) => {
      const shops: Shop[] = []
      for (let i = first; i < Math.min(count, first + AT_ONCE); i++) {
        const workspace = { name: `Shop ${i}`, plan, sandbox }
        const created = await createWorkspace(tx, workspace, now, sealer)
        const { workspaceId } = created
        const number = `+1555${String(i).padStart(7, '0')}`
        const added = { workspaceId, number, operator: 'simulator' as const }
        // A sandbox has a number from the start.
        const phoneNumberId =
          created.phoneNumberId ?? (await addPhoneNumber(tx, added, now, sealer)).phoneNumberId
        const { apiKey } = await createApiKey(tx, { workspaceId, role: 'admin' }, now)
        shops.push({ workspaceId, apiKey, phoneNumberId })
      }
      return shops
    })
  try {
    const firsts = Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, i) => i * AT_ONCE)
    const shops: Shop[] = []
    const lane = async () => {
      for (let first = firsts.shift(); first !== undefined; first = firsts.shift())
        shops.push(...(await make(first)))
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, lane))
    return shops
  } finally {
    await open.close()
  }
}

/** Gives every shop `perShop` contacts who wrote a moment ago: their windows are open. */
export async function addOpenWindows(
  database: BenchDatabase,
  perShop: number,
): Promise<{ workspaceId: string; phone: string }[]> {
  const rows = await database.sql<{ workspaceId: string; phone: string }>(
    `insert into contacts (workspace_id, id, phone, display_name, profile_name, created_at, updated_at)
     select w.id, uuidv7(), '+9197' || lpad((row_number() over ())::text, 8, '0'), 'Asha Rao', 'Asha', now(), now()
     from generate_series(1, $1) n cross join workspaces w
     returning workspace_id as "workspaceId", phone`,
    [perShop],
  )
  await database.sql(
    `insert into conversations (workspace_id, id, contact_id, phone_number_id, window_expires_at, window_open, window_run_at,
                                last_inbound_at, created_at, updated_at)
     select c.workspace_id, uuidv7(), c.id, n.id, now() + interval '23 hours', true, now() + interval '23 hours', now(),
            now(), now()
     from contacts c join phone_numbers n using (workspace_id)`,
  )
  await database.sql(
    'insert into conversation_activity (workspace_id, conversation_id, activity_id) select workspace_id, id, id from conversations',
  )
  await database.admin('vacuum (analyze)')
  return rows
}

export type OpenChat = { workspaceId: string; apiKey: string; phone: string }

/**
 * Creates workspaces with one number (plan pro by default), and in each of them `perShop` contacts that may
 * be messaged.
 */
export async function makeOpenChats(
  database: BenchDatabase,
  shops: number,
  perShop: number,
  { plan = 'pro', sandbox = false }: { plan?: Plan; sandbox?: boolean } = {},
): Promise<OpenChat[]> {
  const createdShops = await makeShops(database, shops, plan, sandbox)
  const keys = new Map(createdShops.map((shop) => [shop.workspaceId, shop.apiKey]))
  const contacts = await addOpenWindows(database, perShop)
  // The keys of workspaces that existed before are unknown here.
  return contacts.flatMap((contact) => {
    const apiKey = keys.get(contact.workspaceId)
    return apiKey === undefined ? [] : [{ ...contact, apiKey }]
  })
}
