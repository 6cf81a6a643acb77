/**
 * The trace of a message is the history that the operator saw: its own log of calls is compared with the traces, over refusals,
 * faults, broken connections, kill -9 during a call, and receipts in any order and repeatedly.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { newShop, openAdmin } from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Installation, newInstallation } from '../support/server-process.ts'
import { accept, cloudShop, receipt, refuseWith, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

const MESSAGES = 60
const CUSTOMERS = Array.from({ length: 20 }, (_, i) => `+9198123457${String(i).padStart(2, '0')}`)
const STATES = ['sent', 'delivered', 'read'] as const
/** The clocks of the two processes and the time on the way may differ by this much. */
const NEAR_MS = 3_000

let operator: Awaited<ReturnType<typeof standInOperator>>
let database: TestDatabase
let installation: Installation
beforeAll(async () => {
  operator = await standInOperator()
  database = await createTestDatabase()
  installation = await newInstallation({ ...operator.env, DATABASE_URL: database.url })
})
afterAll(async () => {
  await installation?.remove()
  await operator?.close()
  await database?.drop()
})

type Call = { at: number; http: number | null; code: number | null }
type Step = {
  at: string
  kind: string
  call: { attempt: number; result: string; httpStatus: number | null; errorCode: number | null } | null
  report: { status: string } | null
}

test(
  'a trace has every call that the operator received, with its answer, and each reported state once, in the order of arrival',
  async () => {
    const random = randomFrom(seedOf('traces'))
    const admin = openAdmin(database.url)
    let server = await installation.start()
    onTestFinished(async () => {
      await installation.end()
      await admin.close()
    })
    const shop = await cloudShop({
      system: admin.system,
      workspace: async () => {
        const workspace = await newShop(admin)
        return { ...workspace, ...clientOf(server.url, workspace.apiKey) }
      },
    })
    for (const customer of CUSTOMERS) await shop.writes(customer)
    /** The operator's own log. */
    const log = new Map<string, Call[]>()
    const reported = new Map<string, string[]>()
    let hasRecovered = false
    let reporting = 0
    operator.answer(async (handover) => {
      const id: string = handover.body.biz_opaque_callback_data
      const call: Call = { at: Date.now(), http: null, code: null }
      log.set(id, [...(log.get(id) ?? []), call])
      const refuse = async (http: number, code: number) => {
        Object.assign(call, { http, code })
        await refuseWith(http, { code, message: `error ${code}` })(handover)
      }
      const chance = hasRecovered ? 1 : random()
      if (chance < 0.08) return refuse(429, 131056)
      if (chance < 0.16) return refuse(500, 131016)
      if (chance < 0.2) return void handover.request.socket.destroy()
      if (chance < 0.24) {
        call.http = 502
        return void handover.response.writeHead(502).end('Bad gateway')
      }
      const order = [...STATES].sort(() => random() - 0.5)
      reporting++
      for (const status of [...order, order[0]!]) {
        await shop.operatorSays(receipt(status, { chanmid: handover.chanmid, messageId: id }))
        if (!reported.get(id)?.includes(status)) reported.set(id, [...(reported.get(id) ?? []), status])
      }
      reporting--
      call.http = 200
      setTimeout(() => accept(handover), random() * 60)
    })

    const ids: string[] = []
    let kills = 0
    for (const round of roundsOf(2)) {
      const reached = operator.taken.length + Math.floor(MESSAGES * 0.5)
      for (let i = 0; i < MESSAGES; i += 20) {
        const answers = await Promise.all(
          CUSTOMERS.map((to, n) => {
            const idempotencyKey = randomUUID()
            return until(async () => {
              const body = { to, type: 'text', text: `${round}.${i + n}` }
              const answer = await clientOf(server.url, shop.apiKey).post('/send', body, { idempotencyKey })
              return answer.status === 200 && answer
            }, 'the message is accepted')
          }),
        )
        ids.push(...answers.map((answer) => answer.body.messageId))
      }
      await until(() => operator.taken.length >= reached, 'hand-overs are running')
      await server.end('SIGKILL')
      kills++
      server = await installation.start()
    }
    hasRecovered = true
    const rows = await until(
      async () => {
        await admin.query(
          "update messages set run_at = $1 where status = 'queued' and run_at > $1 and leased_until is null",
          [new Date()],
        )
        const [waiting] = await admin.query<{ count: number }>(
          'select count(*) as count from operator_updates where failed_at is null',
        )
        const rows = await admin.query<{ id: string; status: string; leased: boolean }>(
          "select id, status, leased_until is not null as leased from messages where direction = 'outbound' and workspace_id = $1",
          [shop.workspaceId],
        )
        // Calls without an answer and a receipt wait for their lease, which this test does not await.
        const isSettled = rows.every(({ status, leased }) => status !== 'queued' || leased)
        return waiting!.count === 0 && reporting === 0 && isSettled && rows
      },
      'every message has its outcome, or waits for a report',
      120_000,
    )
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort())

    let unrecorded = 0
    let compared = 0
    for (const id of ids) {
      const { body } = await clientOf(server.url, shop.apiKey).get(`/messages/${id}/trace`)
      const steps: Step[] = body.trace.steps
      const about = JSON.stringify({ id, log: log.get(id), steps }, null, 1)
      const calls = steps.flatMap((step) => (step.call ? [{ ...step.call, at: Date.parse(step.at) }] : []))
      const seen = log.get(id) ?? []
      // A call under way when the process was killed has its step once its end is known.
      const isOpen = body.trace.now !== null && ['call', 'report'].includes(body.trace.now.kind)
      expect(seen.length - calls.length, about).toBeLessThanOrEqual(isOpen ? 1 : 0)
      expect(calls.length, about).toBeLessThanOrEqual(seen.length)
      for (const [i, call] of calls.entries()) {
        expect(Math.abs(call.at - seen[i]!.at), about).toBeLessThan(NEAR_MS)
        expect(call.attempt).toBe(i + 1)
        if (call.result === 'unrecorded') unrecorded++
        else if (call.httpStatus !== null)
          expect([call.httpStatus, call.errorCode], about).toEqual([seen[i]!.http, seen[i]!.code])
        else expect(call.result, about).toBe('unknown')
        compared++
      }
      const states = steps.flatMap((step) => (step.report ? [step.report.status] : []))
      expect(states, about).toEqual(reported.get(id) ?? [])
      expect(
        steps.map(({ at }) => at),
        about,
      ).toEqual(steps.map(({ at }) => at).toSorted())
    }
    expect(compared).toBeGreaterThan(MESSAGES)
    recordFigures({
      rows: '2, 9, 10',
      fault: 'traces while the operator refuses and breaks off, over kill -9',
      rounds: kills,
      kills,
      accepted: ids.length,
      lost: ids.length - rows.length,
      note: `${compared} calls compared with the operator's log, ${unrecorded} without a recorded answer`,
    })
  },
  timeFor(360_000),
)
