/**
 * A workspace moves between two installations under load, while the command and the databases are killed
 * (docs/decisions/workspace-moves.md). Clients follow `workspace_moved`, and repeat what was not answered.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type Answered,
  type Body,
  clientOf,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../support/boot.ts'
import { approvedTemplate } from '../support/campaigns.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { kill } from '../support/installation-kills.ts'
import { type Admin, newShop, openAdmin } from '../support/load.ts'
import { type ConnectedNumber, connectNumber } from '../support/operator-webhooks.ts'
import { makeReceivers, type Receiver } from '../support/receiver.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { inbound, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/parley')
/** Many, because the operator limits the messages to each. */
const CUSTOMERS = Array.from({ length: 160 }, (_, i) => `+919812345${String(i).padStart(3, '0')}`)
const PEOPLE = 600
const PACE_MS = 60
const RETRY_MS = 100
const SETTLED_WITHIN_MS = 180_000

type Place = { installation: Installation; server: ServerProcess; databaseUrl: string }

let operator: Awaited<ReturnType<typeof standInOperator>>
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let places: Place[]
beforeAll(async () => {
  operator = await standInOperator()
  receivers = await makeReceivers()
  const env = { ...operator.env, ...receivers.env }
  places = await Promise.all(
    [0, 1].map(async () => {
      const installation = await newInstallation(env)
      const server = await installation.start()
      return { installation, server, databaseUrl: installation.databaseUrl() }
    }),
  )
}, 180_000)
afterAll(async () => {
  for (const { installation } of places ?? []) await installation.remove()
  await receivers?.close()
  await operator?.close()
})

/** A client that follows the workspace to its place, and repeats a request with the same key until it is answered. */
function followingClient(key: string, stopped: () => boolean) {
  let url = places[0]!.server.url
  const statuses = new Map<number, number>()
  const post = async (path: string, body: object): Promise<Answered | undefined> => {
    const idempotencyKey = randomUUID()
    for (let attempts = 0; ; attempts++) {
      const answer = await clientOf(url, key)
        .post(path, body, { idempotencyKey })
        .catch(() => undefined)
      statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1)
      if (answer?.status === 421) url = answer.body.address
      else if (answer && ![409, 429, 500, 503].includes(answer.status)) return answer
      if (stopped() && attempts > 600) return undefined
      await wait(RETRY_MS)
    }
  }
  return { post, statuses, url: () => url }
}

type Ledger = { sent: Map<string, string>; contacts: Set<string>; inbound: Set<string> }

/** Sends, creates contacts, and lets customers write, until stopped. */
function startWork(shop: { key: string }, number: ConnectedNumber) {
  let stopping = false
  const ledger: Ledger = { sent: new Map(), contacts: new Set(), inbound: new Set() }
  const client = followingClient(shop.key, () => stopping)
  const send = async (): Promise<void> => {
    for (let n = 0; !stopping; n++) {
      const text = `message ${randomUUID()}`
      const answer = await client.post('/send', { to: CUSTOMERS[n % CUSTOMERS.length], type: 'text', text })
      expect(answer?.status, answer?.text).toBe(200)
      ledger.sent.set(text, answer!.body.messageId)
      await wait(PACE_MS)
    }
  }
  const create = async (): Promise<void> => {
    for (let n = 0; !stopping; n++) {
      const answer = await client.post('/contacts', { phone: `+9170${String(n).padStart(8, '0')}` })
      expect(answer?.status, answer?.text).toBe(201)
      ledger.contacts.add(answer!.body.contact.id)
      await wait(PACE_MS)
    }
  }
  // The operator knows the first address only, and repeats what was not answered.
  const write = async (): Promise<void> => {
    for (let n = 0; !stopping; n++) {
      const text = `customer ${randomUUID()}`
      const body = saidBy(number, CUSTOMERS[n % CUSTOMERS.length]!, text)
      await until(
        async () => (await number.post(body).catch(() => undefined))?.status === 200,
        'the callback',
      )
      ledger.inbound.add(text)
      await wait(PACE_MS)
    }
  }
  const running = Promise.all([send(), send(), create(), write()])
  running.catch(() => {})
  return {
    ledger,
    client,
    stop: async () => {
      stopping = true
      await running
    },
  }
}

const saidBy = ({ accountId, displayNumber, operatorId }: ConnectedNumber, from: string, text: string) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: accountId,
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { display_phone_number: displayNumber, phone_number_id: operatorId },
            contacts: [{ wa_id: from.slice(1), profile: { name: 'Asha' } }],
            ...inbound(from, text),
          },
        },
      ],
    },
  ],
})

