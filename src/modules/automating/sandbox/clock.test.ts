/** `POST /sandbox/clock` under load: its cost, its limits, and other work at the same time. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, clientOf, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf } from '../../../../test/support/campaigns.ts'
import { makeReceivers } from '../../../../test/support/receiver.ts'
import { standingClock } from '../../../../test/support/standing-clock.ts'
import { until } from '../../../../test/support/until.ts'
import { newId } from '../../../core/ids.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env, clock: standingClock() })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

const HOUR = 3600
const asha = '+919812345678'
const sandbox = (server = parley) => server.workspace({ sandbox: true })
const timeOf = async (shop: TestWorkspace) => Date.parse((await shop.get('/sandbox/clock')).body.now)
const send = async (shop: TestWorkspace, to = asha): Promise<string> => {
  const answer = await shop.post('/send', { to, type: 'text', text: 'Hi' })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}
const statusOf = async (shop: TestWorkspace, id: string): Promise<string> =>
  (await shop.get(`/messages/${id}`)).body.message.status
const move = (shop: TestWorkspace, advanceSeconds: number) => shop.post('/sandbox/clock', { advanceSeconds })
/**
 * Simulates a process that died after it moved the clock by this much, before it aligned the waiting rows.
 */
const leaveMoved = (shop: TestWorkspace, ms: number) =>
  parley.system((tx) =>
    tx.sql(
      `update workspaces set clock_offset_ms = clock_offset_ms + $2, clock_mover = gen_random_uuid(), clock_moved_until = $3
       where id = $1`,
      [shop.workspaceId, ms, new Date(0)],
    ),
  )
/** Resolves when no call holds the clock. */
const isStill = (shop: TestWorkspace, server = parley) =>
  until(async () => {
    const [row] = await server.system((tx) =>
      tx.sql<{ held: boolean }>('select clock_mover is not null as held from workspaces where id = $1', [
        shop.workspaceId,
      ]),
    )
    return row?.held === false
  }, 'the clock is not locked')

/** Schedules a campaign to begin in `seconds` of the shop's time. */
async function scheduled(shop: TestWorkspace, seconds: number, server = parley) {
  const campaigns = await campaignsOf(server, shop)
  const scheduledAt = new Date((await timeOf(shop)) + seconds * 1000).toISOString()
  const { body } = await campaigns.create({ scheduledAt, confirmNewRecipients: true })
  return { id: body.id as string, status: async () => (await campaigns.of(body.id)).status as string }
}

/** Records each write of a campaign's row in `writes`. */
const countWrites = () =>
  parley.system(async (tx) => {
    await tx.sql('create table if not exists writes (workspace_id uuid)')
    await tx.sql(
      `create or replace function count_write() returns trigger language plpgsql security definer as $$
       begin
         insert into writes (workspace_id) values (new.workspace_id);
         return null;
       end $$`,
    )
    await tx.sql(
      'create or replace trigger count_write after update on broadcasts for each row execute function count_write()',
    )
  })

