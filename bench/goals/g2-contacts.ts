/** G2: contacts created against a bare upsert of one row. */
import { CREATING_SHOPS, createsFigure, runCreates } from '../ground/creates.ts'
import { postRequest, SERIAL } from '../ground/requests.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const CREATED = {
  goal: 'G2',
  what: 'contacts created/s',
  target: 0.8,
  each: 'each with an Idempotency-Key',
}

export const contactRequest = (apiKey: string) =>
  postRequest('/contacts', apiKey, { phone: `+9198${SERIAL}`, displayName: 'Asha Rao', tags: ['bench'] })

export const measureContacts: Goal = async (arena, options) => {
  const database = await arena.database('g2')
  const shops = await makeShops(database, CREATING_SHOPS, 'pro')
  await database.admin('vacuum (analyze)')
  const templates = shops.map((shop) => contactRequest(shop.apiKey))
  const creates = await runCreates(arena, options, { name: 'g2-contacts', database, templates })
  const [stored] = await database.sql<Record<string, string>>(
    `select (select count(*) from contacts) as "stored contacts",
            (select count(*) from events where name = 'contact.created') as "contact.created",
            (select sum(contacts) from workspace_usage) as "counted contacts"`,
  )
  return { profiles: creates.profiles, figures: [createsFigure(creates, CREATED, stored!)] }
}
