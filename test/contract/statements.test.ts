/** Statements have one right plan (docs/decisions/database.md): a rule for the source, and its effects. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, later, systemClock } from '../../src/core/clock.ts'
import type { Tx } from '../../src/core/context.ts'
import { dueAt } from '../../src/core/due.ts'
import { idAt, newId } from '../../src/core/ids.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { alignShopDeliveries } from '../../src/modules/automating/integrations/queries/deliveries.ts'
import { alignBroadcasts } from '../../src/modules/messaging/broadcasts/queries/broadcasts.ts'
import {
  alignWindows,
  listDueWindows,
} from '../../src/modules/messaging/conversations/queries/due-windows.ts'
import {
  alignMessages,
  beginHandovers,
} from '../../src/modules/messaging/messages/handover/queries/handovers.ts'
import { listBusyNumbers } from '../../src/modules/messaging/messages/handover/queries/lanes.ts'
import { alignUpdates } from '../../src/modules/messaging/messages/intake/queries/due-updates.ts'
import { claimDeliveries } from '../../src/modules/platform/webhooks/delivery/queries/delivery-claims.ts'
import {
  alignDeliveries,
  findNextDue,
} from '../../src/modules/platform/webhooks/delivery/queries/waiting-deliveries.ts'
import { partitionOfDay } from '../../src/modules/platform/webhooks/event-log/log-partitions.ts'
import { alignPosts } from '../../src/modules/selling/payments/queries/gateway-posts.ts'
import { claimJobs, moveDueTimes } from '../../src/worker/job-rows.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { planOf } from '../support/plans.ts'

const ROOT = join(import.meta.dirname, '../..')
/** An `exists` that is not a separate condition, so PostgreSQL may answer it from a hash of a whole table. */
const LOOSE_EXISTS = /(?<!\b(?:where|and|not)\s)\bexists \((.*)/gi

/** Statements for which PostgreSQL can't use a hash, or only a small one, with the reason. */
const HARMLESS: Record<string, string> = {
  'src/modules/platform/webhooks/event-log/record-events.ts: select from made) as made`':
    'asks of nothing but what it has just made',
  'src/modules/messaging/broadcasts/queries/cool-offs.ts: ': 'asks for a range, which no hash can answer',
}

test('a statement uses isFound where PostgreSQL might read a whole table into a hash for an exists', () => {
  const loose = globSync('src/modules/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(LOOSE_EXISTS)].map(([, rest]) => `${file}: ${rest}`),
  )
  expect(loose.sort()).toEqual(Object.keys(HARMLESS).sort())
})

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

/**
 * Puts a queue into its state after a backlog: its indexes are large, and PostgreSQL knows that it is almost
 * empty.
 */
async function widenTable(table: string, insert: string): Promise<void> {
  const rows = async (tx: Pick<Tx, 'sql'>, count: number) => void (await tx.sql(insert, [newId(), count]))
  const rollback = new Error('nothing of the backlog is kept')
  const backlog = parley.system(async (tx) => {
    await rows(tx, 5_000)
    throw rollback
  })
  await expect(backlog).rejects.toBe(rollback)
  await parley.system((tx) => rows(tx, 10))
  await onDatabase(parley.databaseUrl, (client) => client.query(`vacuum (analyze) ${table}`))
}

test('the first rows of a queue are found in the order of its index, even after a backlog', async () => {
  const now = systemClock.now()
  await widenTable(
    'jobs',
    `insert into jobs (workspace_id, id, name, payload, created_at, run_at, outside)
     select $1, uuidv7(), 'none', '{}', now(), now() + n * interval '1 day', n % 2 = 0 from generate_series(1, $2::int) n`,
  )
  await widenTable(
    'conversations',
    `insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at, window_run_at)
     select $1, uuidv7(), uuidv7(), uuidv7(), now(), now(), now() + n * interval '1 day' from generate_series(1, $2::int) n`,
  )
  const claim = { due: dueAt(now), limit: 50, workspaceId: undefined }
  const plans = await parley.system((tx) =>
    Promise.all([
      planOf(tx, '', (ctx) => claimJobs(ctx.tx, 'inside', claim)),
      planOf(tx, '', (ctx) => claimJobs(ctx.tx, 'outside', claim)),
      planOf(tx, '', (ctx) => listDueWindows(ctx.tx, dueAt(now), 500)),
      planOf(tx, '', (ctx) => listDueWindows(ctx.tx, dueAt(now), 500, newId())),
    ]),
  )
  for (const plan of plans) {
    expect(plan).toContain('Index Scan')
    expect(plan).not.toContain('Sort')
  }
})

test('deliveries of one workspace are found endpoint by endpoint, and not from its first row each time', async () => {
  const now = systemClock.now()
  const options = { due: dueAt(now), leaseMs: 1, max: 1, maxOfEach: 1, allowances: [], start: null }
  const [claim, passed, next] = await parley.system((tx) =>
    Promise.all([
      planOf(tx, '', (ctx) =>
        claimDeliveries({ query: ctx.tx.sql }, { ...options, partition: partitionOfDay(now) }, newId()),
      ),
      planOf(tx, '', (ctx) =>
        claimDeliveries(
          { query: ctx.tx.sql },
          { ...options, partition: partitionOfDay(now), pastClaimed: true },
        ),
      ),
      planOf(tx, '', (ctx) => findNextDue(ctx.tx.sql, newId(), now)),
    ]),
  )
  expect(claim).toContain('(workspace_id = $7) AND (endpoint_id > ')
  expect(passed.match(/Index Only Scan using deliveries_\S*run_at/g), 'each step').toHaveLength(4)
  expect(passed).not.toContain('Incremental Sort')
  expect(next).toMatch(/Limit\n\s*-> {2}Merge Append\n.*\n.*Index Scan using deliveries_\S*run_at/)
})

test('the hand-over finds numbers and campaigns one by one, even if planned while none waited', async () => {
  const now = systemClock.now()
  const plans = await parley.system(async (tx) => {
    await tx.sql('analyze messages, broadcasts')
    return Promise.all([
      planOf(tx, '', (ctx) => listBusyNumbers(ctx.tx.sql, { now, holder: newId() })),
      planOf(tx, '', (ctx) => beginHandovers(ctx.tx.sql, [], { now, until: now })),
    ])
  })
  for (const plan of plans) {
    expect(plan).toContain('Index')
    expect(plan).not.toContain('hashed')
  }
})

describe('rows with an older offset of a sandbox clock', () => {
  const insertDelivery = (tx: Tx, workspaceId: string, createdAt: Date, offsetMs: number) =>
    tx.sql(
      `insert into deliveries (workspace_id, id, endpoint_id, event_id, event, created_at, due_at, run_at, run_offset_ms)
       values ($1, $2, uuidv7(), uuidv7(), 'contact.created', $3, $3, $3, $4)`,
      [workspaceId, idAt(createdAt), createdAt, offsetMs],
    )

  const alignments = {
    broadcasts: alignBroadcasts,
    conversations: alignWindows,
    deliveries: alignDeliveries,
    gateway_posts: alignPosts,
    shop_deliveries: alignShopDeliveries,
    jobs: moveDueTimes,
    messages: alignMessages,
    operator_updates: alignUpdates,
  }

  test.each(Object.entries(alignments))(
    'of %s are found one by one, for any number with the current offset',
    async (_, align) => {
      const plan = await parley.system((tx) =>
        planOf(tx, '', (ctx) => align(ctx.tx.sql, newId(), { offsetMs: 1 })),
      )
      for (const compared of '<>')
        expect(plan).toContain(`Index Cond: ((workspace_id = $1) AND (run_offset_ms ${compared} $2))`)
      expect(plan).not.toContain('Index Cond: (workspace_id = $1)\n')
      expect(plan).toContain('Tid Scan')
      expect(plan).not.toContain('Seq Scan')
    },
  )

  test('belong to their workspace, even if a row of another workspace has the same place in another partition', async () => {
    const now = systemClock.now()
    const [shop, neighbor] = [newId(), newId()]
    const runsAt = await parley.system(async (tx) => {
      // The first rows of two partitions.
      await insertDelivery(tx, shop, later(now, DAY_MS), 1_000)
      await insertDelivery(tx, neighbor, later(now, 2 * DAY_MS), 1_000)
      const places = await tx.sql<{ place: string }>(
        'select distinct ctid::text as place from deliveries where workspace_id = any($1::uuid[])',
        [[shop, neighbor]],
      )
      expect(places).toHaveLength(1)
      await alignDeliveries(tx.sql, shop, { offsetMs: 61_000 })
      const rows = await tx.sql<{ runAt: Date }>(
        'select run_at from deliveries where workspace_id = any($1::uuid[]) order by id',
        [[shop, neighbor]],
      )
      return rows.map(({ runAt }) => runAt)
    })
    expect(runsAt).toEqual([later(now, DAY_MS - 60_000), later(now, 2 * DAY_MS)])
  })
})
