/** The frame of the goals that create rows in many workspaces from outside. */
import type { GoalOptions } from '../goals/goal.ts'
import type { Template } from '../processes/load.ts'
import type { Figure } from '../report.ts'
import type { Arena, BenchDatabase } from './arena.ts'
import { statementsDuring } from './database-use.ts'
import { rateOf } from './rounds.ts'
import type { Profile } from './self-time.ts'
import { makeLoad, startService } from './service.ts'
import { runWrites, type WriteReport } from './writes.ts'

/** So many that no workspace's bucket (120 at once, 10 a second) binds. */
export const CREATING_SHOPS = 2_000
/** As many as sends are loaded with (L1 and L3 of docs/reliability.md section 3). */
const CONNECTIONS = 64

export type Creates = { report: WriteReport; profiles: Profile[] }

/** Loads the service with `templates`, against a bare upsert of one row, and stops it. `name` is of the profiles. */
export async function runCreates(
  arena: Arena,
  options: GoalOptions,
  { name, database, templates }: { name: string; database: BenchDatabase; templates: Template[] },
): Promise<Creates> {
  const service = await startService(arena, database, { roles: 'web' })
  const load = makeLoad(arena)
  const run = { service, load, shape: 'contact', templates, connections: CONNECTIONS, success: 201 } as const
  const report = await runWrites(arena, run)
  const more = (seconds: number) => () => report.more({ connections: CONNECTIONS, seconds })
  const profiles = options.profile
    ? [await service.profileDuring(name, more(5)), await statementsDuring(database, name, more(4))]
    : []
  await service.stop()
  await load.stop()
  return { report, profiles }
}

/** What is created, who asked for it, and what each is. */
export type Created = { goal: string; what: string; target: number; each: string }

/** Every accepted request is counted as often as `stored` says: what, and how many of it there are. */
export const createsFigure = (
  { report }: Creates,
  { goal, what, target, each }: Created,
  stored: Record<string, string>,
): Figure => {
  const { issued, accepted, refused, lost } = report
  return {
    goal,
    what: `${what}, c=${CONNECTIONS}`,
    denominator: 'bare pg upsert, 1 row, 3 indexes, c=32',
    ...rateOf(report, target),
    ledgers: [
      { what: 'requests', whole: issued, parts: { accepted, refused, lost } },
      ...Object.entries(stored).map(([name, count]) => ({
        what: 'accepted',
        whole: accepted,
        parts: { [name]: Number(count) },
      })),
    ],
    notes: [
      `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms, ${report.cost}; ${each}`,
      ...(report.oddAnswer ? [`first refusal: ${report.oddAnswer}`] : []),
    ],
  }
}
