import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { type Admin, newShop } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { newInstallation } from '../support/server-process.ts'
import { accept, cloudShop, receipt, refuseWith, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

const MESSAGES = 120
/** The time that a message whose call began waits for a report about it (lane-calls). */
const HANDOVER_LEASE_MS = 95_000
/** Several numbers, because the operator limits the messages of each. */
const CUSTOMERS = Array.from({ length: 20 }, (_, i) => `+9198123456${String(i).padStart(2, '0')}`)

let operator: Awaited<ReturnType<typeof standInOperator>>
beforeAll(async () => {
  operator = await standInOperator()
})
afterAll(() => operator?.close())
const installation = killableInstallation(() => operator.env)

const openShop = (admin: Admin, url: string) =>
  cloudShop({
    system: admin.system,
    workspace: async () => {
      const workspace = await newShop(admin)
      return { ...workspace, ...clientOf(url, workspace.apiKey) }
    },
  })

/** Moves the lease of the number as if its time had passed before the next process starts. */
async function passTenSeconds(admin: Admin): Promise<void> {
  const tenSecondsEarlier = (column: string) => `${column} = ${column} - interval '10 seconds'`
  await admin.query(
    `update number_lanes set ${tenSecondsEarlier('leased_until')}, ${tenSecondsEarlier('paused_until')}`,
  )
  await admin.query(
    `update messages set ${tenSecondsEarlier('run_at')}, ${tenSecondsEarlier('leased_until')} where status = 'queued' and run_at is not null`,
  )
}

/** Messages whose hand-over has not begun. */
const countWaiting = async (admin: Admin): Promise<number> =>
  (
    await admin.query<{ count: number }>(
      "select count(*) as count from messages where status = 'queued' and leased_until is null",
    )
  )[0]!.count

test(
  'kill -9 during the hand-over to the operator: no recipient gets a message twice, and every message reaches a final state',
  async () => {
    const random = randomFrom(seedOf('killed hand-over'))
    const server = await installation.start()
    const { admin } = server
    const shop = await openShop(admin, server.url)
    for (const customer of CUSTOMERS) await shop.writes(customer)
    /**
     * The messages that the operator accepted and reported. It reports nothing about calls without an effect.
     */
    const reported = new Set<string>()
    /** The calls that it refused: these may be repeated. */
    const refused = new Set<object>()
    let hasRecovered = false
    operator.answer(async (handover) => {
      const messageId = handover.body.biz_opaque_callback_data
      const chance = hasRecovered ? 1 : random()
      const { request, response } = handover
      if (chance < 0.08) request.socket.destroy()
      else if (chance < 0.1) response.writeHead(200).end('<html>It works!</html>')
      else if (chance < 0.12) response.writeHead(502).end('Bad gateway')
      else if (chance < 0.18) {
        refused.add(handover)
        await refuseWith(429, { code: 131056, message: 'pair rate limit hit' })(handover)
      } else {
        await shop.operatorSays(receipt('delivered', { chanmid: handover.chanmid, messageId }))
        reported.add(messageId)
        // The operator accepts the message, and the answer is lost or arrives at any time around the kill.
        if (chance < 0.25) request.socket.destroy()
        else setTimeout(() => accept(handover), random() * 60)
      }
    })

    /** A crowded machine may answer that the request should be repeated shortly. */
    const sendUntilAnswered = (body: object) => {
      const idempotencyKey = randomUUID()
      return until(async () => {
        const answer = await shop.post('/send', body, { idempotencyKey })
        if (answer.status !== 503) expect(answer.status, answer.text).toBe(200)
        return answer.status === 200 && answer
      }, 'the message is accepted')
    }
    const ids: string[] = []
    let kills = 0
    for (const round of roundsOf(4)) {
      const reached = operator.taken.length + Math.floor(random() * MESSAGES * 0.8)
      // Messages of earlier rounds count, too: more than this would wait for the pace of their recipients,
      // which is not the subject here.
      const left = await countWaiting(admin)
      for (let i = left; i < MESSAGES; i += 20) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            sendUntilAnswered({ to: CUSTOMERS[n]!, type: 'text', text: `${round}.${i + n}` }),
          ),
        )
        ids.push(...answers.map((answer) => answer.body.messageId))
      }
      await until(() => operator.taken.length >= reached, 'hand-overs are running')
      await server.kill()
      kills++
      // Otherwise the next process starts immediately, and reads the killed process's journal.
      if (round % 2 === 0) await passTenSeconds(admin)
      await server.restart()
    }

    // The operator works normally by now.
    hasRecovered = true
    // As if three times had passed: the wait for a receipt of calls that began over five seconds ago, and the
    // pause of throttled recipients.
    const rows = await until(
      async () => {
        const [waiting] = await admin.query<{ count: number }>(
          'select count(*) as count from operator_updates where failed_at is null',
        )
        if (waiting!.count > 0) return false
        await admin.query(
          "update messages set run_at = $1 where status = 'queued' and run_at > $1 and leased_until is null",
          [new Date()],
        )
        await admin.query(
          `update messages set leased_until = leased_until - interval '2 minutes' where status = 'queued' and leased_until > $1 and leased_until < $2`,
          [new Date(), new Date(Date.now() + HANDOVER_LEASE_MS - 5_000)],
        )
        const rows = await admin.query<{ id: string; status: string }>(
          "select id, status from messages where direction = 'outbound'",
        )
        return rows.every((row) => ['delivered', 'failed'].includes(row.status)) && rows
      },
      'every message has its final state',
      180_000,
    )

    expect(rows.map((row) => row.id).sort()).toEqual(ids.sort())
    const takings = operator.taken
      .filter((handover) => !refused.has(handover))
      .map((handover) => handover.body.biz_opaque_callback_data)
    expect(new Set(takings).size, 'no message reached the operator twice').toBe(takings.length)
    expect(new Set(rows.filter((row) => row.status === 'delivered').map((row) => row.id))).toEqual(reported)
    const events = await eventsOf(admin, shop.workspaceId)
    for (const row of rows)
      expect(
        events
          .filter(({ data }) => data.messageId === row.id)
          .map(({ name, data }) => data.status ?? data.errorTitle ?? name),
      ).toEqual(row.status === 'delivered' ? ['delivered'] : ['failed', 'Unconfirmed'])
    recordFigures({
      rows: '2, 10',
      fault: 'kill -9 amid the hand-over; the operator hangs up, lies, throttles',
      rounds: kills,
      kills,
      accepted: ids.length,
      lost: ids.length - rows.length,
      doubled: takings.length - new Set(takings).size,
    })
  },
  timeFor(360_000),
)

