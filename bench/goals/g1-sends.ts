/**
 * G1: compares accepted sends with the bare statement that writes the same rows, and records the server's
 * memory; also with fewer connections, in one workspace, and with a process that also submits the messages.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { statementsDuring } from '../ground/database-use.ts'
import { watchMemory } from '../ground/memory-watch.ts'
import { postRequest } from '../ground/requests.ts'
import { type Aim, boundOf, rateOf } from '../ground/rounds.ts'
import type { Profile } from '../ground/self-time.ts'
import { makeLoad, type ServiceOptions, startService } from '../ground/service.ts'
import { watchWaiting } from '../ground/waiting.ts'
import {
  type Bare,
  type Counts,
  measureWrites,
  oddNotes,
  openBare,
  openTarget,
  requestLedger,
  timesText,
  type WriteReport,
} from '../ground/writes.ts'
import type { Template } from '../processes/load.ts'
import type { Figure, Ledger } from '../report.ts'
import { makeOpenChats, type OpenChat } from '../seeds/shops.ts'
import type { Goal, GoalOptions } from './goal.ts'
import { soak } from './soak.ts'

const SHOPS = 400
const CONTACTS_EACH = 10
const CONTACTS_OF_ONE = 4_000
const CONNECTIONS = 64
/** The aim of each number of connections; undefined: none. */
const FEWER = new Map<number, Aim | undefined>([
  [20, undefined],
  [8, { reach: 0.45 }],
])
const DRAIN_WITHIN_MS = 60_000
const DENOMINATOR = 'bare pg, 3 rows in one statement'

const AIMS = {
  rate: { reach: 0.8, dream: 0.9 },
  p99Ms: { reach: 15 },
  aloneP50Ms: { reach: 1, dream: 0.7 },
  aloneP99Ms: { reach: 3, dream: 2 },
  oneWorkspace: { reach: 0.9 },
  withWorker: { reach: 0.7, dream: 0.8 },
}
/** Memory of a server under load, in MB. */
export const MEMORY_AIM: Aim = { reach: 250, dream: 180 }

/** Returns one request for each chat, workspace after workspace. */
export const sendRequests = (chats: OpenChat[]): Template[] =>
  chats.map(({ phone, apiKey }) =>
    postRequest('/send', apiKey, { to: phone, type: 'text', text: 'Your order is on its way.' }),
  )

/** Creates shops with open windows, and returns one request for each of their contacts. */
export const seedSends = async (database: BenchDatabase): Promise<Template[]> =>
  sendRequests(await makeOpenChats(database, SHOPS, CONTACTS_EACH))

const count = async (database: BenchDatabase, text: string, values?: unknown[]): Promise<number> =>
  Number((await database.sql<{ n: string }>(text, values))[0]!.n)

/**
 * An accepted send is stored in three places: as a message, as a remembered answer, and in the month's
 * allowance.
 */
async function acceptLedgers(database: BenchDatabase, counts: Counts): Promise<Ledger[]> {
  const { accepted } = counts
  const stored = await count(database, 'select count(*) as n from messages')
  const keys = await count(database, 'select count(*) as n from idempotency_keys where status = 200')
  const counted = await count(database, 'select sum(messages) as n from workspace_usage')
  return [
    requestLedger(counts),
    { what: 'accepted', whole: accepted, parts: { 'stored messages': stored } },
    { what: 'accepted (keys)', whole: accepted, parts: { 'remembered answers': keys } },
    { what: 'accepted (quota)', whole: accepted, parts: { 'counted messages': counted } },
  ]
}

/** Starts a process with only the worker role and waits until the oldest messages are submitted. */
async function drain(arena: Arena, database: BenchDatabase, subset: number): Promise<Ledger[]> {
  const [cut] = await database.sql<{ id: string }>('select id from messages order by id offset $1 limit 1', [
    subset - 1,
  ])
  const worker = await startService(arena, database, { roles: 'worker' })
  const countUnsubmitted = () =>
    count(database, 'select count(*) as n from messages where id <= $1 and run_at is not null', [cut?.id])
  const deadlineMs = performance.now() + DRAIN_WITHIN_MS
  while ((await countUnsubmitted()) > 0 && performance.now() < deadlineMs) await wait(250)
  await worker.stop()
  const split = async (label: string, condition: string): Promise<Ledger> => ({
    what: label,
    whole: await count(database, `select count(*) as n from messages where ${condition}`),
    parts: {
      'handed over': await count(
        database,
        `select count(*) as n from messages where ${condition} and run_at is null and chanmid is not null`,
      ),
      failed: await count(
        database,
        `select count(*) as n from messages where ${condition} and status = 'failed' and chanmid is null`,
      ),
      pending: await count(
        database,
        `select count(*) as n from messages where ${condition} and run_at is not null and status <> 'failed'`,
      ),
    },
  })
  const oldest = await split(`oldest ${subset} after the worker ran`, `id <= '${cut?.id}'`)
  return [oldest, await split('all stored', `direction = 'outbound'`)]
}

type Row = { what: string; aim?: Aim | undefined; where: string }

const rowOf = (
  { what, aim, where }: Row,
  report: WriteReport,
  counts: Counts,
  ledgers: Ledger[],
): Figure => ({
  goal: 'G1',
  what,
  denominator: `${DENOMINATOR}, c=${report.bareConnections}`,
  ...rateOf(report, aim),
  ledgers,
  notes: [`${what}: ${timesText(report)}; ${where}`, ...oddNotes(counts)],
  waiting: report.waiting,
})

