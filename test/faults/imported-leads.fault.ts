/**
 * An import of many leads with automations that start on leads: no loops, no floods, and no delay for other
 * workspaces.
 */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { OFF } from '../../src/modules/automating/automations/operations/settle-run.ts'
import { OWN_CHAIN } from '../../src/modules/automating/automations/queries/starts.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { createWorkspace, setWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { automate, newLead } from '../support/automations.ts'
import { type Answered, type Body, type Client, clientOf, SECRET_KEY } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recordFigures, timeFor } from '../support/fault-run.ts'
import { importLeads, ownerHeaders } from '../support/imports.ts'
import { openAdmin, openShops, REACHED } from '../support/load.ts'
import { makeReceivers } from '../support/receiver.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'
import { whenAllowed } from '../support/when-allowed.ts'

/**
 * As many leads as fit into the time of one fault; run alone, it has all of the time (`npm run faults --
 * imported-leads`).
 */
const LEADS = Math.min(100_000, Math.max(3_000, Number(process.env.FAULT_SECONDS ?? 0) * 150))
/** For one file. */
const FILE_ROWS = 50_000
/**
 * Runs that may start acting in a workspace within an hour. Lanes that check for room at the same moment may
 * each start a run.
 */
const [MAX_ACTING, LANES] = [10_000, 4]
const LOOK_MS = 500
/** The index of the greeting automation. */
const WELCOME = 1
const UNMET = "Its conditions didn't match."
const TOO_MANY = `The automations of the workspace ran ${MAX_ACTING} times within an hour.`
const SETTLED_MS = 3_600_000
const MIB = 1024 * 1024
/** For any number of leads, because they are imported in batches. */
const MAX_GROWTH = 512 * MIB
/** For 95 % of the answers, on a machine with other work. */
const MAX_ANSWER_MS = 2_000

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let database: TestDatabase
let installation: Installation
beforeAll(async () => {
  receivers = await makeReceivers()
  database = await createTestDatabase()
  installation = await newInstallation({ ...receivers.env, DATABASE_URL: database.url })
})
afterAll(async () => {
  await installation?.remove()
  await receivers?.close()
  await database?.drop()
})

/** Returns the peak memory of the process so far; 0 where the system doesn't report it. */
const memoryOf = (pid: number): number => {
  const file = `/proc/${pid}/status`
  return existsSync(file) ? Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1]) * 1024 : 0
}

/** Repeatedly requests the health endpoint and sends from another workspace until stopped. */
function watch(server: ServerProcess, neighbor: Client) {
  const observed = { tookMs: [] as number[], wrong: [] as Answered[] }
  let stopping = false
  const observe = async () => {
    while (!stopping) {
      const startedMs = performance.now()
      const answers = await Promise.all([
        neighbor.get(`${server.url}/healthz`),
        neighbor.post('/send', { to: REACHED, type: 'text', text: `message ${observed.tookMs.length}` }),
      ])
      observed.tookMs.push(Math.round(performance.now() - startedMs))
      observed.wrong.push(...answers.filter(({ status }) => status !== 200))
      await wait(250)
    }
    return observed
  }
  const observing = observe()
  return () => {
    stopping = true
    return observing
  }
}

/** Repeats a request until the bucket has a token. */
async function getUntilAllowed(client: Client, path: string): Promise<Body> {
  const { status, body } = await whenAllowed(() => client.get(path))
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return body
}

type Stats = { done: number; failed: number; ended: number; enabled: boolean; disabledReason: string | null }

/**
 * Returns the results of each automation's runs so far, in the order in which the automations were created.
 */
const statsOf = async (shop: Client): Promise<Stats[]> =>
  (await getUntilAllowed(shop, '/automations')).automations
    .map(({ enabled, disabledReason, stats }: Body) => ({
      done: stats.done,
      failed: stats.failed,
      ended: stats.done + stats.skipped + stats.failed,
      enabled,
      disabledReason,
    }))
    .reverse()

const runsOver = async (shop: Client, id: string): Promise<boolean> => {
  for (const status of ['waiting', 'running'])
    if ((await getUntilAllowed(shop, `/automations/${id}/runs?status=${status}&limit=1`)).runs.length > 0)
      return false
  return true
}

/** Moves the sandbox's clock until all work that is due by then is done. */
async function advance(shop: Client, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; ) {
    const { status, body, text } = await shop.post('/sandbox/clock', { advanceSeconds: left })
    if (status !== 200) throw new Error(`the clock answered ${status}: ${text}`)
    left = body.complete ? 0 : body.remainingSeconds
  }
}

