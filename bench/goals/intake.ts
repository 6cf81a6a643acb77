/**
 * Measures the intake: the operator's updates applied per second, reported one by one and in hundreds, and
 * how long the callback takes to answer a body of a thousand updates.
 */
import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { createSealer } from '../../src/core/sealing.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { signWebhook } from '../../src/operator/webhook-signature.ts'
import type { Arena, BenchDatabase } from '../ground/arena.ts'
import { databaseCpuMs, statementsDuring } from '../ground/database-use.ts'
import type { Profile } from '../ground/self-time.ts'
import { profileDuring, SECRET_KEY, startService } from '../ground/service.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'
import { median } from '../ground/statistics.ts'
import type { Applied } from '../processes/intake.ts'
import type { Figure } from '../report.ts'
import { addOpenWindows, makeShops, type Shop } from '../seeds/shops.ts'
import { addSentMessages, messageFrom, type Reported, receiptOf, storeUpdates } from '../seeds/updates.ts'
import type { Goal } from './goal.ts'

const SHOPS = 50
const CUSTOMERS_EACH = 100
const TOGETHER = 100
const ANSWER_MS = 100
const WARM_UP_POSTS = 5

type Customer = { workspaceId: string; phone: string }
type Ground = { database: BenchDatabase; shops: Map<string, Shop>; customers: Customer[] }

/**
 * Creates up to `max` updates: a quarter customers' messages, the rest the three receipts of our messages.
 */
async function buildUpdates({ database, shops, customers }: Ground, max: number) {
  const senders = Array.from({ length: Math.ceil(max / 4) }, (_, i) => customers[i % customers.length]!)
  const sent = await addSentMessages(database, senders)
  const updateOf = (workspaceId: string, update: Reported) => ({
    shop: shops.get(workspaceId)!,
    update,
  })
  return [
    ...senders.map((customer) => updateOf(customer.workspaceId, messageFrom(customer.phone))),
    ...['sent', 'delivered', 'read'].flatMap((status) =>
      sent.map(({ workspaceId, chanmid }) => updateOf(workspaceId, receiptOf(chanmid, status))),
    ),
  ]
}

async function measureApplying(
  arena: Arena,
  ground: Ground,
  batchSize: number,
  profiled: Profile[] | undefined,
): Promise<Figure> {
  const child = arena.child('intake')
  await child.ask('open', { databaseUrl: ground.database.url })
  const cost: number[][] = []
  let reported = 0
  const drain = async (max: number): Promise<number> => {
    const updates = await buildUpdates(ground, max)
    await storeUpdates(ground.database, updates, batchSize)
    reported += updates.length
    const before = databaseCpuMs(arena.folder) ?? Number.NaN
    const applied = await child.ask<Applied>('drain')
    if (applied.errors.length > 0) arena.say(`the intake reported: ${applied.errors[0]}`)
    cost.push(
      [applied.cpuMs, (databaseCpuMs(arena.folder) ?? Number.NaN) - before].map(
        (ms) => (ms * 1000) / updates.length,
      ),
    )
    return updates.length / applied.seconds
  }
  const before = await countApplied(ground.database)
  await drain(arena.quick ? 1_000 : 4_000)
  await ground.database.admin('vacuum (analyze)')
  const rounds: number[] = []
  for (let round = 0; round < (arena.quick ? 2 : 4); round++)
    rounds.push(await drain(arena.quick ? 4_000 : 16_000))
  if (profiled) {
    const name = `intake-${batchSize}`
    profiled.push(await profileDuring(child, arena, name, () => drain(16_000)))
    profiled.push(await statementsDuring(ground.database, name, () => drain(16_000)))
  }
  await child.stop()
  const { messages, receipts } = await countApplied(ground.database)
  return {
    goal: 'Intake',
    what: `updates applied/s, reported ${batchSize === 1 ? 'one by one' : `${batchSize} at a time`}`,
    ours: median(rounds),
    unit: '/s',
    target: 'none',
    rounds,
    ledgers: [
      {
        what: 'updates',
        whole: reported,
        parts: {
          'messages stored': messages - before.messages,
          'receipts sent as events': receipts - before.receipts,
        },
      },
    ],
    notes: [
      `processor time an update: ${Math.round(median(cost.map((sample) => sample[0]!)))} us in the worker + ${Math.round(median(cost.map((sample) => sample[1]!)))} us in the database`,
    ],
  }
}

