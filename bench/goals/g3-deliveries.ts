/**
 * G3 and G3b: compares deliveries, each with an attempt row, with bare signed POSTs to the same sink, over
 * http and https.
 */
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import type { Child } from '../ground/children.ts'
import { databaseCpuMs, statementsDuring } from '../ground/database-use.ts'
import { deliveryLedgers } from '../ground/delivery-ledgers.ts'
import type { Drained } from '../ground/drain.ts'
import { openSink } from '../ground/receivers.ts'
import { alternate, rateOf } from '../ground/rounds.ts'
import type { Profile } from '../ground/self-time.ts'
import { profileDuring, SECRET_KEY } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { watchWaiting } from '../ground/waiting.ts'
import type { BarePosts, BarePostsResult } from '../processes/bare-posts.ts'
import type { EngineOpening } from '../processes/engine.ts'
import type { Figure } from '../report.ts'
import { addEndpoints, addPendingDeliveries } from '../seeds/deliveries.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal, GoalOptions } from './goal.ts'

const BARE_CONNECTIONS = 64

/** `reach` by the number of endpoints. */
type Scheme = {
  goal: string
  secure: boolean
  reach: Record<number, number>
  dream: number
  denominator: string
}
const MANY = 25
const SCHEMES: Scheme[] = [
  {
    goal: 'G3',
    secure: false,
    reach: { [MANY]: 0.55, 1: 0.55 },
    dream: 0.65,
    denominator: 'bare signed undici POSTs, http, c=64',
  },
  {
    goal: 'G3b',
    secure: true,
    reach: { [MANY]: 0.55, 1: 0.55 },
    dream: 0.65,
    denominator: 'bare signed undici POSTs, https keep-alive, c=64',
  },
]

type Setting = { database: BenchDatabase; sink: Child; engine: Child; bare: Child; url: string }

async function open(arena: Arena, { goal, secure }: Scheme): Promise<Setting> {
  const database = await arena.database(goal.toLowerCase())
  const { sink, urls, ca } = await openSink(arena, secure)
  const url = urls[0]!
  const engine = arena.child('engine')
  const engineOpening: EngineOpening = { databaseUrl: database.url, secretKey: SECRET_KEY, ca }
  await engine.ask('open', engineOpening)
  const bare = arena.child('bare-posts')
  const posts: BarePosts = { url, ca, connections: BARE_CONNECTIONS }
  await bare.ask('open', posts)
  return { database, sink, engine, bare, url }
}

async function measure(
  arena: Arena,
  scheme: Scheme,
  setting: Setting,
  workspaceId: string,
  endpoints: number,
  options: GoalOptions,
): Promise<{ figure: Figure; profiles: Profile[] }> {
  const { database, sink, engine, bare, url } = setting
  await addEndpoints(database, [workspaceId], endpoints, [url])
  let watch = watchWaiting(arena, { engine, receiver: sink })
  let deliveryCount = 0
  let received = 0
  const cost: number[][] = []
  const drain = async (rows: number) => {
    const expected = await addPendingDeliveries(database, workspaceId, rows)
    deliveryCount += expected
    const before = await sink.ask<number>('requests')
    const databaseBefore = databaseCpuMs(arena.folder) ?? Number.NaN
    const drained = await watch.during(() => engine.ask<Drained>('drain', { expected }))
    received += (await sink.ask<number>('requests')) - before
    if (drained.errors.length > 0) arena.say(`the engine reported: ${drained.errors[0]}`)
    cost.push(
      [drained.cpuMs, (databaseCpuMs(arena.folder) ?? Number.NaN) - databaseBefore].map(
        (ms) => (ms * 1000) / expected,
      ),
    )
    return expected / drained.seconds
  }
  const seconds = arena.quick ? 1.5 : 4
  const posts = async () => (await bare.ask<BarePostsResult>('run', { seconds })).perSecond
  await posts()
  const pace = await drain(arena.quick ? 2_000 : 5_000)
  await database.admin('vacuum (analyze)')
  const rows = Math.round(Math.max(1_000, pace * seconds))
  watch = watchWaiting(arena, { engine, receiver: sink })
  const rounds = await alternate(arena.quick ? 2 : 5, posts, () => drain(rows))
  const waiting = watch.read()
  const name = `${scheme.goal.toLowerCase()}-deliveries-${endpoints}`
  const profiles = options.profile ? [await profileDuring(engine, arena, name, () => drain(rows))] : []
  if (options.profile) profiles.push(await statementsDuring(database, name, () => drain(rows)))
  return {
    profiles,
    figure: {
      goal: scheme.goal,
      what: `deliveries/s, ${endpoints} endpoint${endpoints > 1 ? 's' : ''}`,
      denominator: scheme.denominator,
      ...rateOf(rounds, { reach: scheme.reach[endpoints]!, dream: scheme.dream }),
      waiting,
      ledgers: await deliveryLedgers(database, workspaceId, deliveryCount, received),
      notes: [
        `${endpoints} at ${scheme.secure ? 'https' : 'http'}: processor time a delivery: ${Math.round(median(cost.map((sample) => sample[0]!)))} us in the engine + ${Math.round(median(cost.map((sample) => sample[1]!)))} us in the database`,
      ],
    },
  }
}

export const measureDeliveries: Goal = async (arena, options) => {
  const figures: Figure[] = []
  const profiles: Profile[] = []
  for (const scheme of SCHEMES) {
    const setting = await open(arena, scheme)
    const shops = await makeShops(setting.database, 2, 'pro')
    for (const [i, endpoints] of [MANY, 1].entries()) {
      const report = await measure(arena, scheme, setting, shops[i]!.workspaceId, endpoints, options)
      figures.push(report.figure)
      profiles.push(...report.profiles)
    }
    for (const child of [setting.engine, setting.bare, setting.sink]) await child.stop()
  }
  return { figures, profiles }
}