/** Counts the skipped runs of an automation by reason. */
async function countReasons(shop: Client, id: string, reasons: Record<string, number>): Promise<void> {
  for (let cursor = ''; ; ) {
    const page = await getUntilAllowed(shop, `/automations/${id}/runs?status=skipped&limit=100${cursor}`)
    for (const { reason } of page.runs) reasons[reason] = (reasons[reason] ?? 0) + 1
    if (page.nextCursor === null) return
    cursor = `&cursor=${page.nextCursor}`
  }
}

test(
  'an import of many leads starts only automations that include imports, and those within their limits',
  async () => {
    const admin = openAdmin(database.url)
    const server = await installation.start()
    onTestFinished(async () => {
      await server.end('SIGKILL')
      await admin.close()
    })
    const workspace = await admin.system(async (tx) => {
      const shop = await createWorkspace(
        tx,
        { name: 'Shop', sandbox: true },
        new Date(),
        createSealer(SECRET_KEY),
      )
      await setWorkspace(tx, shop.workspaceId, { contactLimit: 1_000_000, messageAllowance: 1_000_000 })
      return {
        ...shop,
        ...(await createApiKey(tx, { workspaceId: shop.workspaceId, role: 'admin' }, new Date())),
      }
    })
    const shop = clientOf(server.url, workspace.apiKey)
    const [neighbor] = await openShops(admin, server.url, 1)
    await admin.system((tx) => setWorkspace(tx, neighbor!.workspaceId, { messageAllowance: 1_000_000 }))
    await storeTemplate(admin, workspace, { components: [{ type: 'BODY', text: 'Welcome' }] })
    const [template] = (await shop.get('/templates')).body.templates
    for (const name of ['imported', 'seen']) await shop.post('/tags', { name })

    const reported = new Map<string, number>()
    const receiver = await receivers.open((response, { body }) => {
      const { id } = body.data.lead
      reported.set(id, (reported.get(id) ?? 0) + 1)
      receiver.received.length = 0
      response.writeHead(200).end()
    })
    const subscribed = await shop.post('/webhooks', { url: receiver.url, events: ['lead.created'] })
    expect(subscribed.status, subscribed.text).toBe(201)

    const movedRule = (to: string) => ({
      trigger: { event: 'lead.stage_changed' },
      conditions: { conditions: [{ field: 'event.to.name', op: 'eq', value: to }] },
    })
    const imported = { trigger: { event: 'lead.created', includeImports: true } }
    const unmatched = await automate(shop, { trigger: { event: 'lead.created' } })
    const welcome = await automate(shop, {
      ...imported,
      actions: [
        { type: 'send_template', templateId: template.id },
        { type: 'add_tags', tags: ['imported'] },
      ],
    })
    const first = await automate(shop, { ...imported, actions: [{ type: 'set_stage', stage: 'Contacted' }] })
    // These two start each other.
    const outward = await automate(shop, {
      ...movedRule('Contacted'),
      actions: [
        { type: 'set_field', field: 'lead.source', value: 'import' },
        { type: 'set_stage', stage: 'Qualified' },
      ],
    })
    const backward = await automate(shop, {
      ...movedRule('Qualified'),
      actions: [
        { type: 'add_tags', tags: ['seen'], on: 'lead' },
        { type: 'set_stage', stage: 'Contacted' },
      ],
    })
    const automations = [unmatched, welcome, first, outward, backward]

    const before = memoryOf(server.pid)
    const stop = watch(server, neighbor!)
    const startedMs = performance.now()
    const headers = await ownerHeaders(admin, server.url, workspace)
    const phones = Array.from({ length: LEADS }, (_, n) => `+9180${String(n).padStart(8, '0')}`)
    const files = []
    for (let from = 0; from < LEADS; from += FILE_ROWS)
      files.push(await importLeads(server.url, headers, phones.slice(from, from + FILE_ROWS)))
    for (const { path } of files)
      await until(
        async () => {
          await wait(LOOK_MS)
          const { body } = await clientOf(server.url, '').get(path, { headers })
          return body.import.state === 'done' && body.import.refused === 0
        },
        'the file is imported',
        SETTLED_MS,
      )
    const importedMs = Math.round(performance.now() - startedMs)

    // An automation that is turned off gets no more leads. A move starts automations that didn't cause it;
    // those that did only get a log entry.
    const isSettled = async (leads: number): Promise<boolean> => {
      await wait(LOOK_MS)
      const [, ...listening] = await statsOf(shop)
      const [, firstMoves, thereMoves] = listening.map(({ done }) => done) as [number, number, number, number]
      const expectedRuns = [leads, leads, firstMoves, firstMoves + thereMoves]
      const isComplete = listening.every(({ ended, enabled }, i) => ended >= expectedRuns[i]! || !enabled)
      if (!isComplete) return false
      for (const { id } of automations) if (!(await runsOver(shop, id))) return false
      return true
    }
    await until(() => isSettled(LEADS), 'all runs are over', SETTLED_MS)
    const settledMs = Math.round(performance.now() - startedMs)
    await until(() => reported.size === LEADS, 'every lead is reported', SETTLED_MS)
    const reportedMs = Math.round(performance.now() - startedMs)
    const lost = LEADS - reported.size
    const observed = await stop()
    const memory = memoryOf(server.pid)
    expect(observed.wrong).toEqual([])
    const tookMs = observed.tookMs.toSorted((a, b) => a - b)
    const slowMs = tookMs[Math.floor(tookMs.length * 0.95)]!
    expect(slowMs, `of ${tookMs.length}, at most ${tookMs.at(-1)}`).toBeLessThan(MAX_ANSWER_MS)
    expect(memory - before, `${before} bytes before`).toBeLessThan(MAX_GROWTH)
    expect([...reported.values()].every((times) => times === 1)).toBe(true)

    const settled = await statsOf(shop)
    const [silent, ...listening] = settled
    expect(silent).toMatchObject({ ended: 0, enabled: true })
    const acted = listening.reduce((sum, { done }) => sum + done, 0)
    expect(acted).toBeGreaterThan(MAX_ACTING / 2)
    expect(acted).toBeLessThan(MAX_ACTING + LANES)
    expect(listening.map(({ failed }) => failed)).toEqual([0, 0, 0, 0])
    // Each moves a lead at most once, although the two start each other.
    const [, firstMoves, thereMoves, backMoves] = listening.map(({ done }) => done) as [
      number,
      number,
      number,
      number,
    ]
    expect(thereMoves).toBeLessThanOrEqual(firstMoves)
    expect(backMoves).toBeLessThanOrEqual(thereMoves)
    const reasons: Record<string, number> = {}
    for (const { id } of automations) await countReasons(shop, id, reasons)
    const expectedReasons = [TOO_MANY, OFF, OWN_CHAIN, UNMET]
    expect(Object.keys(reasons).filter((reason) => !expectedReasons.includes(reason))).toEqual([])
    expect(reasons[TOO_MANY]).toBeGreaterThan(0)

    // Above the limit for five minutes: a big import takes that long by itself; for a small import the test
    // moves the clock.
    for (const seconds of [0, 200, 200]) {
      await advance(shop, seconds)
      const { enabled } = (await statsOf(shop))[WELCOME]!
      if (!enabled) break
      const earlier = (await statsOf(shop))[WELCOME]!.ended
      await newLead(shop)
      await until(async () => {
        await wait(LOOK_MS)
        return (await statsOf(shop))[WELCOME]!.ended > earlier
      }, 'one more run is skipped')
    }
    const turnedOff = (await statsOf(shop))[WELCOME]!
    expect(turnedOff.enabled).toBe(false)
    expect(turnedOff.disabledReason).toContain(TOO_MANY)

    // An hour later it can be turned on again, and acts.
    await advance(shop, 3_601)
    expect((await shop.patch(`/automations/${welcome.id}`, { enabled: true })).status).toBe(200)
    await newLead(shop)
    await until(async () => {
      await wait(LOOK_MS)
      const { done, enabled } = (await statsOf(shop))[WELCOME]!
      return enabled && done > settled[WELCOME]!.done
    }, 'the automation acts again')

    const skipped = Object.entries(reasons).map(([reason, times]) => `${times} × ${reason}`)
    recordFigures({
      rows: 'automations',
      fault: `an import of ${LEADS} leads`,
      rounds: 1,
      accepted: LEADS,
      lost,
      doubled: [...reported.values()].filter((times) => times > 1).length,
      note: [
        `${acted} runs acted`,
        ...skipped,
        `imported after ${importedMs} ms, reported after ${reportedMs}, over after ${settledMs}`,
        `95 % of ${tookMs.length} answers elsewhere within ${slowMs} ms, all within ${tookMs.at(-1)}`,
        `memory from ${Math.round(before / MIB)} to ${Math.round(memory / MIB)} MiB`,
      ].join('; '),
    })
  },
  timeFor(SETTLED_MS),
)
