/** Compares lead captures with a bare upsert of one row. */
import { CREATING_SHOPS, createsFigures, runCreates } from '../ground/creates.ts'
import { postRequest, SERIAL } from '../ground/requests.ts'
import { openBare } from '../ground/writes.ts'
import { addPipelines } from '../seeds/many-leads.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const CREATED = {
  goal: 'CRM',
  what: 'leads captured/s',
  aim: { reach: 0.5, dream: 0.6 },
  p99: { reach: 25 },
  each: 'each a contact, a lead, its timeline, counters and event',
}

export const measureCaptures: Goal = async (arena, options) => {
  const database = await arena.database('captures')
  const shops = await makeShops(database, CREATING_SHOPS, 'pro')
  await addPipelines(database, shops)
  await database.admin('vacuum (analyze)')
  const templates = shops.map((shop) =>
    postRequest('/leads', shop.apiKey, { phone: `+9198${SERIAL}`, name: 'Asha Rao', source: 'website' }),
  )
  const bare = await openBare(arena, 'contact')
  const creates = await runCreates(arena, bare, options, { name: 'crm-captures', database, templates })
  await bare.stop()
  const [stored] = await database.sql<Record<string, string>>(
    `select (select count(*) from leads) as "stored leads",
            (select count(*) from events where name = 'lead.created') as "lead.created",
            (select coalesce(sum(amount), 0) from lead_counts where topic = 'people')
              + (select coalesce(sum(amount), 0) from lead_changes) as "counted leads"`,
  )
  return { profiles: creates.profiles, figures: createsFigures(creates, CREATED, stored!) }
}