describe('the cost of a call', () => {
  test('a row that is due later is written once, for any number of due times in between', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'Hello')
    await countWrites()
    const campaign = await scheduled(shop, 300 * 86_400)
    const endpoint = await receivers.open(500)
    await shop.post('/webhooks', { url: endpoint.url, events: ['message.status'] })
    const ids: string[] = []
    for (let i = 0; i < 2; i++) ids.push(await send(shop))
    const answer = await move(shop, 30 * 86_400)
    expect(answer.body).toMatchObject({ ok: true, complete: true, remainingSeconds: 0 })
    // Each of six receipts emitted an event, whose delivery failed in all twelve attempts.
    expect(endpoint.received.length).toBe(6 * 12)
    const writes = await parley.system((tx) =>
      tx.sql('select 1 from writes where workspace_id = $1', [shop.workspaceId]),
    )
    expect(writes).toHaveLength(1)
    expect(await campaign.status()).toBe('scheduled')
    await move(shop, 271 * 86_400)
    expect(await campaign.status()).not.toBe('scheduled')
    for (const id of ids) expect(await statusOf(shop, id)).toBe('read')
  })

  test('a call ends after a number of due times and returns its progress, and the next call continues', async () => {
    const short = await boot({ clock: standingClock(), clockLimits: { steps: 2, ms: 60_000 } })
    try {
      const shop = await sandbox(short)
      await shop.inbound(asha, 'Hello')
      const id = await send(shop)
      const before = await timeOf(shop)
      const first = await move(shop, 60)
      // Sent after one second, delivered after two.
      expect(first.body).toEqual({
        ok: true,
        now: new Date(before + 2_000).toISOString(),
        complete: false,
        remainingSeconds: 58,
      })
      expect(await statusOf(shop, id)).toBe('delivered')
      const second = await move(shop, first.body.remainingSeconds)
      expect(second.body).toMatchObject({ complete: true, now: new Date(before + 60_000).toISOString() })
      expect(await statusOf(shop, id)).toBe('read')
    } finally {
      await short.close()
    }
  })

  test('it ends when its caller disconnects', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'Hello')
    const endpoint = await receivers.open()
    await shop.post('/webhooks', { url: endpoint.url, events: ['message.status'] })
    let respond = () => {}
    endpoint.answer((response) => {
      respond = () => response.writeHead(200).end()
    })
    const before = await timeOf(shop)
    await send(shop)
    const caller = new AbortController()
    const request = fetch(`${parley.url}/api/v1/sandbox/clock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds: 86_400 }),
      signal: caller.signal,
    }).catch(() => 'gone')
    await endpoint.wait(1)
    caller.abort()
    expect(await request).toBe('gone')
    // The closed connection is noticed before a request on another connection is answered.
    expect((await shop.get('/me')).status).toBe(200)
    endpoint.answer(200)
    respond()
    await isStill(shop)
    // It was waiting at the first receipt, one second later.
    expect((await timeOf(shop)) - before).toBe(1_000)
    await move(shop, 60)
    expect(endpoint.received.map(({ body }) => body.data.status)).toEqual(['sent', 'delivered', 'read'])
  })

  test('the clock cannot pass the year 9999: 400 invalid returns how far it may move', async () => {
    const shop = await sandbox()
    const end = Date.parse('9998-01-01T00:00:00.000Z')
    const left = end - (await timeOf(shop))
    await parley.system((tx) =>
      tx.sql('update workspaces set clock_offset_ms = $2 where id = $1', [
        shop.workspaceId,
        left - HOUR * 1000,
      ]),
    )
    const refusal = await move(shop, HOUR + 1)
    expect(refusal).toMatchObject({
      status: 400,
      body: { error: 'invalid', issues: [{ path: 'advanceSeconds' }] },
    })
    expect(refusal.body.message).toContain(String(HOUR))
    expect(await timeOf(shop)).toBe(end - HOUR * 1000)
    expect((await move(shop, HOUR)).body.now).toBe('9998-01-01T00:00:00.000Z')
    // Times computed from there are still valid instants.
    await shop.inbound(asha, 'Hello').catch(() => {})
    await shop.post('/sandbox/inbound', { from: asha, text: 'Hello' })
    const [conversation] = (await shop.get('/conversations')).body.conversations
    expect(conversation.windowExpiresAt).toBe('9998-01-02T00:00:00.000Z')
  })

  test('it has its own bucket: moving the clock does not use up sends', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'Hello')
    const remaining = async () =>
      Number(
        (await shop.post('/send', { to: asha, type: 'text', text: 'Hi' })).headers['ratelimit-remaining'],
      )
    const before = await remaining()
    for (let i = 0; i < 30; i++) await move(shop, 1)
    expect(await remaining()).toBeGreaterThanOrEqual(before - 2)
  })
})

describe('concurrent work', () => {
  test('a message sent while the clock moves has its receipts at the right times, whenever it was accepted', async () => {
    const shop = await sandbox()
    await shop.inbound(asha, 'Hello')
    for (let round = 0; round < 8; round++) {
      const [ids] = await Promise.all([
        Promise.all(Array.from({ length: 12 }, () => send(shop))),
        ...Array.from({ length: 3 }, () => shop.advance(HOUR)),
      ])
      await shop.advance(10)
      const statuses = await Promise.all(ids.map((id) => statusOf(shop, id)))
      expect(statuses).toEqual(ids.map(() => 'read'))
      await shop.post('/sandbox/inbound', { from: asha, text: 'Again' })
    }
  })

  test('two processes that move one clock in parallel move it by both steps', async () => {
    const server = await boot()
    const other = await boot({ databaseUrl: server.databaseUrl })
    try {
      const shop = await sandbox(server)
      const campaign = await scheduled(shop, 15 * HOUR, server)
      const clients = [shop, clientOf(other.url, shop.key)]
      const answers = await Promise.all(
        Array.from({ length: 14 }, (_, i) =>
          clients[i % 2]!.post('/sandbox/clock', { advanceSeconds: HOUR }),
        ),
      )
      expect(answers.map(({ body }) => body.complete)).toEqual(answers.map(() => true))
      const [row] = await server.system((tx) =>
        tx.sql<{ clockOffsetMs: number }>('select clock_offset_ms from workspaces where id = $1', [
          shop.workspaceId,
        ]),
      )
      expect(row?.clockOffsetMs).toBe(14 * HOUR * 1000)
      expect(await campaign.status()).toBe('scheduled')
      await shop.advance(2 * HOUR)
      expect(await campaign.status()).not.toBe('scheduled')
    } finally {
      await other.close()
      await server.close()
    }
  })

  test("a gateway report that cannot be applied is tried again in the sandbox's own time", async () => {
    const shop = await sandbox()
    const start = await timeOf(shop)
    const posts = () =>
      parley.system((tx) =>
        tx.sql<{ attempts: number; isApplied: boolean }>(
          'select attempts, raw is null as is_applied from gateway_posts where workspace_id = $1',
          [shop.workspaceId],
        ),
      )
    await parley.system(async (tx) => {
      await tx.sql(
        `create function refuse_applied() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`,
      )
      await tx.sql(
        'create trigger refuse_applied before update of raw on gateway_posts for each row execute function refuse_applied()',
      )
      await tx.sql(
        `insert into gateway_posts (workspace_id, id, event_id, raw, run_at, received_at) values ($1, $2, 'evt_1', '{}', $3, $3)`,
        [shop.workspaceId, newId(), new Date(start)],
      )
    })
    // Immediately, after 1, 6, 36 and 156 seconds.
    await move(shop, 155)
    expect(await posts()).toEqual([{ attempts: 4, isApplied: false }])
    await move(shop, 1)
    expect(await posts()).toEqual([{ attempts: 5, isApplied: false }])
    await parley.system((tx) => tx.sql('drop trigger refuse_applied on gateway_posts'))
    await move(shop, 599)
    expect(await posts()).toEqual([{ attempts: 5, isApplied: false }])
    await move(shop, 1)
    expect(await posts()).toEqual([{ attempts: 5, isApplied: true }])
  })

  test('a process that dies while it moves a clock leaves no late work', async () => {
    const shop = await sandbox()
    const campaign = await scheduled(shop, HOUR)
    await leaveMoved(shop, HOUR * 1000)
    await until(async () => (await campaign.status()) !== 'scheduled', 'the campaign starts')
    await isStill(shop)
  })

  test('after a crashed process, the next call finds all rows aligned', async () => {
    const shop = await sandbox()
    const campaign = await scheduled(shop, HOUR)
    await leaveMoved(shop, HOUR * 1000)
    expect((await move(shop, 1)).body).toMatchObject({ complete: true })
    expect(await campaign.status()).not.toBe('scheduled')
  })

  test('a caller who disconnects while another process moves the clock moves nothing', async () => {
    const shop = await sandbox()
    const before = await timeOf(shop)
    const hold = (until: Date | null) =>
      parley.system((tx) =>
        tx.sql('update workspaces set clock_mover = $2, clock_moved_until = $3 where id = $1', [
          shop.workspaceId,
          until && randomUUID(),
          until,
        ]),
      )
    await hold(new Date('9990-01-01'))
    const caller = new AbortController()
    const request = fetch(`${parley.url}/api/v1/sandbox/clock`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shop.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'leaves',
      },
      body: JSON.stringify({ advanceSeconds: HOUR }),
      signal: caller.signal,
    }).catch(() => 'gone')
    await until(async () => {
      const claimedRows = await parley.system((tx) =>
        tx.sql('select 1 from idempotency_keys where workspace_id = $1', [shop.workspaceId]),
      )
      return claimedRows.length === 1
    }, 'the move of the clock has started')
    const waiting = move(shop, 60)
    caller.abort()
    expect(await request).toBe('gone')
    expect((await shop.get('/me')).status).toBe(200)
    await hold(null)
    expect((await waiting).body).toMatchObject({ complete: true })
    expect((await timeOf(shop)) - before).toBe(60_000)
  })
})
