/**
 * kill -9 during calls to the operator: only calls that were on the wire may have an unknown result
 * (docs/reliability.md row 2).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { setPhoneNumber } from '../../src/modules/platform/workspaces/operations/number-credentials.ts'
import { clientOf, SECRET_KEY } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { type KillableServer, killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { accept, cloudShop, standInOperator } from '../support/stand-in-operator.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'

const CLIENTS = 64
const SHOPS = 4
/** The operator answers within this many milliseconds. */
const ANSWER_MS = 40
/** A lease lasts 95 seconds. Messages that are submitted this much earlier didn't wait for its end. */
const RESUMED_WITHIN_MS = 30_000
const CUSTOMERS = Array.from({ length: 200 }, (_, i) => `+9198223456${String(i).padStart(3, '0')}`)
const PEOPLE = 3_000

let operator: Awaited<ReturnType<typeof standInOperator>>
beforeAll(async () => {
  operator = await standInOperator()
})
afterAll(() => operator?.close())
const installation = killableInstallation(() => operator.env)
/** The service of the current test. */
let server: KillableServer

/** A workspace whose number may send 1,000 messages a second. */
async function openShop() {
  const shop = await cloudShop({
    system: server.admin.system,
    workspace: async () => {
      const workspace = await newShop(server.admin)
      return { ...workspace, ...clientOf(server.url, workspace.apiKey) }
    },
  })
  await server.admin.system((tx) =>
    setPhoneNumber(
      tx,
      { phoneNumberId: shop.cloudNumberId },
      { throughput: 1_000 },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )
  return shop
}

type Row = {
  id: string
  leasedUntil: Date | null
  chanmid: string | null
  runAt: Date | null
  status: string
}
const messages = () =>
  server.admin.query<Row>(
    "select id, leased_until, chanmid, run_at, status from messages where direction = 'outbound'",
  )
const isLeased = (row: Row): boolean => row.runAt !== null && row.leasedUntil !== null

/** The messages that the operator has accepted, by our message id. */
const takenIds = (): string[] => operator.taken.map((handover) => handover.body.biz_opaque_callback_data)

/** Counts the operator's calls under way. */
function answerSlowly(random: () => number) {
  const underWay = new Set<string>()
  operator.answer((handover) => {
    const id = handover.body.biz_opaque_callback_data
    underWay.add(id)
    setTimeout(() => {
      underWay.delete(id)
      accept(handover)
    }, random() * ANSWER_MS)
  })
  return underWay
}

/**
 * The results of the messages that were leased at a kill, after the next process has submitted those that it
 * may.
 */
async function resumeAfterKill(atKill: Row[]) {
  const leases = new Map(atKill.filter(isLeased).map((row) => [row.id, row.leasedUntil!.getTime()]))
  const isOfKilled = (row: Row): boolean => isLeased(row) && leases.get(row.id) === row.leasedUntil?.getTime()
  const takenBefore = operator.taken.length
  const begunMs = performance.now()
  const rows = await until(
    async () => {
      const rows = await messages()
      const isOver = rows.every((row) => row.runAt === null || isOfKilled(row))
      // It checks the previous process's messages before it submits any.
      if (!isOver && operator.taken.length === takenBefore) return false
      return rows.every((row) => !leases.has(row.id) || row.runAt === null || isOfKilled(row)) && rows
    },
    'the operator has the leased messages whose calls had not started',
    RESUMED_WITHIN_MS,
  )
  const unknown = rows.filter(isOfKilled).map(({ id }) => id)
  return { rows, leased: leases.size, unknown, resumedMs: performance.now() - begunMs }
}

/** Returns all messages once none of them waits. */
const waitUntilDrained = () =>
  until(async () => {
    const rows = await messages()
    return rows.every(({ runAt }) => runAt === null) && rows
  }, 'the operator has all messages')

/** Adds up the results of the rounds of one test. */
function figuresOf(label: string) {
  let [rounds, leased, onTheWire, unknown] = [0, 0, 0, 0]
  const recoveriesMs: number[] = []
  return {
    add(round: { leased: number; onTheWire: number; unknown: string[]; resumedMs: number }) {
      rounds++
      leased += round.leased
      onTheWire += round.onTheWire
      unknown += round.unknown.length
      recoveriesMs.push(Math.round(round.resumedMs))
    },
    record(rows: Row[]) {
      const ids = takenIds()
      const lost = rows.filter((row) => row.chanmid === null && !ids.includes(row.id)).length
      const doubled = ids.length - new Set(ids).size
      recordFigures({
        rows: '2, 10',
        fault: label,
        rounds,
        kills: rounds,
        accepted: rows.length,
        lost,
        doubled,
        recoveriesMs,
        note: `${leased} leased at the kills, ${onTheWire} on the wire, ${unknown} unknown`,
      })
      expect([lost, doubled]).toEqual([0, 0])
    },
  }
}

/** Kills the service, starts it again, and checks that only calls that the operator received are unknown. */
async function killAndResume(underWay: Set<string>) {
  const unanswered = new Set(underWay)
  const receivedBefore = operator.taken.length
  await server.kill()
  const atKill = await messages()
  const received = new Set(takenIds())
  // Calls that reached the operator while the process died were on the wire, too.
  for (const id of takenIds().slice(receivedBefore)) unanswered.add(id)
  await server.restart()
  const { rows, leased, unknown, resumedMs } = await resumeAfterKill(atKill)
  // A call is on the wire until its answer has been read, so an answer that the dead process never read
  // counts, too.
  const settled = new Set(rows.flatMap(({ id, runAt }) => (runAt === null ? [id] : [])))
  const onTheWire = [...received].filter((id) => !settled.has(id) || unanswered.has(id)).length
  console.log(
    `${leased} leased at the kill, ${onTheWire} on the wire (${unanswered.size} with the operator, the others answered and not read), ${unknown.length} unknown, resumed in ${Math.round(resumedMs)} ms`,
  )
  expect(
    unknown.filter((id) => !received.has(id)),
    'unknown, and never on the wire',
  ).toEqual([])
  expect(unknown.length).toBeLessThanOrEqual(onTheWire)
  // Other tests cover how unknown messages end.
  await server.admin.query(
    `update messages set status = 'failed', run_at = null, leased_until = null where id = any($1)`,
    [unknown],
  )
  return { leased, onTheWire, unknown, resumedMs }
}

test(
  'kill -9 under sends of 64 clients: no more messages are unknown than calls were on the wire, and the others go out immediately',
  async () => {
    const random = randomFrom(seedOf('killed calls'))
    const figures = figuresOf('kill -9 under sends, c=64')
    server = await installation.start()
    const shops = await Promise.all(Array.from({ length: SHOPS }, openShop))
    for (const shop of shops) await shop.writesAll(CUSTOMERS)
    const underWay = answerSlowly(random)
    for (const round of roundsOf(3)) {
      let stopping = false
      const send = async (client: number): Promise<void> => {
        for (let i = client; !stopping; i += CLIENTS) {
          const to = CUSTOMERS[i % CUSTOMERS.length]!
          const body = { to, type: 'text', text: `${round}.${i}` }
          const answer = await shops[i % SHOPS]!.post('/send', body, { idempotencyKey: randomUUID() }).catch(
            () => undefined,
          )
          if (answer?.status === 429) await wait(50)
        }
      }
      const takenBefore = operator.taken.length
      const clients = Array.from({ length: CLIENTS }, (_, client) => send(client))
      await until(
        () => operator.taken.length >= takenBefore + 150 + Math.floor(random() * 150),
        'calls are running',
      )
      stopping = true
      const killed = await killAndResume(underWay)
      await Promise.all(clients)
      figures.add(killed)
    }
    figures.record(await waitUntilDrained())
  },
  timeFor(240_000),
)

test(
  'kill -9 in a campaign: no more messages are unknown than calls were on the wire, and the others go out immediately',
  async () => {
    const random = randomFrom(seedOf('killed calls of a campaign'))
    const figures = figuresOf('kill -9 amid the calls of a campaign')
    server = await installation.start()
    const shop = await openShop()
    await server.admin.query(
      `insert into contacts (workspace_id, id, phone, opt_in_status, created_at, updated_at)
       select $1, ('0197a1b2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '+9180' || lpad(n::text, 8, '0'), 'opted_in', $2, $2
       from generate_series(1, $3::int) n`,
      [shop.workspaceId, new Date(), PEOPLE],
    )
    await storeTemplate(server.admin, shop, {
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Lights' }],
    })
    const [template] = await server.admin.query<{ id: string }>(
      'select id from templates where workspace_id = $1',
      [shop.workspaceId],
    )
    const underWay = answerSlowly(random)
    const response = await shop.post(
      '/broadcasts',
      {
        name: 'Lights',
        templateId: template!.id,
        phoneNumberId: shop.cloudNumberId,
        segment: {},
        sendNow: true,
      },
      { idempotencyKey: randomUUID() },
    )
    expect(response.status, response.text).toBe(201)
    const before = operator.taken.length
    for (const round of roundsOf(2)) {
      const reached = before + round * (300 + Math.floor(random() * 500))
      if (reached > before + PEOPLE - 500) break
      await until(() => operator.taken.length >= reached, 'the campaign continues')
      figures.add(await killAndResume(underWay))
    }
    figures.record(await waitUntilDrained())
  },
  timeFor(240_000),
)
