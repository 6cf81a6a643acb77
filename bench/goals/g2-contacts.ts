/** G2: contacts created against a bare upsert of one row. */
import { statementsDuring } from '../ground/database-use.ts'
import { postRequest, SERIAL } from '../ground/requests.ts'
import { rateOf } from '../ground/rounds.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { runWrites } from '../ground/writes.ts'
import type { Ledger } from '../report.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

/** So many that no workspace's bucket (120 at once, 10 a second) binds. */
const SHOPS = 2_000
const CONNECTIONS = 32

export const contactRequest = (apiKey: string) =>
  postRequest('/contacts', apiKey, { phone: `+9198${SERIAL}`, displayName: 'Asha Rao', tags: ['bench'] })

export const measureContacts: Goal = async (arena, options) => {
  const database = await arena.database('g2')
  const shops = await makeShops(database, SHOPS, 'pro')
  await database.admin('vacuum (analyze)')
  const service = await startService(arena, database, { roles: 'web' })
  const load = makeLoad(arena)
  const report = await runWrites(arena, {
    service,
    load,
    shape: 'contact',
    templates: shops.map((shop) => contactRequest(shop.apiKey)),
    connections: CONNECTIONS,
    success: 201,
  })
  const profiles = options.profile
    ? [
        await service.profileDuring('g2-contacts', () =>
          report.more({ connections: CONNECTIONS, seconds: 5 }),
        ),
      ]
    : []
  if (options.profile)
    profiles.push(
      await statementsDuring(database, 'g2-contacts', () =>
        report.more({ connections: CONNECTIONS, seconds: 4 }),
      ),
    )
  await service.stop()
  await load.stop()
  const [stored] = await database.sql<{ rows: string; events: string; counted: string }>(
    `select (select count(*) from contacts) as rows, (select count(*) from events where name = 'contact.created') as events,
            (select sum(contacts) from workspace_usage) as counted`,
  )
  const { issued, accepted, refused, lost } = report
  const ledgers: Ledger[] = [
    { what: 'requests', whole: issued, parts: { accepted, refused, lost } },
    { what: 'accepted', whole: accepted, parts: { 'stored contacts': Number(stored!.rows) } },
    { what: 'accepted (events)', whole: accepted, parts: { 'contact.created': Number(stored!.events) } },
    { what: 'accepted (limit)', whole: accepted, parts: { 'counted contacts': Number(stored!.counted) } },
  ]
  return {
    profiles,
    figures: [
      {
        goal: 'G2',
        what: `contacts created/s, c=${CONNECTIONS}`,
        denominator: 'bare pg upsert, 1 row, 3 indexes, c=32',
        ...rateOf(report, 0.8),
        ledgers,
        notes: [
          `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms, ${report.cost}; each with an Idempotency-Key`,
          ...(report.oddAnswer ? [`first refusal: ${report.oddAnswer}`] : []),
        ],
      },
    ],
  }
}
