/**
 * The operator throttles, fails, closes connections after the effect, and reports each message in any order
 * and repeatedly. Calls to and from it and requests of callers are cut anywhere (docs/reliability.md rows 2,
 * 9, 10).
 */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { later, MINUTE_MS, systemClock } from '../../src/core/clock.ts'
import { asciiJson, signWebhook } from '../../src/operator/webhook-signature.ts'
import { type Answered, boot, type Client, clientOf, type TestParley } from '../support/boot.ts'
import { recordFigures, roundsOf, thorough, timeFor } from '../support/fault-run.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import {
  acceptIn,
  FORMS,
  inbound,
  receipt,
  refuseWith,
  standInOperator,
  type Taken,
} from '../support/stand-in-operator.ts'
import { ENDINGS, randomCuts, tcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const MESSAGES = 80
const CUSTOMERS = Array.from({ length: 12 }, (_, i) => `+9198123456${String(i).padStart(2, '0')}`)
const STATES = ['sent', 'delivered', 'read'] as const

const clock = {
  aheadMs: 0,
  now: () => later(systemClock.now(), clock.aheadMs),
  monotonicMs: systemClock.monotonicMs,
}
type Way = Awaited<ReturnType<typeof tcpProxy>>
let operator: Awaited<ReturnType<typeof standInOperator>>
let wayOut: Way
let wayIn: Way
let parley: TestParley
beforeAll(async () => {
  operator = await standInOperator()
  wayOut = await tcpProxy({ reach: () => connect(operator.port, '127.0.0.1') })
  parley = await boot({ env: { PARLEY_OPERATOR_URL: `http://127.0.0.1:${wayOut.port()}` }, clock })
  wayIn = await tcpProxy({ reach: () => connect(Number(new URL(parley.url).port), '127.0.0.1') })
})
afterAll(async () => {
  await wayIn?.close()
  await parley?.close()
  await wayOut?.close()
  await operator?.close()
})

/** Repeats a request until there is an answer, as callers and the operator do. */
const retryUntilAnswered = (label: string, askOnce: () => Promise<Answered>): Promise<Answered> =>
  until(async () => {
    const answer = await askOnce()
    if (![200, 409, 503].includes(answer.status)) throw new Error(`${answer.status}: ${answer.text}`)
    return answer.status === 200 && answer
  }, label)

/** Some of each state, in any order. */
function shuffleStates(random: () => number): (typeof STATES)[number][] {
  const reported = [...STATES, ...STATES.filter(() => random() < 0.4)]
  return reported
    .map((state) => ({ state, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ state }) => state)
}

test(
  'however the operator behaves and connections break, no recipient gets a message twice and each message reaches a final state',
  async () => {
    const random = randomFrom(seedOf('operator moods'))
    const shop = await parley.workspace()
    const number = await connectNumber(parley, shop)
    await number.report('messages', {
      messages: CUSTOMERS.flatMap((customer) => inbound(customer, 'hello').messages),
    })
    const throughTheWay: Client = clientOf(`http://127.0.0.1:${wayIn.port()}`, shop.key)

    /** The messages that the operator carried out: it reports all of them, and no others. */
    const effects: string[] = []
    const reporting: Promise<unknown>[] = []
    let hasRecovered = false
    const reportOn = ({ chanmid, body }: Taken): Promise<unknown> => {
      const metadata = { phone_number_id: number.operatorId, display_phone_number: number.displayNumber }
      const ids = { chanmid, messageId: body.biz_opaque_callback_data }
      return Promise.all(
        shuffleStates(random).map((state) => {
          const value = { metadata, ...receipt(state, ids) }
          const text = asciiJson({
            object: 'whatsapp_business_account',
            entry: [{ id: number.accountId, changes: [{ field: 'messages', value }] }],
          })
          const headers = { 'x-hub-signature-256': signWebhook(text, number.appSecret) }
          return retryUntilAnswered('the callback takes it', () =>
            throughTheWay.post(`/api/operator/${shop.workspaceId}`, text, { headers }),
          )
        }),
      )
    }
    /**
     * Messages from this number only: an earlier attempt of this test may have left messages of another
     * number.
     */
    const isOurs = ({ request }: Taken): boolean => request.url?.includes(number.operatorId) === true
    operator.answer(async (handover) => {
      if (!isOurs(handover)) return acceptIn('by length')(handover)
      const mood = hasRecovered ? 1 : random()
      const { request, response } = handover
      if (mood < 0.03) return refuseWith(429, { code: 130429, message: 'Rate limit hit' })(handover)
      if (mood < 0.06) return refuseWith(400, { code: 131056, message: 'pair rate limit hit' })(handover)
      if (mood < 0.09) return refuseWith(500, { code: 131016, message: 'Service unavailable' })(handover)
      if (mood < 0.11) return void response.writeHead(503).end('<html>Unavailable</html>')
      if (mood < 0.13) return void request.socket.destroy()
      effects.push(handover.body.biz_opaque_callback_data)
      const reported = reportOn(handover)
      reporting.push(reported)
      // The operator has reported the message before it answers, or reports it meanwhile.
      if (mood < 0.4) await reported
      if (mood < 0.45) request.socket.destroy()
      // The operator accepts the message and never answers: the call times out.
      else if (!thorough || mood > 0.46) acceptIn(FORMS[Math.floor(random() * FORMS.length)]!)(handover)
    })

    const ids: string[] = []
    let rounds = 0
    for (const round of roundsOf(1)) {
      const breaks = randomCuts(random, 0.15, 350, ENDINGS.slice(0, 2))
      // Each of these costs a call of 30 seconds, during which a failing number starts no other call.
      const silences = randomCuts(random, thorough ? 0.02 : 0, 350, ENDINGS.slice(2))
      wayOut.corrupt((bytes) => breaks(bytes) ?? silences(bytes))
      wayIn.corrupt(randomCuts(random, 0.1, 350, ENDINGS.slice(0, 2)))
      wayOut.delay(random() * 30)
      const answers = await Promise.all(
        Array.from({ length: MESSAGES }, (_, i) => {
          const idempotencyKey = randomUUID()
          const body = { to: CUSTOMERS[i % CUSTOMERS.length], type: 'text', text: `${round}.${i}` }
          return retryUntilAnswered('the message is taken', () =>
            throughTheWay.post('/send', body, { idempotencyKey }),
          )
        }),
      )
      ids.push(...answers.map((answer) => answer.body.messageId))
      const reached = ids.length * (thorough ? 0.6 : 0.3)
      await until(
        () => {
          // Time runs five times as fast, so that pauses end soon.
          clock.aheadMs += 100
          return operator.taken.filter(isOurs).length >= reached
        },
        'many messages are submitted',
        // A call with a cut answer takes 30 seconds, and a failing number makes one call at a time.
        240_000,
      )
      rounds++
    }
    hasRecovered = true
    wayOut.corrupt(() => undefined)
    wayOut.delay(0)
    const rows = await until(
      async () => {
        await Promise.all(reporting)
        const [left] = await parley.system((tx) =>
          tx.sql<{ count: number }>(
            'select count(*)::int as count from operator_updates where workspace_id = $1',
            [shop.workspaceId],
          ),
        )
        if (left!.count > 0) return false
        const rows = await parley.system((tx) =>
          tx.sql<{ id: string; status: string; title: string }>(
            `select id, status, error->>'title' as title from messages where direction = 'outbound' and workspace_id = $1`,
            [shop.workspaceId],
          ),
        )
        if (rows.every((row) => row.status === 'read' || row.status === 'failed')) return rows
        // As if the wait for a receipt and the length of a pause had passed.
        clock.aheadMs += MINUTE_MS
        await wait(1_000)
        return false
      },
      'every message has its end',
      120_000,
    )

    expect(rows.map((row) => row.id).sort(), 'taken, and stored').toEqual(ids.sort())
    expect(new Set(effects).size, 'no message went out twice').toBe(effects.length)
    expect(new Set(rows.flatMap((row) => (row.status === 'read' ? [row.id] : [])))).toEqual(new Set(effects))
    const reported = Map.groupBy(await eventsOf(parley, shop.workspaceId), ({ data }) => data.messageId)
    let eventsMissing = 0
    for (const { id, status, title } of rows) {
      const events = reported.get(id)?.filter(({ name }) => name.startsWith('message.')) ?? []
      const states = events.flatMap(({ name, data }) => (name === 'message.status' ? [data.status] : []))
      if (states.at(-1) !== status) eventsMissing++
      if (status === 'failed') {
        expect(title).toMatch(/^(Unconfirmed|Service unavailable)$/)
        expect(events.map(({ name }) => name)).toEqual(['message.status', 'message.failed'])
      } else
        expect(states, 'never backwards, each once').toEqual(STATES.filter((state) => states.includes(state)))
    }
    expect(eventsMissing).toBe(0)
    expect(wayIn.cuts() + wayOut.cuts()).toBeGreaterThan(0)
    recordFigures({
      rows: '2, 9, 10',
      fault: 'an operator in every mood over ways that break',
      rounds,
      accepted: ids.length,
      lost: ids.length - rows.length,
      doubled: effects.length - new Set(effects).size,
      eventsMissing,
      note: `${wayIn.cuts()} exchanges cut on the way in, ${wayOut.cuts()} on the way out; ${rows.length - effects.length} failed`,
    })
  },
  timeFor(420_000),
)
