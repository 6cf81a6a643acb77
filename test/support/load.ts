/**
 * Sends under load with a ledger: the request under each Idempotency-Key, and its answer. Every key must end
 * as exactly one message, even if a process dies.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { openDatabase } from '../../src/database/database.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import {
  type CreatedWorkspace,
  createWorkspace,
  type NewWorkspace,
  setWorkspace,
  type WorkspacePatch,
} from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { type Client, clientOf, SECRET_KEY } from './boot.ts'
import type { FaultFigures } from './fault-run.ts'
import { eventsOf } from './records.ts'
import { until } from './until.ts'

/** The recipients: messages to the first arrive, messages to the second fail (spec 4.9). */
export const REACHED = '+919812345678'
const UNREACHABLE = '+12125550126'

export type LoadShop = Client & { workspaceId: string }
type Sent = { shop: LoadShop; key: string; to: string }

/** Opens a second connection to the service's database, as the platform. */
export const openAdmin = (url: string) =>
  openDatabase({ url, connections: 2, onError: () => {}, recordEvents: async () => {}, onCommit: () => {} })
export type Admin = ReturnType<typeof openAdmin>

/** Creates a workspace with an admin key, as the CLI does; `patch` is applied to the workspace afterwards. */
export const newShop = (
  admin: Admin,
  input: Partial<NewWorkspace> = {},
  patch: WorkspacePatch = {},
): Promise<CreatedWorkspace & { apiKey: string }> =>
  admin.system(async (tx) => {
    const workspace = await createWorkspace(
      tx,
      { name: 'Shop', ...input },
      new Date(),
      createSealer(SECRET_KEY),
    )
    await setWorkspace(tx, workspace.workspaceId, patch)
    const { apiKey } = await createApiKey(
      tx,
      { workspaceId: workspace.workspaceId, role: 'admin' },
      new Date(),
    )
    return { ...workspace, apiKey }
  })

/** Creates sandboxes with a very large allowance; two customers have messaged each of them. */
export async function openShops(admin: Admin, url: string, count: number): Promise<LoadShop[]> {
  const shops: LoadShop[] = []
  for (let i = 0; i < count; i++) {
    const input = { name: `Shop ${i}`, sandbox: true }
    const { workspaceId, apiKey } = await newShop(admin, input, { messageAllowance: 1_000_000 })
    shops.push({ ...clientOf(url, apiKey), workspaceId })
  }
  await Promise.all(
    shops.map(async (shop) => {
      for (const from of [REACHED, UNREACHABLE])
        expect((await shop.post('/sandbox/inbound', { from, text: 'hello' })).status).toBe(202)
      await until(
        async () => (await shop.get('/conversations')).body.conversations.length === 2,
        'the customers have written',
      )
    }),
  )
  return shops
}

export type Load = {
  /** Message ids by key: requests that were answered with success. */
  acknowledged: Map<string, string>
  /** Requests without an answer: they may have been carried out. */
  unanswered: Map<string, Sent>
  /** Every request. */
  requests: Map<string, Sent>
  /** Answers by status. */
  statuses: Map<number, number>
  /** The longest time until an answer, in milliseconds. */
  slowestMs(): number
  /** Answers with status 503, with their Retry-After. */
  refusals: { retryAfter: string | undefined; error: string }[]
}

export const newLoad = (): Load & { slowest: number } => ({
  acknowledged: new Map(),
  unanswered: new Map(),
  requests: new Map(),
  statuses: new Map(),
  refusals: [],
  slowest: 0,
  slowestMs() {
    return this.slowest
  },
})

/**
 * Sends a request once and records the outcome. Returns false when the shop's bucket is empty or the server
 * is gone.
 */
export async function ask(load: ReturnType<typeof newLoad>, sent: Sent): Promise<boolean> {
  const { shop, key, to } = sent
  load.unanswered.set(key, sent)
  load.requests.set(key, sent)
  const startedMs = performance.now()
  try {
    const answer = await shop.post(
      '/send',
      { to, type: 'text', text: `message ${key}` },
      { idempotencyKey: key },
    )
    load.slowest = Math.max(load.slowest, performance.now() - startedMs)
    load.statuses.set(answer.status, (load.statuses.get(answer.status) ?? 0) + 1)
    if (answer.status === 200) {
      load.acknowledged.set(key, answer.body.messageId)
      load.unanswered.delete(key)
      return true
    }
    if (answer.status === 429) {
      load.unanswered.delete(key)
      return false
    }
    if (answer.status === 503)
      load.refusals.push({ retryAfter: answer.headers['retry-after'], error: answer.body.error })
    return answer.status === 503
  } catch {
    return false
  }
}

const CALLERS_PER_SHOP = 6

