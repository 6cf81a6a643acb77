/**
 * Compares the processor time of a request, server and database together, with that of the bare statement.
 * Other load on the machine hardly affects it. The generator's own time is left out.
 */
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import type { BareShape } from '../ground/bare-shapes.ts'
import { CREATING_SHOPS } from '../ground/creates.ts'
import { statementsDuring } from '../ground/database-use.ts'
import { postRequest, SERIAL } from '../ground/requests.ts'
import { type Aim, boundOf, rateOf } from '../ground/rounds.ts'
import type { Profile } from '../ground/self-time.ts'
import { makeLoad, startService } from '../ground/service.ts'
import {
  type Bare,
  costOf,
  costText,
  type Loaded,
  measureWrites,
  oddNotes,
  openBare,
  openTarget,
  requestLedger,
} from '../ground/writes.ts'
import type { Template } from '../processes/load.ts'
import type { Figure } from '../report.ts'
import { addPipelines } from '../seeds/many-leads.ts'
import { makeShops } from '../seeds/shops.ts'
import { seedSends } from './g1-sends.ts'
import { contactRequest } from './g2-contacts.ts'
import type { Goal } from './goal.ts'

/** A number of connections with the aims of its rows; `aloneMs` is the processor time itself. */
type Level = { connections: number; cost?: Aim; rate?: Aim; aloneMs?: Aim }

type Measured = {
  name: string
  noun: string
  shape: BareShape
  success: number
  levels: Level[]
  seed(database: BenchDatabase): Promise<Template[]>
}

const MICROS_PER_MS = 1_000
/** Requests until the code is compiled, regardless of the time that they take. */
const WARM_UP = 60_000
const WARM_UP_SECONDS = 60

async function measureLevel(
  arena: Arena,
  bare: Bare,
  loaded: Loaded,
  { noun }: Measured,
  { connections, cost, rate, aloneMs }: Level,
): Promise<Figure[]> {
  const report = await measureWrites(arena, bare, loaded, { connections, short: true })
  const denominator = `the database for a bare statement, c=${report.bareConnections}`
  const shared = {
    goal: 'cost',
    ledgers: [requestLedger(loaded.target.counts)],
    notes: [`${noun}, c=${connections}: ${costText(report)}`, ...oddNotes(loaded.target.counts)],
    waiting: report.waiting,
  }
  const together = (report.cost.server + report.cost.database) / MICROS_PER_MS
  return [
    { ...shared, what: `processor of a ${noun}, c=${connections}`, denominator, ...costOf(report, cost) },
    ...(rate
      ? [
          {
            ...shared,
            what: `${noun}s/s, c=${connections}`,
            denominator: `bare statements/s, c=${report.bareConnections}`,
            ...rateOf(report, rate),
          },
        ]
      : []),
    ...(aloneMs
      ? [{ ...shared, what: `processor of a ${noun}, c=${connections}`, ...boundOf(together, 'ms', aloneMs) }]
      : []),
  ]
}

const measureCosts =
  (measured: Measured): Goal =>
  async (arena, options) => {
    const bare = await openBare(arena, measured.shape)
    const database = await arena.database('costs')
    const templates = await measured.seed(database)
    await database.admin('vacuum (analyze)')
    const service = await startService(arena, database, { roles: 'web' })
    const load = makeLoad(arena)
    const target = openTarget(service, load, { templates, success: measured.success })
    await target.run({ connections: 64, seconds: WARM_UP_SECONDS, max: WARM_UP })
    const figures: Figure[] = []
    const profiles: Profile[] = []
    for (const level of measured.levels) {
      figures.push(...(await measureLevel(arena, bare, { service, load, target }, measured, level)))
      if (!options.profile) continue
      const name = `${measured.name}-${level.connections}`
      const more = () => target.run({ connections: level.connections, seconds: 4 })
      profiles.push(await service.profileDuring(name, more), await statementsDuring(database, name, more))
    }
    await service.stop()
    await load.stop()
    await bare.stop()
    return { figures, profiles }
  }

export const measureSendCost = measureCosts({
  name: 'send-cost',
  noun: 'send',
  shape: 'send',
  success: 200,
  levels: [
    { connections: 64, cost: { reach: 1.2, dream: 1.1 } },
    { connections: 8, cost: { reach: 1.8, dream: 1.4 }, rate: { reach: 0.45 } },
    { connections: 1, aloneMs: { reach: 3 } },
  ],
  seed: seedSends,
})

export const measureContactCost = measureCosts({
  name: 'contact-cost',
  noun: 'contact',
  shape: 'contact',
  success: 201,
  levels: [{ connections: 64, cost: { reach: 1.6, dream: 1.3 } }, { connections: 8 }],
  seed: async (database) =>
    (await makeShops(database, CREATING_SHOPS, 'pro')).map(({ apiKey }) => contactRequest(apiKey)),
})

export const measureLeadCost = measureCosts({
  name: 'lead-cost',
  noun: 'lead',
  shape: 'contact',
  success: 201,
  levels: [{ connections: 64, cost: { reach: 2.2, dream: 1.8 } }, { connections: 8 }],
  seed: async (database) => {
    const shops = await makeShops(database, CREATING_SHOPS, 'pro')
    await addPipelines(database, shops)
    return shops.map(({ apiKey }) =>
      postRequest('/leads', apiKey, { phone: `+9198${SERIAL}`, name: 'Asha Rao', source: 'website' }),
    )
  },
})
