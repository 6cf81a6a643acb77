/** The shared code of the goals that create rows in many workspaces through the API. */
import type { GoalOptions } from '../goals/goal.ts'
import type { Template } from '../processes/load.ts'
import type { Figure, Ledger } from '../report.ts'
import type { Arena, BenchDatabase } from './arena.ts'
import { statementsDuring } from './database-use.ts'
import { type Aim, boundOf, rateOf } from './rounds.ts'
import type { Profile } from './self-time.ts'
import { makeLoad, type ServiceOptions, startService } from './service.ts'
import {
  type Bare,
  type Counts,
  measureWrites,
  oddNotes,
  openTarget,
  requestLedger,
  timesText,
  type WriteReport,
} from './writes.ts'

/** Enough shops that no workspace's bucket (burst 120, 10 per second) limits the rate. */
export const CREATING_SHOPS = 2_000
/** The number of connections for sends (L1 and L3 of docs/reliability.md section 3). */
const CONNECTIONS = 64

/** An additional row of the table: with fewer connections, or in other workspaces. */
export type Beside = { connections: number; report: WriteReport }

export type Creates = { report: WriteReport; beside: Beside[]; counts: Counts; profiles: Profile[] }

export type CreatesRun = {
  /** The name of the profiles. */
  name: string
  database: BenchDatabase
  templates: Template[]
  /** Additional rows with fewer connections. */
  fewer?: number[]
  service?: Partial<ServiceOptions>
  /** Short rounds, and no profiles. */
  short?: boolean
}

/** Loads the service with `templates`, in turn with bare upserts of one row, and stops it. */
export async function runCreates(
  arena: Arena,
  bare: Bare,
  options: GoalOptions,
  { name, database, templates, fewer = [], service: started, short = false }: CreatesRun,
): Promise<Creates> {
  const service = await startService(arena, database, { roles: 'web', ...started })
  const load = makeLoad(arena)
  const target = openTarget(service, load, { templates, success: 201 })
  const report = await measureWrites(
    arena,
    bare,
    { service, load, target },
    { connections: CONNECTIONS, short },
  )
  const beside: Beside[] = []
  for (const connections of fewer)
    beside.push({
      connections,
      report: await measureWrites(arena, bare, { service, load, target }, { connections, short: true }),
    })
  const more = (seconds: number) => () => target.run({ connections: CONNECTIONS, seconds })
  const profiles =
    options.profile && !short
      ? [await service.profileDuring(name, more(5)), await statementsDuring(database, name, more(4))]
      : []
  await service.stop()
  await load.stop()
  return { report, beside, counts: target.counts, profiles }
}

/** The created rows, their goal, and the name of one row. */
export type Created = { goal: string; what: string; aim?: Aim; p99?: Aim; each: string }

const DENOMINATOR = 'bare pg upsert, 1 row, 3 indexes'

/** Every accepted request must be counted in each of `stored`: the name of a count, and its value. */
export function createsFigures(
  { report, beside, counts }: Creates,
  { goal, what, aim, p99, each }: Created,
  stored: Record<string, string>,
): Figure[] {
  const ledgers: Ledger[] = [
    requestLedger(counts),
    ...Object.entries(stored).map(([name, count]) => ({
      what: 'accepted',
      whole: counts.accepted,
      parts: { [name]: Number(count) },
    })),
  ]
  const row = (connections: number, writes: WriteReport, reach?: Aim): Figure => ({
    goal,
    what: `${what}, c=${connections}`,
    denominator: `${DENOMINATOR}, c=${writes.bareConnections}`,
    ...rateOf(writes, reach),
    ledgers,
    notes: [`${what}, c=${connections}: ${timesText(writes)}; ${each}`, ...oddNotes(counts)],
    waiting: writes.waiting,
  })
  return [
    row(CONNECTIONS, report, aim),
    ...(p99
      ? [
          {
            goal,
            what: `${what}: p99, c=${CONNECTIONS}`,
            ...boundOf(report.p99Ms, 'ms', p99),
            ledgers,
            waiting: report.waiting,
          },
        ]
      : []),
    ...beside.map(({ connections, report: writes }) => row(connections, writes)),
  ]
}