async function countApplied(database: BenchDatabase): Promise<{ messages: number; receipts: number }> {
  const [row] = await database.sql<{ messages: string; receipts: string }>(
    `select (select count(*) from messages where direction = 'inbound') as messages,
            (select count(*) from events where name = 'message.status') as receipts`,
  )
  return { messages: Number(row!.messages), receipts: Number(row!.receipts) }
}

/** Connects a number of the real operator, with the data that its callback needs. */
export async function connect(database: BenchDatabase, shop: Shop) {
  const open = openSilentDatabase(database.url)
  const number = { operatorId: '106540352242922', accountId: '102290129340398', appSecret: randomUUID() }
  await open.system((tx) =>
    addPhoneNumber(
      tx,
      {
        ...number,
        workspaceId: shop.workspaceId,
        number: '+919000000001',
        operator: 'cloud',
        token: 'token',
        verifyToken: 'verify',
      },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )
  await open.close()
  return number
}

/** Returns a body with a thousand updates, near the operator's maximum of 3 MB. */
function bigBody(number: { operatorId: string; accountId: string }): string {
  const changes = Array.from({ length: 1_000 }, (_, i) => ({
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: number.operatorId },
      messages: [
        {
          from: `91980${1_000_000 + i}`,
          id: `wamid.${randomUUID()}`,
          timestamp: '1767168500',
          type: 'text',
          text: { body: 'नमस्ते '.repeat(110) },
        },
      ],
    },
  }))
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: number.accountId, changes }],
  })
}

async function measureAnswer(
  arena: Arena,
  database: BenchDatabase,
  shop: Shop,
  profiled: Profile[] | undefined,
): Promise<Figure> {
  const number = await connect(database, shop)
  const service = await startService(arena, database, { roles: 'web' })
  const posts = arena.quick ? 20 : 100
  let bytes = 0
  const post = async (): Promise<number> => {
    const body = bigBody(number)
    bytes = Buffer.byteLength(body)
    const signature = signWebhook(body, number.appSecret)
    const startedMs = performance.now()
    const answer = await request(`http://127.0.0.1:${service.port}/api/operator/${shop.workspaceId}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': signature,
      },
      body,
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`the callback answered ${answer.statusCode}`)
    return performance.now() - startedMs
  }
  // The first posts trigger compilation.
  for (let i = 0; i < WARM_UP_POSTS; i++) await post()
  const before = { service: (await service.use()).cpuMs, database: databaseCpuMs(arena.folder) ?? Number.NaN }
  const durationsMs: number[] = []
  for (let i = 0; i < posts; i++) durationsMs.push(await post())
  const cost = {
    service: ((await service.use()).cpuMs - before.service) / posts,
    database: ((databaseCpuMs(arena.folder) ?? Number.NaN) - before.database) / posts,
  }
  if (profiled) {
    const name = 'intake-answer'
    const more = async () => {
      for (let i = 0; i < posts; i++) await post()
    }
    profiled.push(await service.profileDuring(name, more))
    profiled.push(await statementsDuring(database, name, more))
  }
  await service.stop()
  const p99Ms = durationsMs.toSorted((a, b) => a - b)[Math.ceil(posts * 0.99) - 1]!
  return {
    goal: 'Intake',
    what: `answer to 1,000 updates in ${(bytes / 1e6).toFixed(1)} MB, stored: p99`,
    ours: p99Ms,
    unit: 'ms',
    target: `<= ${ANSWER_MS}`,
    met: p99Ms <= ANSWER_MS,
    rounds: [median(durationsMs), p99Ms],
    notes: [
      `${posts} posts one after the other; rounds: median and p99`,
      `processor time a post: ${Math.round(cost.service)} ms in the service + ${Math.round(cost.database)} ms in the database`,
    ],
  }
}

export const measureIntake: Goal = async (arena, options) => {
  const database = await arena.database('intake')
  const shops = await makeShops(database, SHOPS, 'unlimited')
  const customers = await addOpenWindows(database, CUSTOMERS_EACH)
  const ground = { database, shops: new Map(shops.map((shop) => [shop.workspaceId, shop])), customers }
  const profiles: Profile[] = []
  const figures: Figure[] = []
  for (const batchSize of [1, TOGETHER])
    figures.push(await measureApplying(arena, ground, batchSize, options.profile ? profiles : undefined))
  figures.push(await measureAnswer(arena, database, shops[0]!, options.profile ? profiles : undefined))
  return { figures, profiles }
}
