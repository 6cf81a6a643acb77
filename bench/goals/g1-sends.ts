/** G1: accepted sends against the bare statement that writes the same rows, and what the server's memory does meanwhile. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { statementsDuring } from '../ground/database-use.ts'
import { watchMemory } from '../ground/memory-watch.ts'
import { postRequest } from '../ground/requests.ts'
import { rateOf } from '../ground/rounds.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { runWrites, type WriteReport } from '../ground/writes.ts'
import type { Figure, Ledger } from '../report.ts'
import { makeOpenChats } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'
import { soak } from './soak.ts'

const SHOPS = 400
const CONTACTS_EACH = 10
const CONNECTIONS = 64
const DRAIN_WITHIN_MS = 60_000

/** Shops with open windows, and one request for each contact of theirs, workspace after workspace. */
export async function seedSends(database: BenchDatabase) {
  const chats = await makeOpenChats(database, SHOPS, CONTACTS_EACH)
  return chats.map(({ phone, apiKey }) =>
    postRequest('/send', apiKey, { to: phone, type: 'text', text: 'Your order is on its way.' }),
  )
}

const count = async (database: BenchDatabase, text: string, values?: unknown[]): Promise<number> =>
  Number((await database.sql<{ n: string }>(text, values))[0]!.n)

/** Accepted = stored three times over: as message, as remembered answer, in the month's allowance. */
async function acceptLedgers(database: BenchDatabase, report: WriteReport): Promise<Ledger[]> {
  const { issued, accepted, refused, lost } = report
  const stored = await count(database, 'select count(*) as n from messages')
  const keys = await count(database, 'select count(*) as n from idempotency_keys where status = 200')
  const counted = await count(database, 'select sum(messages) as n from workspace_usage')
  return [
    { what: 'requests', whole: issued, parts: { accepted, refused, lost } },
    { what: 'accepted', whole: accepted, parts: { 'stored messages': stored } },
    { what: 'accepted (keys)', whole: accepted, parts: { 'remembered answers': keys } },
    { what: 'accepted (quota)', whole: accepted, parts: { 'counted messages': counted } },
  ]
}

/** Starts a process with the worker role alone and waits until the oldest messages are with the operator. */
async function drain(arena: Arena, database: BenchDatabase, subset: number): Promise<Ledger[]> {
  const [cut] = await database.sql<{ id: string }>('select id from messages order by id offset $1 limit 1', [
    subset - 1,
  ])
  const worker = await startService(arena, database, { roles: 'worker' })
  const left = () =>
    count(database, 'select count(*) as n from messages where id <= $1 and run_at is not null', [cut?.id])
  const deadlineMs = performance.now() + DRAIN_WITHIN_MS
  while ((await left()) > 0 && performance.now() < deadlineMs) await wait(250)
  await worker.stop()
  const split = async (what: string, where: string): Promise<Ledger> => ({
    what,
    whole: await count(database, `select count(*) as n from messages where ${where}`),
    parts: {
      'handed over': await count(
        database,
        `select count(*) as n from messages where ${where} and run_at is null and chanmid is not null`,
      ),
      failed: await count(
        database,
        `select count(*) as n from messages where ${where} and status = 'failed' and chanmid is null`,
      ),
      pending: await count(
        database,
        `select count(*) as n from messages where ${where} and run_at is not null and status <> 'failed'`,
      ),
    },
  })
  const oldest = await split(`oldest ${subset} after the worker ran`, `id <= '${cut?.id}'`)
  return [oldest, await split('all stored', `direction = 'outbound'`)]
}

export const measureSends: Goal = async (arena, options) => {
  const database = await arena.database('g1')
  const templates = await seedSends(database)
  const service = await startService(arena, database, { roles: 'web' })
  const load = makeLoad(arena)
  const memory = watchMemory(service.use)
  const report = await runWrites(arena, {
    service,
    load,
    shape: 'send',
    templates,
    connections: CONNECTIONS,
    success: 200,
  })
  const alone = await report.more({ connections: 1, seconds: arena.quick ? 1 : 3 })
  const used = memory.end()
  const profiles = options.profile
    ? [await service.profileDuring('g1-sends', () => report.more({ connections: CONNECTIONS, seconds: 5 }))]
    : []
  if (options.profile)
    profiles.push(
      await statementsDuring(database, 'g1-sends', () =>
        report.more({ connections: CONNECTIONS, seconds: 4 }),
      ),
    )
  await service.stop()
  await load.stop()
  const accepting = await acceptLedgers(database, report)
  const ledgers = [...accepting, ...(await drain(arena, database, arena.quick ? 1_000 : 5_000))]
  const soaked = options.soakMinutes > 0 ? await soak(arena, options.soakMinutes, seedSends) : []

  const what = `accepted sends/s, c=${CONNECTIONS}`
  const shared = { goal: 'G1', ledgers }
  const figures: Figure[] = [
    {
      ...shared,
      what,
      denominator: 'bare pg, 3 rows in one statement, c=32',
      ...rateOf(report, 0.8),
      notes: [
        `${report.cost}; ${SHOPS} pro workspaces, ${CONTACTS_EACH} open windows each, limiter on`,
        ...(report.oddAnswer ? [`first refusal: ${report.oddAnswer}`] : []),
      ],
    },
    {
      ...shared,
      what: `p99, c=${CONNECTIONS}`,
      ours: report.p99Ms,
      unit: 'ms',
      target: '< 15 ms',
      met: report.p99Ms < 15,
    },
    { ...shared, what: `p50, c=${CONNECTIONS}`, ours: report.p50Ms, unit: 'ms', target: '' },
    {
      ...shared,
      what: 'p50, c=1',
      ours: alone.latency.p50Ms,
      unit: 'ms',
      target: '<= 1 ms',
      met: alone.latency.p50Ms <= 1,
    },
    {
      ...shared,
      what: 'p99, c=1',
      ours: alone.latency.p99Ms,
      unit: 'ms',
      target: '<= 3 ms',
      met: alone.latency.p99Ms <= 3,
    },
    {
      ...shared,
      what: 'RSS of the server, most',
      ours: used.maxMb,
      unit: 'MB',
      target: '< 250 MB',
      met: used.maxMb < 250,
      notes: [`heap at most ${Math.round(used.maxHeapMb)} MB`],
    },
    ...soaked,
  ]
  return { figures, profiles }
}
