/** Lead captures against a bare upsert of one row. */
import { statementsDuring } from '../ground/database-use.ts'
import { postRequest, SERIAL } from '../ground/requests.ts'
import { rateOf } from '../ground/rounds.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { runWrites } from '../ground/writes.ts'
import type { Ledger } from '../report.ts'
import { addPipelines } from '../seeds/many-leads.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

/** So many that no workspace's bucket (120 at once, 10 a second) binds. */
const SHOPS = 2_000
const CONNECTIONS = 32
const TARGET = 0.6

export const measureCaptures: Goal = async (arena, options) => {
  const database = await arena.database('captures')
  const shops = await makeShops(database, SHOPS, 'pro')
  await addPipelines(database, shops)
  await database.admin('vacuum (analyze)')
  const service = await startService(arena, database, { roles: 'web' })
  const load = makeLoad(arena)
  const report = await runWrites(arena, {
    service,
    load,
    shape: 'contact',
    templates: shops.map((shop) =>
      postRequest('/leads', shop.apiKey, { phone: `+9198${SERIAL}`, name: 'Asha Rao', source: 'website' }),
    ),
    connections: CONNECTIONS,
    success: 201,
  })
  const profiles = options.profile
    ? [
        await service.profileDuring('crm-captures', () =>
          report.more({ connections: CONNECTIONS, seconds: 5 }),
        ),
        await statementsDuring(database, 'crm-captures', () =>
          report.more({ connections: CONNECTIONS, seconds: 4 }),
        ),
      ]
    : []
  await service.stop()
  await load.stop()
  const [stored] = await database.sql<{ rows: string; events: string; counted: string }>(
    `select (select count(*) from leads) as rows, (select count(*) from events where name = 'lead.created') as events,
            (select coalesce(sum(amount), 0) from lead_counts where topic = 'people')
              + (select coalesce(sum(amount), 0) from lead_changes) as counted`,
  )
  const { issued, accepted, refused, lost } = report
  const ledgers: Ledger[] = [
    { what: 'requests', whole: issued, parts: { accepted, refused, lost } },
    { what: 'accepted', whole: accepted, parts: { 'stored leads': Number(stored!.rows) } },
    { what: 'accepted (events)', whole: accepted, parts: { 'lead.created': Number(stored!.events) } },
    { what: 'accepted (counters)', whole: accepted, parts: { 'counted leads': Number(stored!.counted) } },
  ]
  return {
    profiles,
    figures: [
      {
        goal: 'CRM',
        what: `leads captured/s, c=${CONNECTIONS}`,
        denominator: 'bare pg upsert, 1 row, 3 indexes, c=32',
        ...rateOf(report, TARGET),
        ledgers,
        notes: [
          `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms, ${report.cost}; each a contact, a lead, its timeline, counters and event`,
          ...(report.oddAnswer ? [`first refusal: ${report.oddAnswer}`] : []),
        ],
      },
    ],
  }
}
