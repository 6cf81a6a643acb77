/**
 * Measures the processor time of a customer's message that arrives alone: one callback after the other, each
 * with one message, stored and applied by a process of both roles.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { signWebhook } from '../../src/operator/webhook-signature.ts'
import { watchDatabase } from '../ground/database-use.ts'
import { boundOf } from '../ground/rounds.ts'
import { startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { thisProcess, watchWaiting } from '../ground/waiting.ts'
import { addOpenWindows, makeShops } from '../seeds/shops.ts'
import { messageFrom } from '../seeds/updates.ts'
import type { Goal } from './goal.ts'
import { connect } from './intake.ts'

const CUSTOMERS = 4_000
const AIM_MS = { reach: 2.5 }
const SETTLE_MS = 60_000
const LOOK_MS = 20

export const measureInboundCost: Goal = async (arena, options) => {
  const database = await arena.database('inbound_cost')
  const [shop] = await makeShops(database, 1, 'unlimited')
  await database.sql('delete from phone_numbers')
  const number = await connect(database, shop!)
  const customers = await addOpenWindows(database, CUSTOMERS)
  await database.admin('vacuum (analyze)')
  const service = await startService(arena, database, { roles: 'web,worker' })
  const agent = new Agent({ connections: 1 })
  let posted = 0
  const post = async (): Promise<void> => {
    const { messages } = messageFrom(customers[posted++ % customers.length]!.phone)
    const value = {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: number.operatorId },
      messages,
    }
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: number.accountId, changes: [{ field: 'messages', value }] }],
    })
    const answer = await request(`http://127.0.0.1:${service.port}/api/operator/${shop!.workspaceId}`, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': signWebhook(body, number.appSecret),
      },
      body,
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`the callback answered ${answer.statusCode}`)
  }
  const waitUntilApplied = async (): Promise<void> => {
    const untilMs = performance.now() + SETTLE_MS
    while ((await database.sql('select 1 from operator_updates limit 1')).length > 0) {
      if (performance.now() > untilMs) throw new Error('the updates are not applied')
      await wait(LOOK_MS)
    }
  }
  const runFor = async (seconds: number): Promise<number> => {
    const [untilMs, before] = [performance.now() + seconds * 1_000, posted]
    while (performance.now() < untilMs) await post()
    const count = posted - before
    await waitUntilApplied()
    return count
  }
  await runFor(3)
  const databaseWatch = watchDatabase(arena.folder)
  const watch = watchWaiting(arena, { server: service, generator: thisProcess }, service)
  const rounds: { server: number; database: number; upkeep: number }[] = []
  for (let round = 0; round < (arena.quick ? 2 : 5); round++) {
    const before = { server: await service.cpuMs(), database: databaseWatch.use() }
    const count = await watch.during(() => runFor(arena.quick ? 1 : 3))
    const [server, used] = [await service.cpuMs(), databaseWatch.use()]
    rounds.push({
      server: (server - before.server) / count,
      database: (used.requestsMs - before.database.requestsMs) / count,
      upkeep: (used.upkeepMs - before.database.upkeepMs) / count,
    })
  }
  databaseWatch.end()
  const profiles = options.profile ? [await service.profileDuring('inbound-cost', () => runFor(4))] : []
  await service.stop()
  await agent.close()
  const [row] = await database.sql<{ stored: string }>(
    `select count(*) as stored from messages where direction = 'inbound'`,
  )
  const part = (name: 'server' | 'database' | 'upkeep') =>
    Math.round(median(rounds.map((round) => round[name])) * 1_000)
  const together = rounds.map(({ server, database: spent }) => server + spent)
  return {
    profiles,
    figures: [
      {
        goal: 'cost',
        what: "processor of a customer's message, c=1",
        ...boundOf(median(together), 'ms', AIM_MS),
        rounds: together,
        ledgers: [{ what: 'messages posted', whole: posted, parts: { stored: Number(row!.stored) } }],
        notes: [
          `inbound, c=1: processor time a message: ${part('server')} us in the server + ${part('database')} us in the database; apart from it, autovacuum, WAL writer, and checkpoints: ${part('upkeep')} us`,
        ],
        waiting: watch.read(),
      },
    ],
  }
}
