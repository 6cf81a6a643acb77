/** Measures the database: processor time of its processes, and its most expensive statements. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchDatabase } from './arena.ts'
import type { Profile } from './self-time.ts'

const TICK_MS = 10
const LOOK_MS = 250
const TOP = 12
const TEXT_CHARACTERS = 110

/** Makes the server count its statements; only for profiles. */
export const COUNT_STATEMENTS = { shared_preload_libraries: 'pg_stat_statements' }

/**
 * Milliseconds of processor time of a database server, ended processes included. `requestsMs`: connections,
 * their helpers, and the postmaster. `upkeepMs`: processes that work for no single statement, such as
 * autovacuum and the WAL writer.
 */
export type DatabaseUse = { requestsMs: number; upkeepMs: number }

/** Titles of the processes that serve no single statement. */
const UPKEEP =
  /^postgres: (?:.*: )?(?:autovacuum|walwriter|checkpointer|background writer|logical replication launcher)/

/** Tells whether a process of the database, by its title, serves no single statement. */
export const isUpkeep = (title: string): boolean => UPKEEP.test(title)

const NEVER: DatabaseUse = { requestsMs: Number.NaN, upkeepMs: Number.NaN }

type ServerProcess = { pid: string; ms: number; upkeep: boolean }

/** Reads the live processes of a server, and the time of its ended ones. */
function readServer(postmaster: string): { live: ServerProcess[]; endedMs: number } {
  const live: ServerProcess[] = []
  let endedMs = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [, parent, user = 0, system = 0, endedUser = 0, endedSystem = 0] =
      /\) \S (\d+) (?:\S+ ){9}(\d+) (\d+) (\d+) (\d+)/.exec(readProcess(pid, 'stat'))?.map(Number) ?? []
    const own = { pid, ms: (user + system) * TICK_MS, upkeep: false }
    if (pid === postmaster) {
      live.push(own)
      endedMs = (endedUser + endedSystem) * TICK_MS
    } else if (parent === Number(postmaster))
      live.push({ ...own, upkeep: isUpkeep(readProcess(pid, 'cmdline')) })
  }
  return { live, endedMs }
}

const sumMs = (processes: { ms: number }[]): number => processes.reduce((sum, { ms }) => sum + ms, 0)

/**
 * Watches the processor time of the server in `folder`. The postmaster counts all ended processes together,
 * so ended upkeep (an autovacuum worker) is counted as last seen: the watch looks four times a second. The
 * figures are NaN if the system does not report them (anything but Linux).
 */
export function watchDatabase(folder: string): { use(): DatabaseUse; end(): void } {
  const seen = new Map<string, ServerProcess>()
  let endedUpkeepMs = 0
  const use = (): DatabaseUse => {
    try {
      const [postmaster = ''] = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
      const { live, endedMs } = readServer(postmaster)
      const pids = new Set(live.map(({ pid }) => pid))
      for (const process of [...seen.values()].filter(({ pid }) => !pids.has(pid))) {
        endedUpkeepMs += process.ms
        seen.delete(process.pid)
      }
      const upkeep = live.filter((process) => process.upkeep)
      for (const process of upkeep) seen.set(process.pid, process)
      const upkeepMs = sumMs(upkeep) + endedUpkeepMs
      return { requestsMs: sumMs(live) + endedMs - upkeepMs, upkeepMs }
    } catch {
      return NEVER
    }
  }
  const timer = setInterval(use, LOOK_MS).unref()
  return { use, end: () => clearInterval(timer) }
}

/**
 * Returns the milliseconds of processor time that the server in `folder` and its connections have used.
 * Undefined if the system does not report it (anything but Linux).
 */
export function databaseCpuMs(folder: string): number | undefined {
  const watch = watchDatabase(folder)
  const { requestsMs, upkeepMs } = watch.use()
  watch.end()
  return Number.isNaN(requestsMs) ? undefined : requestsMs + upkeepMs
}

/** Returns a file of a process, or nothing if it has ended. */
function readProcess(pid: string, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
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
