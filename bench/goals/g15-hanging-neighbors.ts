/** G15: measures one endpoint while the 24 others of its workspace accept connections and never answer. */
import { setTimeout as wait } from 'node:timers/promises'
import type { BenchDatabase } from '../ground/arena.ts'
import { openSink } from '../ground/receivers.ts'
import { alternate, rateOf } from '../ground/rounds.ts'
import { SECRET_KEY } from '../ground/service.ts'
import type { EngineOpening } from '../processes/engine.ts'
import { addEndpoints, addPendingDeliveries } from '../seeds/deliveries.ts'
import { makeShops, type Shop } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const HANGING = 24
const TARGET = 0.8
const WITHIN_MS = 60_000
const LOOK_MS = 5
/** Longer than an attempt may take: the attempts of a round are over when the next starts. */
const ATTEMPT_MS = 16_000

const turnOff = (database: BenchDatabase, { workspaceId }: Shop) =>
  database.sql('update webhook_endpoints set active = false where workspace_id = $1', [workspaceId])

export const measureHangingNeighbors: Goal = async (arena) => {
  const database = await arena.database('g15')
  const neighborCount = arena.quick ? 1 : 3
  const shops = await makeShops(database, 2 * neighborCount + 1, 'pro')
  const { sink, urls } = await openSink(arena, false, 1 + HANGING, HANGING)
  const engine = arena.child('engine')
  const opening: EngineOpening = { databaseUrl: database.url, secretKey: SECRET_KEY }
  await engine.ask('open', opening)
  const perEndpoint = arena.quick ? 2_000 : 10_000
  let deliveryCount = 0
  /** Measures the healthy endpoint's deliveries per second, with or without the others. */
  const race = async (hanging: boolean) => {
    const shop = shops.pop()!
    if (hanging) await addEndpoints(database, [shop.workspaceId], HANGING, urls.slice(1))
    await addEndpoints(database, [shop.workspaceId], 1, [urls[0]!])
    await addPendingDeliveries(database, shop.workspaceId, perEndpoint * (hanging ? 1 + HANGING : 1))
    deliveryCount += perEndpoint
    const before = await sink.ask<number>('requests')
    const beganMs = performance.now()
    await engine.ask('begin')
    while (
      (await sink.ask<number>('requests')) - before < perEndpoint &&
      performance.now() - beganMs < WITHIN_MS
    )
      await wait(LOOK_MS)
    const seconds = (performance.now() - beganMs) / 1000
    const { errors } = await engine.ask<{ errors: string[] }>('end')
    if (errors.length > 0) arena.say(`the engine reported: ${errors[0]}`)
    await turnOff(database, shop)
    if (hanging) await wait(ATTEMPT_MS)
    return perEndpoint / seconds
  }
  await race(false)
  const rounds = await alternate(
    neighborCount,
    () => race(false),
    () => race(true),
  )
  const received = await sink.ask<number>('requests')
  for (const child of [engine, sink]) await child.stop()
  return {
    figures: [
      {
        goal: 'G15',
        what: `deliveries/s of one endpoint while ${HANGING} others hang`,
        denominator: 'alone',
        ...rateOf(rounds, { reach: TARGET }),
        ledgers: [
          {
            what: 'for the healthy endpoint',
            whole: deliveryCount,
            parts: { 'received by the sink': received },
          },
        ],
      },
    ],
  }
}