test('a process that sleeps past its leases wakes while another has taken over: each message goes out once', async () => {
  const second = await newInstallation(installation.settings())
  const sleeper = await installation.start()
  onTestFinished(() => second.remove())
  const { admin } = sleeper
  const shop = await openShop(admin, sleeper.url)
  await shop.writesAll(CUSTOMERS)
  operator.answer((handover) => {
    setTimeout(() => accept(handover), 200)
  })
  operator.taken.length = 0
  const ids: string[] = []
  for (let i = 0; i < 10; i++) {
    const answers = await Promise.all(
      CUSTOMERS.map((to) => shop.post('/send', { to, type: 'text', text: String(i) })),
    )
    ids.push(...answers.map((answer) => answer.body.messageId))
  }
  await until(() => operator.taken.length > 20, 'hand-overs are running')
  process.kill(sleeper.pid, 'SIGSTOP')
  const helper = await second.start()
  const listUnsubmitted = async () =>
    admin.query<{ id: string }>(
      "select id from messages where direction = 'outbound' and workspace_id = $1 and chanmid is null",
      [shop.workspaceId],
    )
  // The messages whose calls the sleeper had begun stay with it; the other process takes over the rest.
  await until(async () => (await listUnsubmitted()).length < 80, 'the other process continues')
  process.kill(sleeper.pid, 'SIGCONT')
  await until(async () => (await listUnsubmitted()).length === 0, 'all messages are submitted')
  const takings = operator.taken.map((handover) => handover.body.biz_opaque_callback_data)
  expect(takings.sort()).toEqual(ids.sort())
  await helper.end('SIGTERM')
  await sleeper.end('SIGTERM')
})
