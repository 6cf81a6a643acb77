/**
 * L8: one number at the operator's top rate for ten minutes (one with --quick): 3,000 receipts and 1,000
 * customers' messages per second over the callback. Checks that posts are answered in time, that none is
 * lost, and that no backlog remains.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { signWebhook } from '../../src/operator/webhook-signature.ts'
import type { BenchDatabase } from '../ground/arena.ts'
import { databaseCpuMs } from '../ground/database-use.ts'
import { watchMemory } from '../ground/memory-watch.ts'
import { boundOf } from '../ground/rounds.ts'
import { startService } from '../ground/service.ts'
import { durations } from '../ground/statistics.ts'
import { thisProcess, watchWaiting } from '../ground/waiting.ts'
import type { Ledger } from '../report.ts'
import { addOpenWindows, makeShops } from '../seeds/shops.ts'
import { addSentMessages, messageFrom, type Reported, receiptOf } from '../seeds/updates.ts'
import type { Goal } from './goal.ts'
import { connect } from './intake.ts'

const MESSAGES_PER_SECOND = 1_000
const TOGETHER = 100
const CUSTOMERS = 5_000
const STATUSES = ['sent', 'delivered', 'read'] as const
const P99_AIM = { reach: 50, dream: 30 }
const PACE = 0.98
/** The time after the last post in which the backlog may still be processed before it counts as left. */
const SETTLE_MS = 5_000
const GIVE_UP_MS = 60_000

const waitingOf = async (database: BenchDatabase): Promise<number> => {
  const [row] = await database.sql<{ count: string }>(
    'select count(*) as count from operator_updates where failed_at is null',
  )
  return Number(row!.count)
}

export const measureInbound: Goal = async (arena) => {
  const seconds = arena.quick ? 60 : 600
  const database = await arena.database('inbound')
  const [shop] = await makeShops(database, 1, 'unlimited')
  // Its only number is the operator's, so that each customer has one conversation.
  await database.sql('delete from phone_numbers')
  const number = await connect(database, shop!)
  const customers = await addOpenWindows(database, CUSTOMERS)
  const service = await startService(arena, database, { roles: 'web,worker' })
  const agent = new Agent({ connections: 16 })
  const latency = durations()
  let refused = 0
  const post = async (reported: Reported[]): Promise<void> => {
    const value = {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: number.operatorId },
      messages: reported.flatMap(({ messages }) => messages),
      statuses: reported.flatMap(({ statuses }) => statuses),
    }
    const entry = [{ id: number.accountId, changes: [{ field: 'messages', value }] }]
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
    const startedMs = performance.now()
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
    latency.add(performance.now() - startedMs)
    if (answer.statusCode !== 200) refused++
  }

  const aboutOf = (second: number) =>
    Array.from(
      { length: MESSAGES_PER_SECOND },
      (_, i) => customers[(second * MESSAGES_PER_SECOND + i) % customers.length]!,
    )
  // Stored before the clock starts, because sending is not measured here.
  const sent: string[][] = []
  for (let second = 0; second < seconds; second++)
    sent.push((await addSentMessages(database, aboutOf(second))).map(({ chanmid }) => chanmid))
  await database.admin('vacuum (analyze)')
  // A checkpoint while the clock runs would delay commits on the same disk.
  await database.admin('checkpoint')

  const memory = watchMemory(service.use, 1_000)
  const cpuBefore = (await service.use()).cpuMs
  const databaseBefore = databaseCpuMs(arena.folder) ?? Number.NaN
  const posts: Promise<void>[] = []
  const watch = watchWaiting(arena, { server: service, generator: thisProcess }, service)
  const startedMs = performance.now()
  let reported = 0
  let tookSeconds = 0
  const report = async (): Promise<void> => {
    for (let second = 0; second < seconds + STATUSES.length - 1; second++) {
      // Each second reports the next status of the previous second's messages.
      const updates = [
        ...(second < seconds ? aboutOf(second) : []).map(({ phone }) => messageFrom(phone)),
        ...STATUSES.flatMap((status, age) =>
          (sent[second - age] ?? []).map((chanmid) => receiptOf(chanmid, status)),
        ),
      ]
      reported += updates.length
      const bodies = Math.ceil(updates.length / TOGETHER)
      for (let i = 0; i < bodies; i++) {
        const atMs = startedMs + (second + i / bodies) * 1_000
        const aheadMs = atMs - performance.now()
        if (aheadMs > 1) await wait(aheadMs)
        posts.push(post(updates.slice(i * TOGETHER, (i + 1) * TOGETHER)))
      }
      if (second % 10 === 0)
        arena.say(`inbound: ${second} s, ${reported} reported, ${await waitingOf(database)} rows wait`)
    }
    await Promise.all(posts)
    tookSeconds = (performance.now() - startedMs) / 1_000
  }
  await watch.during(report)
  await wait(SETTLE_MS)
  const left = await waitingOf(database)
  const deadlineMs = performance.now() + GIVE_UP_MS
  while ((await waitingOf(database)) > 0 && performance.now() < deadlineMs) await wait(200)
  const [row] = await database.sql<Record<string, string>>(
    `select count(*) filter (where direction = 'inbound') as stored, count(*) filter (where status = 'read') as read,
            (select count(*) from operator_updates) as aside from messages`,
  )
  const micros = [
    (await service.use()).cpuMs - cpuBefore,
    (databaseCpuMs(arena.folder) ?? Number.NaN) - databaseBefore,
  ].map((ms) => Math.round((ms * 1_000) / reported))
  const used = memory.end()
  await service.stop()
  await agent.close()
  const { p99Ms, maxMs } = latency.read()
  const ledgers: Ledger[] = [
    {
      what: "customers' messages reported",
      whole: seconds * MESSAGES_PER_SECOND,
      parts: { stored: Number(row!.stored) },
    },
    {
      what: 'messages whose receipts were reported',
      whole: seconds * MESSAGES_PER_SECOND,
      parts: { read: Number(row!.read) },
    },
    { what: 'posts refused, and updates set aside', whole: 0, parts: { refused, aside: Number(row!.aside) } },
  ]
  const shared = { goal: 'inbound', ledgers, waiting: watch.read() }
  const pace = reported / tookSeconds
  // The first and the last seconds report fewer statuses.
  const offeredPace = reported / (seconds + STATUSES.length - 1)
  return {
    figures: [
      {
        ...shared,
        what: `updates reported a second, for ${seconds} s`,
        denominator: 'as many as the operator had to report',
        bare: offeredPace,
        ours: pace,
        unit: '/s',
        ratio: pace / offeredPace,
        target: `>= ${PACE}`,
        met: pace / offeredPace >= PACE,
        notes: [
          `processor time an update: ${micros[0]} us in the service + ${micros[1]} us in the database; RSS at most ${Math.round(used.maxMb)} MB`,
        ],
      },
      {
        ...shared,
        what: `posts of ${TOGETHER} updates answered, p99`,
        ...boundOf(p99Ms, 'ms', P99_AIM),
        notes: [`the slowest ${Math.round(maxMs)} ms`],
      },
      {
        ...shared,
        what: `rows that wait ${SETTLE_MS / 1_000} s after the last post`,
        ours: left,
        unit: 'rows',
        target: '0',
        met: left === 0,
      },
    ],
  }
}
