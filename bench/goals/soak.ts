/**
 * Runs sends for minutes at half the pace that the whole pipeline sustains (accepted, submitted to the
 * simulator, receipts applied, events written). Checks that memory, backlog, and dead rows do not grow; the
 * first third may warm the process up.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { databaseCpuMs } from '../ground/database-use.ts'
import { watchMemory } from '../ground/memory-watch.ts'
import { makeLoad, startService } from '../ground/service.ts'
import type { Template } from '../processes/load.ts'
import type { Figure, Ledger } from '../report.ts'

const CONNECTIONS = 64
const CALIBRATION = 4_000
const DRAIN_WITHIN_MS = 120_000
const SLICE_SECONDS = 20
/** Receipts of the simulator take five seconds; one more second of load may be in flight. */
const UNDER_WAY_SECONDS = 7

/** Counts unsubmitted messages, and due updates of the operator that are not applied. */
async function readBacklog(database: BenchDatabase): Promise<{ messages: number; updates: number }> {
  const [row] = await database.sql<{ messages: string; updates: string }>(
    `select (select count(*) from messages where run_at is not null) as messages,
            (select count(*) from operator_updates where failed_at is null) as updates`,
  )
  return { messages: Number(row!.messages), updates: Number(row!.updates) }
}

/** Returns the largest number of dead rows in a table, and the table. */
async function deadRowsOf(database: BenchDatabase): Promise<{ table: string; dead: number }> {
  const [row] = await database.sql<{ table: string; dead: string }>(
    'select relname as table, n_dead_tup as dead from pg_stat_user_tables order by 2 desc limit 1',
  )
  return { table: row!.table, dead: Number(row!.dead) }
}

/** Returns the ratio of the maxima of the last and the first third. */
function growthOf(samples: number[]): number {
  const third = Math.ceil(samples.length / 3)
  return Math.max(...samples.slice(-third)) / Math.max(1, ...samples.slice(0, third))
}

async function waitUntilDrained(database: BenchDatabase): Promise<void> {
  const deadlineMs = performance.now() + DRAIN_WITHIN_MS
  while (performance.now() < deadlineMs) {
    const { messages, updates } = await readBacklog(database)
    if (messages + updates === 0) return
    await wait(100)
  }
  throw new Error(`the backlog was not worked off within ${DRAIN_WITHIN_MS / 1000} s`)
}

export async function soak(
  arena: Arena,
  minutes: number,
  seed: (database: BenchDatabase) => Promise<Template[]>,
): Promise<Figure[]> {
  const database = await arena.database('soak')
  const templates = await seed(database)
  const service = await startService(arena, database, { roles: 'web,worker' })
  const load = makeLoad(arena)
  const send = (plan: { seconds: number; perSecond?: number; max?: number }) =>
    load.run({ ...plan, connections: CONNECTIONS, port: service.port, templates })

  const begunMs = performance.now()
  const cpuBefore = (await service.use()).cpuMs
  const databaseBefore = databaseCpuMs(arena.folder) ?? Number.NaN
  let accepted = (await send({ seconds: 60, max: CALIBRATION })).statuses[200] ?? 0
  await waitUntilDrained(database)
  const micros = [
    (await service.use()).cpuMs - cpuBefore,
    (databaseCpuMs(arena.folder) ?? Number.NaN) - databaseBefore,
  ].map((ms) => Math.round((ms * 1000) / accepted))
  // The last receipts arrive five seconds after the last submission, however fast the rest is.
  const tookSeconds = Math.max(1, (performance.now() - begunMs) / 1000 - 5)
  const perSecond = Math.max(1, Math.round((accepted / tookSeconds) * 0.5))
  arena.say(`soak: ${minutes} min at ${perSecond} sends/s, half of what the whole way sustained`)

  await service.tidy()
  const seconds = minutes * 60
  const memory = watchMemory(service.use, 1_000, Math.min(30 * 60, seconds / 3))
  const backlogs: number[] = []
  const dead: { table: string; dead: number }[] = []
  let issued = 0
  let p99Ms = 0
  for (let done = 0; done < seconds; done += SLICE_SECONDS) {
    const result = await send({ seconds: Math.min(SLICE_SECONDS, seconds - done), perSecond })
    issued += result.issued
    accepted += result.statuses[200] ?? 0
    p99Ms = Math.max(p99Ms, result.latency.p99Ms)
    const { messages, updates } = await readBacklog(database)
    backlogs.push(messages + updates)
    dead.push(await deadRowsOf(database))
    const { rss } = await service.use()
    arena.say(
      `soak: ${done + SLICE_SECONDS} s, ${messages} messages and ${updates} updates wait, ${Math.round(rss / 1024 ** 2)} MB`,
    )
  }
  const used = memory.end()
  await waitUntilDrained(database)
  const [row] = await database.sql<Record<string, string>>(
    `select count(*) filter (where status = 'read') as read, count(*) filter (where status = 'failed') as failed,
            count(*) filter (where status not in ('read', 'failed')) as others from messages`,
  )
  await service.stop()
  await load.stop()
  const ledgers: Ledger[] = [
    {
      what: 'soak: accepted',
      whole: accepted,
      parts: { read: Number(row!.read), failed: Number(row!.failed), 'on their way': Number(row!.others) },
    },
  ]
  const shared = { goal: 'soak', ledgers }
  const backlog = backlogs.at(-1) ?? 0
  // Each message has three receipts in flight for a while.
  const maxBacklog = perSecond * UNDER_WAY_SECONDS * 3
  return [
    {
      ...shared,
      what: `RSS slope over ${minutes} min at ${perSecond} sends/s`,
      ours: used.slopeMbPerHour,
      unit: 'MB/h',
      target: '<= 1 MB/h',
      met: used.slopeMbPerHour <= 1,
      notes: [
        `most ${Math.round(used.maxMb)} MB, at the end ${Math.round(used.lastMb)} MB`,
        `processor time a message, the whole way: ${micros[0]} us in the server + ${micros[1]} us in the database`,
      ],
    },
    {
      ...shared,
      what: 'messages and updates under way at the end',
      ours: backlog,
      unit: 'rows',
      target: `<= ${maxBacklog}`,
      met: backlog <= maxBacklog,
      notes: [`every ${SLICE_SECONDS} s: ${backlogs.join(', ')}`],
    },
    {
      ...shared,
      what: 'dead rows of the fullest table, last third to first',
      ours: growthOf(dead.map((sample) => sample.dead)),
      unit: 'x',
      target: '<= 2',
      met: growthOf(dead.map((sample) => sample.dead)) <= 2,
      notes: [`at the end ${dead.at(-1)?.dead} of ${dead.at(-1)?.table}`],
    },
    {
      ...shared,
      what: 'sends that could not be issued in time',
      ours: Math.round(perSecond * seconds) - issued,
      unit: 'sends',
      target: '<= 1 s of load',
      met: perSecond * seconds - issued <= perSecond,
      notes: [`p99 at most ${p99Ms.toFixed(1)} ms`],
    },
  ]
}