/**
 * Measures many workspaces with a process that only accepts: the main row, and rows with fewer connections.
 */
async function measureMany(
  arena: Arena,
  bare: Bare,
  options: GoalOptions,
): Promise<{ figures: Figure[]; profiles: Profile[] }> {
  const database = await arena.database('g1')
  const templates = await seedSends(database)
  const service = await startService(arena, database, { roles: 'web' })
  const load = makeLoad(arena)
  const target = openTarget(service, load, { templates, success: 200 })
  const memory = watchMemory(service.use)
  const report = await measureWrites(arena, bare, { service, load, target }, { connections: CONNECTIONS })
  const watch = watchWaiting(arena, { server: service, generator: load }, service)
  const alone = await watch.during(() => target.run({ connections: 1, seconds: arena.quick ? 1 : 3 }))
  const used = memory.end()
  const fewerConnections: { connections: number; report: WriteReport }[] = []
  for (const connections of FEWER.keys())
    fewerConnections.push({
      connections,
      report: await measureWrites(arena, bare, { service, load, target }, { connections, short: true }),
    })
  const more = (seconds: number) => () => target.run({ connections: CONNECTIONS, seconds })
  const profiles = options.profile
    ? [
        await service.profileDuring('g1-sends', more(5)),
        await statementsDuring(database, 'g1-sends', more(4)),
      ]
    : []
  await service.stop()
  await load.stop()
  const { counts } = target
  const accepting = await acceptLedgers(database, counts)
  const ledgers = [...accepting, ...(await drain(arena, database, arena.quick ? 1_000 : 5_000))]
  const setting = `${SHOPS} pro workspaces, ${CONTACTS_EACH} open windows each, limiter on`
  const shared = { goal: 'G1', ledgers, waiting: report.waiting }
  const byItself = { goal: 'G1', ledgers, waiting: watch.read() }
  const rates: Row = { what: `accepted sends/s, c=${CONNECTIONS}`, aim: AIMS.rate, where: setting }
  const figures: Figure[] = [
    rowOf(rates, report, counts, ledgers),
    { ...shared, what: `p99, c=${CONNECTIONS}`, ...boundOf(report.p99Ms, 'ms', AIMS.p99Ms) },
    { ...shared, what: `p50, c=${CONNECTIONS}`, ...boundOf(report.p50Ms, 'ms') },
    ...fewerConnections.map(({ connections, report }) =>
      rowOf(
        { what: `accepted sends/s, c=${connections}`, aim: FEWER.get(connections), where: setting },
        report,
        counts,
        ledgers,
      ),
    ),
    { ...byItself, what: 'p50, c=1', ...boundOf(alone.latency.p50Ms, 'ms', AIMS.aloneP50Ms) },
    { ...byItself, what: 'p99, c=1', ...boundOf(alone.latency.p99Ms, 'ms', AIMS.aloneP99Ms) },
    {
      ...shared,
      what: 'RSS of the server, at most',
      ...boundOf(used.maxMb, 'MB', MEMORY_AIM),
      notes: [`heap at most ${Math.round(used.maxHeapMb)} MB`],
    },
  ]
  return { figures, profiles }
}

type Elsewhere = Row & {
  database: string
  seed(database: BenchDatabase): Promise<OpenChat[]>
  service: ServiceOptions
}

const ELSEWHERE: Elsewhere[] = [
  {
    what: `accepted sends/s in one workspace, c=${CONNECTIONS}`,
    aim: AIMS.oneWorkspace,
    where: `${CONTACTS_OF_ONE} open windows in one workspace with an allowance, limiter off`,
    database: 'g1_one',
    // Its allowance is counted, and too large to reach.
    seed: (database) => makeOpenChats(database, 1, CONTACTS_OF_ONE, { plan: 'enterprise' }),
    service: { roles: 'web', limiter: false },
  },
  {
    what: `accepted sends/s, worker in the same process, c=${CONNECTIONS}`,
    aim: AIMS.withWorker,
    where: `${SHOPS} pro workspaces, handed to the simulator meanwhile, limiter on`,
    database: 'g1_worker',
    seed: (database) => makeOpenChats(database, SHOPS, CONTACTS_EACH),
    service: { roles: 'web,worker' },
  },
]

async function measureElsewhere(arena: Arena, bare: Bare, row: Elsewhere): Promise<Figure> {
  const database = await arena.database(row.database)
  const templates = sendRequests(await row.seed(database))
  const service = await startService(arena, database, row.service)
  const load = makeLoad(arena)
  const target = openTarget(service, load, { templates, success: 200 })
  const report = await measureWrites(
    arena,
    bare,
    { service, load, target },
    { connections: CONNECTIONS, short: true },
  )
  await service.stop()
  await load.stop()
  return rowOf(row, report, target.counts, await acceptLedgers(database, target.counts))
}

export const measureSends: Goal = async (arena, options) => {
  const bare = await openBare(arena, 'send')
  const { figures, profiles } = await measureMany(arena, bare, options)
  for (const row of ELSEWHERE) figures.push(await measureElsewhere(arena, bare, row))
  await bare.stop()
  if (options.soakMinutes > 0) figures.push(...(await soak(arena, options.soakMinutes, seedSends)))
  return { figures, profiles }
}
