/** Two cells on different nodes of Citus; one moves to the other's node while both work. */
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { withCell } from '../../src/core/values/cell.ts'
import { parseHost } from '../../src/core/values/database-hosts.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { placeAt } from '../../src/database/writable-host.ts'
import { clientOf } from '../support/boot.ts'
import { CITUS_URL, dropCell } from '../support/citus.ts'
import { runParley } from '../support/command-line.ts'
import { recordFigures, timeFor } from '../support/fault-run.ts'
import {
  changeUnderLoad,
  expectLedgerBalances,
  expectOnlyUnavailable,
  type LoadShop,
  newLoad,
  newShop,
  openAdmin,
} from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

if (!CITUS_URL)
  console.warn(
    'SKIPPED: the move of a cell needs a Citus cluster with two workers (PARLEY_TEST_CITUS_URL names its coordinator)',
  )

/** A cell that is distributed, with a server and an empty load. */
async function openCell(coordinatorUrl: string) {
  const cell = `m${randomBytes(6).toString('hex')}`
  const env = { DATABASE_URL: withCell(coordinatorUrl, 'public'), PARLEY_SCHEMA: cell }
  const installation = await newInstallation(env)
  onTestFinished(() => dropCell(coordinatorUrl, cell))
  onTestFinished(installation.remove)
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runParley([...words, '--json'], {
      ...env,
      PARLEY_DATA_DIR: installation.dataDir,
    })
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  await run('cell', 'create', cell)
  const { node } = await run('cell', 'distribute', cell)
  const server = await installation.start()
  const url = withCell(coordinatorUrl, cell)
  const admin = openAdmin(url)
  onTestFinished(() => admin.close())
  return { cell, node: node as string, server, url, admin, run, load: newLoad(), shops: [] as LoadShop[] }
}
type OpenCell = Awaited<ReturnType<typeof openCell>>

/** Reads the events of a workspace as a consumer does, from one `resumeAfter` to the next, until stopped. */
function followEvents(shop: LoadShop) {
  const ids: string[] = []
  let stopping = false
  let after: string | undefined
  const read = async (): Promise<void> => {
    const { status, body } = await shop.get(`/events?limit=100${after ? `&after=${after}` : ''}`)
    if (status !== 200) return
    if (after) ids.push(...body.events.map((event: { id: string }) => event.id))
    after = body.resumeAfter ?? after
  }
  const reading = (async () => {
    while (!stopping) {
      await read().catch(() => {})
      await wait(50)
    }
  })()
  return {
    ids,
    /** Resolves when it has read everything. */
    stop: async () => {
      stopping = true
      await reading
      for (let known = -1; known < ids.length; ) {
        known = ids.length
        await read()
      }
    },
  }
}

/** Uses numbers of transactions at the cell's node until they are beyond those of the other node. */
async function passNumbersOf(cell: OpenCell, other: string): Promise<void> {
  const nextAt = async (node: string) => {
    const client = new pg.Client({ connectionString: withCell(cell.url, 'public') })
    placeAt(client, parseHost(node)!)
    await client.connect()
    const { rows } = await client.query(
      'select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next',
    )
    await client.end()
    return Number(rows[0].next)
  }
  const ahead = (await nextAt(other)) - (await nextAt(cell.node)) + 5_000
  if (ahead > 0)
    await onDatabase(cell.url, (client) =>
      client.query(
        `do $$ begin for i in 1..${ahead} loop perform pg_current_xact_id(); commit; end loop; end $$`,
      ),
    )
  expect(await nextAt(cell.node)).toBeGreaterThan(await nextAt(other))
}

test.skipIf(!CITUS_URL)(
  'a cell moves to another node under load: nothing acknowledged is lost or doubled, and events stay in order',
  async () => {
    const random = randomFrom(seedOf('moved-cell'))
    const [moving, staying] = [await openCell(CITUS_URL!), await openCell(CITUS_URL!)]
    expect(moving.node).not.toBe(staying.node)
    // On a fresh server, new events would otherwise get lower numbers than earlier ones.
    await passNumbersOf(moving, staying.node)
    const { apiKey, workspaceId } = await newShop(
      moving.admin,
      { sandbox: true },
      { messageAllowance: 1_000_000 },
    )
    const watched: LoadShop = { ...clientOf(moving.server.url, apiKey), workspaceId }
    await watched.post('/contacts', { phone: '+919812345670' })
    const consumer = followEvents(watched)
    let written = 0
    let isOver = false
    const writing = (async () => {
      for (; !isOver; await wait(100)) {
        const { status } = await watched
          .post('/contacts', { phone: `+9198${String(10_000_000 + written)}` })
          .catch(() => ({ status: 0 }))
        if (status === 201) written++
      }
    })()

    const recoveriesMs: number[] = []
    let answer: { node: string; left: string; seconds: number } | undefined
    const loadingOf = ({ load, shops, admin, server }: OpenCell) => ({
      load,
      shops,
      admin,
      url: server.url,
      random,
      withinMs: 60_000,
    })
    await changeUnderLoad(loadingOf(staying), async () => {
      recoveriesMs.push(
        await changeUnderLoad(loadingOf(moving), async () => {
          answer = await moving.run('cell', 'move', moving.cell, '--node', staying.node)
        }),
      )
    })
    expect(answer).toMatchObject({ cell: moving.cell, node: staying.node, left: moving.node })
    await until(() => written > 10, 'the watched workspace has contacts')
    isOver = true
    await writing
    expect((await moving.run('cell', 'move', moving.cell, '--node', staying.node)).left).toBeUndefined()

    for (const { load, server } of [moving, staying]) {
      expectOnlyUnavailable(load)
      expect(server.output()).not.toContain('unhandled promise rejection')
    }
    expect(staying.load.refusals, 'the cell that stays notices nothing').toEqual([])
    const ledger = await expectLedgerBalances(moving.admin, moving.shops, moving.load)
    await expectLedgerBalances(staying.admin, staying.shops, staying.load)

    const stored = await moving.admin.query<{ id: string }>(
      'select id from events where workspace_id = $1 order by written_in, id',
      [workspaceId],
    )
    await until(async () => {
      await consumer.stop()
      return consumer.ids.at(-1) === stored.at(-1)!.id
    }, 'the consumer has read the last event')
    const first = stored.findIndex(({ id }) => id === consumer.ids[0])
    expect(consumer.ids, 'each event once, in order').toEqual(stored.slice(first).map(({ id }) => id))

    recordFigures({
      rows: '6',
      fault: 'a cell moves to another node of Citus under load',
      rounds: 1,
      ...ledger,
      recoveriesMs,
      note: `move ${answer!.seconds} s, 503 answers ${moving.load.refusals.length}`,
    })
    for (const { server } of [moving, staying])
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  },
  timeFor(240_000),
)