/** Starts the command that moves the workspace. */
function startMove(workspaceId: string, from: Place, to: Place) {
  const words = [
    'workspace',
    'move',
    workspaceId,
    '--to-database',
    to.databaseUrl,
    '--to-address',
    to.server.url,
    '--to-data-dir',
    to.installation.dataDir,
    '--json',
  ]
  const child: ChildProcess = spawn(PROGRAM, words, {
    env: {
      PATH: process.env.PATH,
      PARLEY_DATA_DIR: from.installation.dataDir,
      PARLEY_SECRET_KEY: SECRET_KEY,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return {
    ended,
    answer: (): Body => JSON.parse(stdout),
    errors: () => stderr,
    // The launcher runs the command in a child.
    kill: () => process.kill(-child.pid!, 'SIGKILL'),
  }
}

const FAULTS = ['the command', 'the old database', 'the new database', 'the command twice'] as const

type Way = { workspaceId: string; from: Place; to: Place }

/** Moves the workspace without a fault, and returns how many milliseconds the command takes. */
async function timeMove({ workspaceId, from, to }: Way): Promise<number> {
  const startedMs = performance.now()
  const move = startMove(workspaceId, from, to)
  expect(await move.ended, move.errors()).toBe(0)
  return performance.now() - startedMs
}

/**
 * Moves the workspace with this fault at a random moment of the first `moveMs`. Returns how long it was paused, and how often
 * the command ran.
 */
async function moveDespite(
  fault: (typeof FAULTS)[number],
  { workspaceId, from, to, random, moveMs }: Way & { random: () => number; moveMs: number },
): Promise<{ pausedMs: number; runs: number }> {
  let kills = fault === 'the command twice' ? 2 : fault === 'the command' ? 1 : 0
  let runs = 0
  const broken = fault === 'the old database' ? from : fault === 'the new database' ? to : undefined
  if (broken)
    void wait(random() * moveMs).then(() =>
      kill('the database', broken.installation, broken.server, () => {}),
    )
  const deadline = performance.now() + SETTLED_WITHIN_MS
  for (;;) {
    const move = startMove(workspaceId, from, to)
    runs++
    if (kills-- > 0) {
      await Promise.race([wait(random() * moveMs), move.ended])
      try {
        move.kill()
      } catch {
        // It has ended.
      }
    }
    const code = await move.ended
    if (code === 0) return { pausedMs: move.answer().pausedMs, runs }
    if (performance.now() > deadline) throw new Error(`the move doesn't end: ${move.errors()}`)
    await wait(RETRY_MS * 5)
  }
}

type Counts = { text: string; count: number }[]

test(
  'a workspace moves under load, and the command or a database is killed: nothing is lost or doubled, and it lives in one place',
  async () => {
    const random = randomFrom(seedOf('workspace move'))
    const admins: Admin[] = places.map(({ installation }) => openAdmin(installation.databaseUrl()))
    onTestFinished(async () => {
      for (const admin of admins) await admin.close()
    })
    const workspace = await newShop(admins[0]!, {}, { messageAllowance: 1_000_000 })
    const { workspaceId } = workspace
    const shop = { ...workspace, ...clientOf(places[0]!.server.url, workspace.apiKey) }
    const parley = { system: admins[0]!.system, anonymous: clientOf(places[0]!.server.url, '') }
    const number = await connectNumber(parley as unknown as TestParley, shop as unknown as TestWorkspace)
    const receiver: Receiver = await receivers.open()
    const hook = await shop.post('/webhooks', { url: receiver.url, events: ['contact.created'] })
    expect(hook.status, hook.text).toBe(201)
    for (const customer of CUSTOMERS)
      expect((await number.post(saidBy(number, customer, 'hello'))).status).toBe(200)
    await until(async () => {
      const [row] = await admins[0]!.query<{ count: number }>(
        'select count(*)::int as count from conversations where workspace_id = $1',
        [workspaceId],
      )
      return row!.count === CUSTOMERS.length
    }, 'the customers have written')
    await admins[0]!.query(
      `insert into contacts (workspace_id, id, phone, opt_in_status, created_at, updated_at)
       select $1, gen_random_uuid(), '+9180' || lpad(n::text, 8, '0'), 'opted_in', now(), now()
       from generate_series(1, $2::int) n`,
      [workspaceId, PEOPLE],
    )
    const templateId = await approvedTemplate(parley, shop, { text: 'Lights' })
    const campaign = {
      name: 'Lights',
      templateId,
      phoneNumberId: number.phoneNumberId,
      segment: { contactIds: [] },
      confirmNewRecipients: true,
      sendNow: true,
    }
    const started = await shop.post('/broadcasts', { ...campaign, segment: {} })
    expect(started.status, started.text).toBe(201)

    const work = startWork({ key: workspace.apiKey }, number)
    const figures = { pausedMs: [] as number[], runs: 0, rounds: 0 }
    const moveMs = await timeMove({ workspaceId, from: places[0]!, to: places[1]! })
    let [from, to] = [places[1]!, places[0]!]
    for (const round of roundsOf(1)) {
      const fault = FAULTS[Math.floor(random() * FAULTS.length)]!
      await wait(1_000 + random() * 1_000)
      const { pausedMs, runs } = await moveDespite(fault, { workspaceId, from, to, random, moveMs })
      console.info(`round ${round}, ${fault}: paused for ${pausedMs} ms, ${runs} runs`)
      figures.pausedMs.push(pausedMs)
      figures.runs += runs
      figures.rounds = round
      ;[from, to] = [to, from]
    }
    await work.stop()

    const [live, left] = from === places[0] ? [admins[0]!, admins[1]!] : [admins[1]!, admins[0]!]
    const textsOf = (direction: string) =>
      live.query<Counts[number]>(
        `select coalesce(content ->> 'body', content ->> 'text') as text, count(*)::int as count from messages
         where workspace_id = $1 and direction = $2 group by 1`,
        [workspaceId, direction],
      )
    const { ledger } = work
    const countOf = async (admin: Admin, from: string): Promise<number> =>
      (await admin.query<{ count: number }>(`select count(*)::int as count from ${from}`, [workspaceId]))[0]!
        .count
    const readWaiting = async () => ({
      kept: await countOf(live, 'kept_callbacks where workspace_id = $1'),
      keptByOther: await countOf(left, 'kept_callbacks where workspace_id = $1'),
      messages: await countOf(live, 'messages where workspace_id = $1 and run_at is not null'),
      reports: await countOf(live, 'operator_updates where workspace_id = $1 and failed_at is null'),
      deliveries: await countOf(live, 'deliveries where workspace_id = $1 and run_at is not null'),
    })
    let waiting: Record<string, number> = {}
    await until(
      async () => {
        waiting = await readWaiting()
        return Object.values(waiting).every((count) => count === 0)
      },
      'everything is done',
      SETTLED_WITHIN_MS,
    ).catch((error: unknown) => {
      throw new Error(`still waiting: ${JSON.stringify(waiting)}`, { cause: error })
    })
    const outbound = new Map((await textsOf('outbound')).map(({ text, count }) => [text, count]))
    const incoming = new Map((await textsOf('inbound')).map(({ text, count }) => [text, count]))
    const takenIds = operator.taken.map(({ body }) => body.biz_opaque_callback_data)
    const submitted = new Set(takenIds)
    const contacts = await live.query<{ id: string }>('select id from contacts where workspace_id = $1', [
      workspaceId,
    ])
    const known = new Set(contacts.map(({ id }) => id))
    const notified = receiver.received.map(({ body }) => body.data.contactId as string)
    const lost = [
      ...[...ledger.sent].filter(([text, id]) => !outbound.has(text) || !submitted.has(id)),
      ...[...ledger.inbound].filter((text) => !incoming.has(text)),
      ...[...ledger.contacts].filter((id) => !known.has(id) || !notified.includes(id)),
    ]
    const people = operator.taken.filter(({ body }) => body.type === 'template').map(({ body }) => body.to)
    const doubled = [
      ...[...ledger.sent.keys()].filter((text) => (outbound.get(text) ?? 0) > 1),
      ...[...ledger.inbound].filter((text) => (incoming.get(text) ?? 0) > 1),
      ...takenIds.filter((id, i) => takenIds.indexOf(id) !== i),
      ...people.filter((phone, i) => people.indexOf(phone) !== i),
    ]
    recordFigures({
      rows: '1, 2, 9',
      fault: 'a workspace moves under load; the command and the databases are killed',
      rounds: figures.rounds,
      kills: figures.rounds,
      accepted: ledger.sent.size + ledger.inbound.size + ledger.contacts.size,
      lost: lost.length,
      doubled: doubled.length,
      recoveriesMs: figures.pausedMs,
      note: `${figures.runs} runs of the command; webhooks repeated: ${notified.length - new Set(notified).size}; campaign: ${people.length} of ${PEOPLE + CUSTOMERS.length}`,
    })
    expect(lost).toEqual([])
    expect(doubled).toEqual([])
    expect(new Set(people).size).toBeGreaterThanOrEqual(PEOPLE)
    // In exactly one place.
    expect((await clientOf(from.server.url, workspace.apiKey).get('/contacts')).status).toBe(200)
    expect((await clientOf(to.server.url, workspace.apiKey).get('/contacts')).status).toBe(421)
  },
  timeFor(600_000),
)
