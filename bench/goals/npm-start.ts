/**
 * Measures `npm start` as users run it: one process with both roles and the simulator, under 64 clients for
 * some seconds. Counts the accepted sends, and the time after the last until all are submitted.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { allocatorSettings, heapFlags } from '../../bin/heap-flags.mjs'
import { freePort } from '../../test/support/redis-server.ts'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { watchMemory } from '../ground/memory-watch.ts'
import { boundOf, rateOf } from '../ground/rounds.ts'
import type { ServerUse } from '../ground/server-use.ts'
import { makeLoad, SECRET_KEY } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { watchWaiting } from '../ground/waiting.ts'
import { oddNotes, openBare, openTarget, requestLedger } from '../ground/writes.ts'
import type { NpmStartSettings } from '../processes/npm-start.ts'
import type { Ledger } from '../report.ts'
import { makeOpenChats } from '../seeds/shops.ts'
import { MEMORY_AIM, sendRequests } from './g1-sends.ts'
import type { Goal } from './goal.ts'

/** Sandboxes as created by the first run; enough that no bucket limits the rate. */
const SHOPS = 400
const CONTACTS_EACH = 10
const CONNECTIONS = 64
const RATE_AIM = { reach: 0.6, dream: 0.7 }
const DENOMINATOR = 'bare pg, 3 rows in one statement, c=32'
const HANDED_OVER_AIM = { reach: 3, dream: 2 }
const LOOK_MS = 50
const GIVE_UP_MS = 120_000

/** Starts the process with an existing database, as with `DATABASE_URL`. */
async function startByNpm(arena: Arena, database: BenchDatabase) {
  const port = await freePort()
  const env: NpmStartSettings = {
    PORT: String(port),
    DATABASE_URL: database.url,
    PARLEY_DATA_DIR: arena.folder,
    PARLEY_SECRET_KEY: SECRET_KEY,
  }
  const child = arena.child('npm-start', {
    execArgv: heapFlags,
    env: { ...allocatorSettings, ...env },
  })
  await child.ask('start')
  return { port, use: () => child.ask<ServerUse>('use'), cpuMs: child.cpuMs, stop: child.stop }
}

/** Waits until no row of a kind is left; returns how many seconds that took. */
async function waitUntilEmpty(database: BenchDatabase, rows: string): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const [row] = await database.sql(`select 1 from ${rows} limit 1`)
    const seconds = (performance.now() - startedMs) / 1_000
    if (!row) return seconds
    if (seconds > GIVE_UP_MS / 1_000) throw new Error(`after ${seconds.toFixed(0)} s there still are ${rows}`)
    await wait(LOOK_MS)
  }
}

async function storedLedgers(database: BenchDatabase, accepted: number): Promise<Ledger[]> {
  const [row] = await database.sql<Record<string, string>>(
    `select count(*) as stored, count(*) filter (where run_at is null and chanmid is not null) as taken,
            count(*) filter (where run_at is null and chanmid is null) as failed,
            count(*) filter (where run_at is not null) as pending
     from messages`,
  )
  const [stored, handedOver, failed, pending] = ['stored', 'taken', 'failed', 'pending'].map((name) =>
    Number(row![name]),
  ) as [number, number, number, number]
  return [
    { what: 'accepted', whole: accepted, parts: { 'stored messages': stored } },
    {
      what: 'accepted (on their way)',
      whole: accepted,
      parts: { 'handed over': handedOver, failed, pending },
    },
  ]
}

export const measureNpmStart: Goal = async (arena) => {
  const bare = await openBare(arena, 'send')
  const database = await arena.database('npm_start')
  const chats = await makeOpenChats(database, SHOPS, CONTACTS_EACH, { sandbox: true })
  const service = await startByNpm(arena, database)
  const load = makeLoad(arena)
  const target = openTarget(service, load, { templates: sendRequests(chats), success: 200 })
  const seconds = arena.quick ? 3 : 8
  const watch = watchWaiting(arena, { server: service, generator: load }, service)
  const rounds: { bare: number; perSecond: number; p50Ms: number; p99Ms: number; handedOver: number }[] = []
  const waitUntilApplied = () => waitUntilEmpty(database, 'operator_updates where failed_at is null')

  await target.run({ connections: CONNECTIONS, seconds: 2 })
  await waitUntilEmpty(database, 'messages where run_at is not null')
  await waitUntilApplied()
  const memory = watchMemory(service.use)
  for (let round = 0; round < (arena.quick ? 1 : 3); round++) {
    const barePerSecond = await bare.run(arena.quick ? 1 : 3)
    const result = await watch.during(() => target.run({ connections: CONNECTIONS, seconds }))
    const handedOver = await waitUntilEmpty(database, 'messages where run_at is not null')
    rounds.push({
      bare: barePerSecond,
      perSecond: result.accepted / result.seconds,
      ...result.latency,
      handedOver,
    })
    arena.say(
      `  ${Math.round(rounds.at(-1)!.perSecond)} sends/s, handed over ${handedOver.toFixed(1)} s later`,
    )
    await waitUntilApplied()
  }
  const used = memory.end()
  await service.stop()
  await load.stop()
  await bare.stop()
  const ledgers = [requestLedger(target.counts), ...(await storedLedgers(database, target.counts.accepted))]
  const shared = { goal: 'npm start', ledgers, waiting: watch.read() }
  const ratios = rounds.map((round) => round.perSecond / round.bare)
  const handedOver = rounds.map((round) => round.handedOver)
  return {
    figures: [
      {
        ...shared,
        what: `sends accepted/s by npm start, c=${CONNECTIONS}`,
        denominator: DENOMINATOR,
        ...rateOf(
          {
            bare: median(rounds.map((round) => round.bare)),
            ours: median(rounds.map((round) => round.perSecond)),
            ratio: median(ratios),
            ratios,
          },
          RATE_AIM,
        ),
        notes: [
          `p50 ${median(rounds.map((round) => round.p50Ms)).toFixed(1)} ms, p99 ${median(rounds.map((round) => round.p99Ms)).toFixed(1)} ms; ${SHOPS} sandboxes, ${CONTACTS_EACH} open windows each, limiter on`,
          ...oddNotes(target.counts),
        ],
      },
      {
        ...shared,
        what: `until the last is handed over, after ${seconds} s`,
        ...boundOf(median(handedOver), 's', HANDED_OVER_AIM),
        rounds: handedOver,
      },
      {
        ...shared,
        what: 'RSS of npm start, at most',
        ...boundOf(used.maxMb, 'MB', MEMORY_AIM),
        notes: [`heap at most ${Math.round(used.maxHeapMb)} MB, receipts and events included`],
      },
    ],
  }
}
