/**
 * G14: measures deliveries per second while another session keeps a snapshot open, so that vacuum can remove
 * no settled rows.
 */
import { onDatabase } from '../../src/database/on-database.ts'
import { deliveryLedgers } from '../ground/delivery-ledgers.ts'
import type { Drained } from '../ground/drain.ts'
import { openSink } from '../ground/receivers.ts'
import { alternate, rateOf } from '../ground/rounds.ts'
import { SECRET_KEY } from '../ground/service.ts'
import type { EngineOpening } from '../processes/engine.ts'
import { addEndpoints, addPendingDeliveries } from '../seeds/deliveries.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const ENDPOINTS = 25
/** Drains under one snapshot; the last of them counts. */
const DRAINS_HELD = 5
const TARGET = 0.8

export const measureHeldSnapshot: Goal = async (arena) => {
  const database = await arena.database('g14')
  const [shop] = await makeShops(database, 1, 'pro')
  const { sink, urls } = await openSink(arena, false)
  await addEndpoints(database, [shop!.workspaceId], ENDPOINTS, urls)
  const engine = arena.child('engine')
  const opening: EngineOpening = { databaseUrl: database.url, secretKey: SECRET_KEY }
  await engine.ask('open', opening)
  const rows = arena.quick ? 10_000 : 40_000
  let deliveryCount = 0
  const drain = async () => {
    const expected = await addPendingDeliveries(database, shop!.workspaceId, rows)
    deliveryCount += expected
    const { seconds, errors } = await engine.ask<Drained>('drain', { expected })
    if (errors.length > 0) arena.say(`the engine reported: ${errors[0]}`)
    return expected / seconds
  }
  const free = async () => {
    await database.admin('vacuum deliveries')
    return drain()
  }
  const measureHeld = () =>
    onDatabase(database.url, async (holder) => {
      await holder.query('begin isolation level repeatable read; select count(*) from workspaces')
      for (let i = 1; i < DRAINS_HELD; i++) await drain()
      return drain()
    })
  await drain()
  await database.admin('vacuum (analyze)')
  const rounds = await alternate(arena.quick ? 1 : 3, free, measureHeld)
  const received = await sink.ask<number>('requests')
  for (const child of [engine, sink]) await child.stop()
  const ledgers = await deliveryLedgers(database, shop!.workspaceId, deliveryCount, received)
  return {
    figures: [
      {
        goal: 'G14',
        what: `deliveries/s with a snapshot held over ${DRAINS_HELD * rows}`,
        denominator: 'with none held',
        ...rateOf(rounds, { reach: TARGET }),
        ledgers,
      },
    ],
  }
}