/**
 * Sends from all shops in parallel until stopped. A caller stops when its shop's bucket is empty or the
 * server is gone.
 */
export function startLoad(load: ReturnType<typeof newLoad>, shops: LoadShop[], random: () => number) {
  let stopping = false
  const caller = async (shop: LoadShop) => {
    while (!stopping) {
      const sent = { shop, key: randomUUID(), to: random() < 0.1 ? UNREACHABLE : REACHED }
      if (!(await ask(load, sent))) return
      if (load.unanswered.has(sent.key)) await retryUntilAnswered(load, sent, () => stopping)
    }
  }
  const callers = shops.flatMap((shop) => Array.from({ length: CALLERS_PER_SHOP }, () => caller(shop)))
  return {
    /** Stops sending, and waits for the answers that are due. */
    stop: async () => {
      stopping = true
      await Promise.all(callers)
    },
  }
}

/** Three callers of a shop together stay below its bucket. */
const PACE_MS = 70

/** Sends at a pace below every bucket, each with its own key, until stopped. */
export function steadyLoad(shops: LoadShop[], load: ReturnType<typeof newLoad>) {
  let stopping = false
  const caller = async (shop: LoadShop) => {
    while (!stopping) {
      await ask(load, { shop, key: randomUUID(), to: REACHED })
      await wait(PACE_MS)
    }
  }
  const callers = shops.flatMap((shop) => [caller(shop), caller(shop), caller(shop)])
  return {
    stop: async () => {
      stopping = true
      await Promise.all(callers)
    },
  }
}

/** Repeats a request with the same key until there is an answer, or until `isOver` returns true. */
const retryUntilAnswered = (
  load: ReturnType<typeof newLoad>,
  sent: Sent,
  isOver: () => boolean = () => false,
): Promise<unknown> =>
  until(
    async () => {
      if (isOver()) return true
      await ask(load, sent)
      return load.acknowledged.has(sent.key)
    },
    'a retry is answered',
    30_000,
  )

/** Repeats every unanswered request, as its client would. */
export async function retryUnanswered(load: ReturnType<typeof newLoad>): Promise<number> {
  const waiting = [...load.unanswered.values()]
  await Promise.all(waiting.map((sent) => retryUntilAnswered(load, sent)))
  return waiting.length
}

type Counted = Record<'received' | 'sent' | 'delivered' | 'read' | 'failed', number>

/** Returns the counts that `GET /analytics` would return for all time. */
const readCounts = async (admin: Admin, workspaceId: string): Promise<Counted> =>
  (
    await admin.query<Counted>(
      `select coalesce(sum(received), 0)::int as received, coalesce(sum(sent), 0)::int as sent,
              coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(read), 0)::int as read,
              coalesce(sum(failed), 0)::int as failed
       from (select received, sent, delivered, read, failed from activity_days where workspace_id = $1
             union all select received, sent, delivered, read, failed from activity_deltas where workspace_id = $1) c`,
      [workspaceId],
    )
  )[0]!

/** Returns the same counts, computed from the messages themselves. */
const computeCounts = async (admin: Admin, workspaceId: string): Promise<Counted> =>
  (
    await admin.query<Counted>(
      `select count(*) filter (where direction = 'inbound') as received,
              count(sent_at) filter (where direction = 'outbound') as sent,
              count(delivered_at) as delivered, count(read_at) as read, count(failed_at) as failed
       from messages where workspace_id = $1`,
      [workspaceId],
    )
  )[0]!

export type Ledger = Required<Pick<FaultFigures, 'accepted' | 'lost' | 'doubled' | 'eventsMissing'>>

type StoredMessage = {
  workspaceId: string
  id: string
  status: string
  chanmid: string | null
  runAt: Date | null
  reports: object[] | null
}

/** True if the message was submitted, and its receipts are lost. */
const isUnreported = ({ status, chanmid, runAt, reports }: StoredMessage): boolean =>
  chanmid !== null && runAt === null && reports === null && status !== 'read' && status !== 'failed'

/** `mayLose`: the receipts of messages may be lost. */
const allArrived = (admin: Admin, shops: LoadShop[], mayLose: boolean): Promise<StoredMessage[]> =>
  until(
    async () => {
      const messages = await admin.query<StoredMessage>(
        `select workspace_id, id, status, chanmid, run_at, leased_until, handovers, created_at,
                (select jsonb_agg(to_jsonb(u) - 'body') from operator_updates u
                 where u.workspace_id = m.workspace_id and u.reference = m.id) as reports
         from messages m where direction = 'outbound' and workspace_id = any($1::uuid[])`,
        [shops.map((shop) => shop.workspaceId)],
      )
      const underWay = messages.filter(
        (row) => row.status !== 'read' && row.status !== 'failed' && !(mayLose && isUnreported(row)),
      )
      if (underWay.length > 0)
        throw new Error(`${underWay.length} under way, such as ${JSON.stringify(underWay[0])}`)
      return messages
    },
    'every message reaches read or failed',
    60_000,
  )

