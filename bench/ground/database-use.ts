/** Measures the database: processor time of its processes, and its most expensive statements. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchDatabase } from './arena.ts'
import type { Profile } from './self-time.ts'

const TICK_MS = 10
const TOP = 12
const TEXT_CHARACTERS = 110

/** Makes the server count its statements; only for profiles. */
export const COUNT_STATEMENTS = { shared_preload_libraries: 'pg_stat_statements' }

/**
 * Returns the milliseconds of processor time that the server in `folder` and its connections have used.
 * Undefined if the system does not report it (anything but Linux).
 */
export function databaseCpuMs(folder: string): number | undefined {
  try {
    const postmaster = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
    let ticks = 0
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const [, parent, ...times] =
        /\) \S (\d+) (?:\S+ ){9}(\d+) (\d+) (\d+) (\d+)/.exec(statOf(pid))?.map(Number) ?? []
      const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = times
      if (parent === Number(postmaster)) ticks += user + system
      // The postmaster's counters include ended connections.
      if (pid === postmaster) ticks += user + system + endedUser + endedSystem
    }
    return ticks * TICK_MS
  } catch {
    return undefined
  }
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/** Measures the database's time by statement while `work` runs. */
export async function statementsDuring(
  database: BenchDatabase,
  name: string,
  work: () => Promise<unknown>,
): Promise<Profile> {
  await database.admin('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()')
  await work()
  await database.admin('grant pg_read_all_stats to parley')
  const rows = await database.sql<{
    query: string
    calls: number
    mean: number
    share: number
    rows: number
  }>(
    `select query, calls::float8, mean_exec_time as mean, rows::float8,
            100 * total_exec_time / sum(total_exec_time) over () as share
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     order by total_exec_time desc limit $1`,
    [TOP],
  )
  return {
    file: `${name}: statements of the database, by their share of its time`,
    top: rows.map(({ query, calls, mean, share, rows: touched }) => ({
      percent: Math.round(share * 10) / 10,
      name: query.replace(/\s+/g, ' ').trim().slice(0, TEXT_CHARACTERS),
      place: `(${calls} x ${mean.toFixed(3)} ms, ${(touched / calls).toFixed(1)} rows)`,
    })),
  }
}
