/**
 * Compares messages submitted to a simulated operator, each with lease and outcome, with bare POSTs of the
 * same messages.
 */
import { join } from 'node:path'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { databaseCpuMs, statementsDuring } from '../ground/database-use.ts'
import type { Drained } from '../ground/drain.ts'
import { alternate, rateOf } from '../ground/rounds.ts'
import { profileDuring, SECRET_KEY } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { watchWaiting } from '../ground/waiting.ts'
import type { BareMessages, BareMessagesResult } from '../processes/bare-messages.ts'
import type { HandoverOpening } from '../processes/handover-engine.ts'
import type { SinkOpening } from '../processes/sink.ts'
import type { Ledger } from '../report.ts'
import { makeCloudShops, queueMessages } from '../seeds/messages.ts'
import type { Goal } from './goal.ts'

const BARE_CONNECTIONS = 64
/** Together their throughput is above any machine's capacity: the pace is not measured. */
const NUMBERS = 100
const THROUGHPUT = 1_000
const CHATS_EACH = 1_500
const AIM = { reach: 0.42, dream: 0.5 }

/** Every queued message was submitted once. */
async function ledgersOf(database: BenchDatabase, messageCount: number, received: number): Promise<Ledger[]> {
  const [row] = await database.sql<Record<string, string>>(
    `select count(*) filter (where run_at is null and chanmid is not null) as taken,
            count(*) filter (where status = 'failed') as failed,
            count(*) filter (where run_at is not null) as pending
     from messages`,
  )
  const [handedOver, failed, pending] = [Number(row!.taken), Number(row!.failed), Number(row!.pending)]
  return [
    { what: 'messages', whole: messageCount, parts: { 'handed over': handedOver, failed, pending } },
    { what: 'received by the operator', whole: received, parts: { 'handed over': handedOver } },
  ]
}

async function open(arena: Arena, database: BenchDatabase) {
  const sink = arena.child('sink')
  const opening: SinkOpening = { operator: true }
  const [port] = await sink.ask<number[]>('open', opening)
  const url = `http://127.0.0.1:${port}`
  const bare = arena.child('bare-messages')
  const posts: BareMessages = { url, connections: BARE_CONNECTIONS }
  await bare.ask('open', posts)
  const engine = arena.child('handover-engine')
  const engineOpening: HandoverOpening = {
    databaseUrl: database.url,
    secretKey: SECRET_KEY,
    operatorUrl: url,
    journalFolder: join(arena.folder, 'hand-over'),
  }
  await engine.ask('open', engineOpening)
  return { sink, bare, engine }
}

export const measureHandover: Goal = async (arena, options) => {
  const database = await arena.database('handover')
  await makeCloudShops(database, NUMBERS, { throughput: THROUGHPUT, chats: CHATS_EACH })
  const { sink, bare, engine } = await open(arena, database)
  let watch = watchWaiting(arena, { engine, operator: sink })
  let messageCount = 0
  let received = 0
  const cost: number[][] = []
  const drain = async (rows: number): Promise<number> => {
    await queueMessages(database, rows)
    messageCount += rows
    const before = await sink.ask<number>('requests')
    const databaseBefore = databaseCpuMs(arena.folder) ?? Number.NaN
    const drained = await watch.during(() => engine.ask<Drained>('drain', { expected: rows }))
    received += (await sink.ask<number>('requests')) - before
    if (drained.errors.length > 0) arena.say(`the engine reported: ${drained.errors[0]}`)
    const databaseMs = (databaseCpuMs(arena.folder) ?? Number.NaN) - databaseBefore
    cost.push([drained.cpuMs, databaseMs].map((ms) => (ms * 1000) / rows))
    return rows / drained.seconds
  }
  const seconds = arena.quick ? 1.5 : 4
  const bareCost: number[] = []
  const posts = async (): Promise<number> => {
    const { count, cpuMs, perSecond } = await bare.ask<BareMessagesResult>('run', { seconds })
    bareCost.push((cpuMs * 1000) / count)
    return perSecond
  }
  await posts()
  const pace = await drain(5_000)
  await database.admin('vacuum (analyze)')
  const rows = Math.round(Math.min(NUMBERS * CHATS_EACH, Math.max(3_000, pace * seconds)))
  watch = watchWaiting(arena, { engine, operator: sink })
  const rounds = await alternate(arena.quick ? 2 : 5, posts, () => drain(rows))
  const waiting = watch.read()
  const profiles = options.profile ? [await profileDuring(engine, arena, 'handover', () => drain(rows))] : []
  if (options.profile) profiles.push(await statementsDuring(database, 'handover', () => drain(rows)))
  const figure = {
    goal: 'hand-over',
    what: `messages handed over/s, ${NUMBERS} numbers`,
    denominator: `bare undici POSTs of messages, c=${BARE_CONNECTIONS}`,
    ...rateOf(rounds, AIM),
    waiting,
    ledgers: await ledgersOf(database, messageCount, received),
    notes: [
      `processor time a message: ${Math.round(median(cost.map((sample) => sample[0]!)))} us in the engine + ${Math.round(median(cost.map((sample) => sample[1]!)))} us in the database (bare: ${Math.round(median(bareCost))} us)`,
    ],
  }
  for (const child of [engine, bare, sink]) await child.stop()
  return { figures: [figure], profiles }
}