/** Returns the announced states of each message of a shop, in order. */
async function listAnnounced(admin: Admin, shop: LoadShop): Promise<Map<string, string[]>> {
  const reported = new Map<string, string[]>()
  for (const { name, data } of await eventsOf(admin, shop.workspaceId))
    if (name === 'message.status' || name === 'message.failed')
      reported.set(data.messageId, [...(reported.get(data.messageId) ?? []), data.status ?? name])
  return reported
}

/**
 * Checks that nothing was lost or doubled: each key is one message, each message reached its final state, and
 * each state was announced once. Returns the counts. `mayLose`: acknowledged messages and receipts may be missing.
 */
export async function expectLedgerBalances(
  admin: Admin,
  shops: LoadShop[],
  load: Load,
  { mayLose = false }: { mayLose?: boolean } = {},
): Promise<Ledger> {
  expect(load.unanswered.size).toBe(0)
  const rows = await allArrived(admin, shops, mayLose)
  const ids = [...load.acknowledged.values()]
  const idSet = new Set(ids)
  expect(idSet.size, 'two keys answered with one message').toBe(ids.length)
  const stored = new Set(rows.map((row) => row.id))
  const lost = ids.filter((id) => !stored.has(id))
  if (!mayLose) expect(lost, 'acknowledged and lost').toEqual([])
  const doubled = [...stored].filter((id) => !idSet.has(id))
  expect(doubled, 'stored and never acknowledged').toEqual([])
  let eventsMissing = 0
  for (const shop of shops) {
    const reported = await listAnnounced(admin, shop)
    const own = rows.filter((row) => row.workspaceId === shop.workspaceId)
    const settled = own.filter((row) => !isUnreported(row))
    if (!mayLose) expect(reported.size).toBe(own.length)
    for (const row of settled) {
      const due = row.status === 'read' ? ['sent', 'delivered', 'read'] : ['sent', 'failed', 'message.failed']
      eventsMissing += Math.max(0, due.length - (reported.get(row.id)?.length ?? 0))
      expect(reported.get(row.id)).toEqual(due)
    }
    const [usage] = await admin.query<{ messages: number }>(
      'select messages from workspace_usage where workspace_id = $1',
      [shop.workspaceId],
    )
    expect(usage!.messages).toBe(own.length)
    expect(await readCounts(admin, shop.workspaceId), 'counted and stored').toEqual(
      await computeCounts(admin, shop.workspaceId),
    )
  }
  return { accepted: ids.length, lost: lost.length, doubled: doubled.length, eventsMissing }
}

/** Returns the number of messages whose receipts are lost. */
export const countUnreported = async (admin: Admin, shops: LoadShop[]): Promise<number> =>
  (await allArrived(admin, shops, true)).filter(isUnreported).length

/**
 * Sends from eight new shops, which it adds to `shops`, runs `change` under this load, and waits until sends continue after it.
 * Then it repeats the unanswered requests. Returns the milliseconds from the start of the change until sends continued.
 */
export async function changeUnderLoad(
  {
    load,
    shops,
    admin,
    url,
    random,
    prepare,
    withinMs,
  }: {
    load: ReturnType<typeof newLoad>
    shops: LoadShop[]
    admin: Admin
    url: string
    random: () => number
    /** Starts other work beside the sends. */
    prepare?: (fresh: LoadShop[]) => Promise<unknown>
    /** The limit of the wait after the change. */
    withinMs?: number
  },
  change: () => Promise<unknown>,
): Promise<number> {
  const fresh = await openShops(admin, url, 8)
  shops.push(...fresh)
  await prepare?.(fresh)
  const enoughSends = load.acknowledged.size + 100 + Math.floor(random() * 300)
  const running = startLoad(load, fresh, random)
  onTestFinished(running.stop)
  await until(() => load.acknowledged.size >= enoughSends, 'the load is on')
  const changedAt = performance.now()
  await change()
  const before = load.acknowledged.size
  await until(() => load.acknowledged.size > before + 50, 'sends continue after the change', withinMs)
  const recoveredMs = Math.round(performance.now() - changedAt)
  await running.stop()
  await retryUnanswered(load)
  return recoveredMs
}

/** Expects that every answer was a success, an empty bucket, or a 503 that says when to try again. */
export function expectOnlyUnavailable(load: Load): void {
  for (const { retryAfter, error } of load.refusals) {
    expect(error).toBe('service_unavailable')
    expect(Number(retryAfter)).toBeGreaterThan(0)
  }
  expect([...load.statuses.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual([])
}
