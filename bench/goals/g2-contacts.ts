/** G2: compares created contacts with a bare upsert of one row, in many workspaces and in one. */
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { CREATING_SHOPS, createsFigures, runCreates } from '../ground/creates.ts'
import { postRequest, SERIAL } from '../ground/requests.ts'
import { type Bare, openBare } from '../ground/writes.ts'
import type { Figure } from '../report.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal, GoalOptions } from './goal.ts'

const CREATED = {
  goal: 'G2',
  what: 'contacts created/s',
  aim: { reach: 0.65, dream: 0.75 },
  p99: { reach: 20 },
  each: 'each with an Idempotency-Key',
}
const FEWER = [20, 8]

export const contactRequest = (apiKey: string) =>
  postRequest('/contacts', apiKey, { phone: `+9198${SERIAL}`, displayName: 'Asha Rao', tags: ['bench'] })

async function storedIn(database: BenchDatabase): Promise<Record<string, string>> {
  const [stored] = await database.sql<Record<string, string>>(
    `select (select count(*) from contacts) as "stored contacts",
            (select count(*) from events where name = 'contact.created') as "contact.created",
            (select sum(contacts) from workspace_usage) as "counted contacts"`,
  )
  return stored!
}

/** All in one workspace, whose limit is a row that every batch updates. */
async function measureOneWorkspace(arena: Arena, bare: Bare, options: GoalOptions): Promise<Figure[]> {
  const database = await arena.database('g2_one')
  const [shop] = await makeShops(database, 1, 'enterprise')
  await database.admin('vacuum (analyze)')
  const creates = await runCreates(arena, bare, options, {
    name: 'g2-one-workspace',
    database,
    templates: [contactRequest(shop!.apiKey)],
    service: { limiter: false },
    short: true,
  })
  const created = {
    goal: CREATED.goal,
    what: 'contacts created/s in one workspace',
    each: 'limiter off, contact limit on',
  }
  return createsFigures(creates, created, await storedIn(database))
}

export const measureContacts: Goal = async (arena, options) => {
  const bare = await openBare(arena, 'contact')
  const database = await arena.database('g2')
  const shops = await makeShops(database, CREATING_SHOPS, 'pro')
  await database.admin('vacuum (analyze)')
  const templates = shops.map((shop) => contactRequest(shop.apiKey))
  const run = { name: 'g2-contacts', database, templates, fewer: FEWER }
  const creates = await runCreates(arena, bare, options, run)
  const figures = createsFigures(creates, CREATED, await storedIn(database))
  figures.push(...(await measureOneWorkspace(arena, bare, options)))
  await bare.stop()
  return { profiles: creates.profiles, figures }
}
