import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { openAsService } from '../../../../test/support/open-database.ts'
import { cloudShop, inbound, receipt, standInOperator } from '../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../test/support/until.ts'
import { newId } from '../../../core/ids.ts'
import type { OpenDatabase } from '../../../database/database.ts'
import { countsSource } from './work/counts-source.ts'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
let database: OpenDatabase
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
  database = openAsService(parley.databaseUrl)
})
afterAll(async () => {
  await database.close()
  await parley.close()
  await operator.close()
})

const asha = '+919812345678'
const failing = '+12125550126'
const NOTHING = { received: 0, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0 }

const analytics = async (shop: TestWorkspace, query = ''): Promise<Body> => {
  const answer = await shop.get(`/analytics${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const send = async (shop: TestWorkspace, to = asha): Promise<string> => {
  const answer = await shop.post('/send', { to, type: 'text', text: 'Hi' })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.messageId
}
const addUp = async () => {
  while ((await countsSource({ database }).runDue({})) > 0);
}
const deltasOf = (shop: TestWorkspace) =>
  parley.system((tx) => tx.sql('select 1 from activity_deltas where workspace_id = $1', [shop.workspaceId]))

describe('GET /analytics: message and conversation counts for a window', () => {
  test('by day and in total, 30 days by default, the last of them today', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound(asha, 'hello')
    await shop.inbound(asha, 'anybody?')
    await send(shop)
    await shop.advance(10)
    const body = await analytics(shop)
    expect(body.days).toBe(30)
    expect(body.timezone).toBe('Asia/Kolkata')
    expect(body.byDay).toHaveLength(30)
    expect([body.byDay[0].date, body.byDay[29].date]).toEqual([body.from, body.to])
    const { now } = (await shop.get('/sandbox/clock')).body
    expect(body.to).toBe(new Date(Date.parse(now) + 5.5 * 3_600_000).toISOString().slice(0, 10))
    const messages = { ...NOTHING, received: 2, sent: 1, delivered: 1, read: 1 }
    expect(body.total).toEqual({ messages, conversations: { opened: 1 } })
    expect(body.byType).toEqual([{ type: 'text', ...messages }])
  })

  test('a workspace without activity has every day with zeros', async () => {
    const body = await analytics(await parley.workspace({ sandbox: true }), '?days=3')
    const zeros = { messages: NOTHING, conversations: { opened: 0 } }
    expect(body.total).toEqual(zeros)
    const date = expect.any(String)
    expect(body.byDay).toEqual([
      { date, ...zeros },
      { date, ...zeros },
      { date, ...zeros },
    ])
    expect(body.byType).toEqual([])
  })

  test('failed and skipped are counted separately', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound(failing, 'hello')
    await send(shop, failing)
    await shop.advance(5)
    const { to } = await analytics(shop)
    // Only campaigns skip messages so far, so the test writes the count.
    await parley.system((tx) =>
      tx.sql(
        `insert into activity_deltas (workspace_id, id, day, phone_number_id, type, received, sent, delivered, read, failed, skipped, opened)
         values ($1, $2, $3, $4, 'template', 0, 0, 0, 0, 0, 5, 0)`,
        [shop.workspaceId, newId(), to, shop.phoneNumberId],
      ),
    )
    const { total } = await analytics(shop)
    expect(total.messages).toEqual({ ...NOTHING, received: 1, sent: 1, failed: 1, skipped: 5 })
  })

  test("days are in the workspace's time zone; each event counts on the day when it happened", async () => {
    const shop = await parley.workspace({ sandbox: true, timezone: 'America/New_York' })
    const { now } = (await shop.get('/sandbox/clock')).body
    // Moves to a few seconds before midnight there, by the clock of that zone.
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/New_York',
      timeStyle: 'medium',
    }).format(new Date(now))
    const [hours, minutes, seconds] = clock.split(':').map(Number) as [number, number, number]
    const toMidnight = 86_400 - hours * 3600 - minutes * 60 - seconds
    await shop.advance(toMidnight - 60)
    await shop.inbound(asha, 'good night')
    const before = (await analytics(shop)).to
    await shop.advance(56)
    await send(shop)
    await shop.advance(60)
    const body = await analytics(shop, '?days=2')
    expect(body.from).toBe(before)
    expect(body.byDay.map((day: Body) => day.messages.received)).toEqual([1, 0])
    expect(body.byDay.map((day: Body) => day.conversations.opened)).toEqual([1, 0])
    const sum = (name: string) => body.byDay[0].messages[name] + body.byDay[1].messages[name]
    expect([sum('sent'), sum('delivered'), sum('read')]).toEqual([1, 1, 1])
    expect(body.byDay[1].messages.read).toBe(1)
    expect((await analytics(shop, '?days=1')).total.messages.received).toBe(0)
  })

  test('activity before the window is not counted', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound(asha, 'hello')
    await shop.advance(3 * 86_400)
    await shop.inbound(asha, 'hello again')
    expect((await analytics(shop, '?days=3')).total.messages.received).toBe(1)
    expect((await analytics(shop, '?days=4')).total.messages.received).toBe(2)
    expect((await analytics(shop, '?days=90')).total.conversations.opened).toBe(2)
  })

  test('a read message counts as sent and delivered, even without those receipts; nothing counts twice', async () => {
    const shop = await cloudShop(parley)
    await shop.writes(asha)
    await send(shop)
    const { body, chanmid } = await until(() => operator.taken.at(-1), 'the operator has the message')
    const ids = { chanmid, messageId: body.biz_opaque_callback_data }
    const reports = [receipt('read', ids), receipt('sent', ids), receipt('delivered', ids)]
    await shop.operatorSays(...reports, ...reports)
    await shop.operatorSays(receipt('read', ids))
    await shop.settled()
    const expected = { ...NOTHING, received: 1, sent: 1, delivered: 1, read: 1 }
    expect((await analytics(shop)).total.messages).toEqual(expected)
  })

  test('a message with a repeated receipt counts once', async () => {
    const shop = await cloudShop(parley)
    const message = inbound(asha, 'hello')
    await shop.operatorSays(message, message)
    await shop.operatorSays(message)
    await shop.settled()
    const { total } = await analytics(shop)
    expect(total).toEqual({ messages: { ...NOTHING, received: 1 }, conversations: { opened: 1 } })
  })

  test('phoneNumberId limits the counts to one number', async () => {
    const shop = await cloudShop({ ...parley, workspace: () => parley.workspace({ sandbox: true }) })
    await shop.inbound(asha, 'to the first')
    for (const text of ['to the', 'second']) await shop.writes(asha, text)
    const received = async (query: string) => (await analytics(shop, query)).total.messages.received
    expect(await received('')).toBe(3)
    expect(await received(`?phoneNumberId=${shop.phoneNumberId}`)).toBe(1)
    expect(await received(`?phoneNumberId=${shop.cloudNumberId}`)).toBe(2)
    expect(await received(`?phoneNumberId=${newId()}`)).toBe(0)
  })

  test('days is a whole number from 1 to 90; a wrong value is 400 and names the parameter', async () => {
    const shop = await parley.workspace({ sandbox: true })
    for (const query of [
      'days=0',
      'days=91',
      'days=-1',
      'days=7.5',
      'days=week',
      'days=',
      'phoneNumberId=x',
    ]) {
      const answer = await shop.get(`/analytics?${query}`)
      expect(answer, query).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path).toBe(query.split('=')[0])
    }
    for (const days of [1, 90]) expect((await analytics(shop, `?days=${days}`)).byDay).toHaveLength(days)
  })

  test('a workspace sees only its own counts, which outlive erased customers', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound(asha, 'hello')
    const before = await analytics(shop)
    const otherCounts = await analytics(await parley.workspace({ sandbox: true }))
    expect(otherCounts.total.messages).toEqual(NOTHING)
    expect((await shop.delete('/contacts/919812345678')).status).toBe(200)
    expect(await analytics(shop)).toEqual(before)
  })
})

describe('the counts', () => {
  test('are added up in the background, without a visible change', async () => {
    const shop = await parley.workspace({ sandbox: true })
    for (let i = 0; i < 5; i++) await shop.inbound(asha, `${i}`)
    const before = await analytics(shop)
    expect(before.total.messages.received).toBe(5)
    await addUp()
    expect(await deltasOf(shop)).toEqual([])
    expect(await analytics(shop)).toEqual(before)
    await addUp()
    expect(await analytics(shop)).toEqual(before)
    await shop.inbound(asha, 'one more')
    expect((await analytics(shop)).total.messages.received).toBe(6)
  })

  test('are exact during concurrent writes, reads and sums', async () => {
    const shop = await cloudShop(parley)
    const rounds = 40
    const totals: number[] = []
    const writing = Array.from({ length: rounds }, (_, i) =>
      shop.operatorSays(...Array.from({ length: 5 }, () => inbound(`+9198000000${10 + (i % 7)}`, 'hello'))),
    )
    const reading = (async () => {
      for (let i = 0; i < rounds; i++) totals.push((await analytics(shop)).total.messages.received)
    })()
    await Promise.all([...writing, reading, addUp(), addUp(), shop.settled()])
    await Promise.all([addUp(), addUp(), addUp()])
    await shop.settled()
    expect(totals).toEqual([...totals].sort((a, b) => a - b))
    const { total } = await analytics(shop)
    expect(total.messages.received).toBe(rounds * 5)
    expect(total.conversations.opened).toBe(7)
  })

  test('are committed with the event or not at all', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const receivedCount = async () => (await analytics(shop)).total.messages.received
    await shop.inbound(asha, 'hello')
    // The operator's update fails while its message can't be stored, and is applied later.
    await parley.system((tx) =>
      tx.sql(
        `alter table messages add constraint no_more check (workspace_id <> '${shop.workspaceId}') not valid`,
      ),
    )
    await shop.post('/sandbox/inbound', { from: asha, text: 'not now' })
    await until(async () => {
      const [row] = await parley.system((tx) =>
        tx.sql<{ attempts: number }>('select attempts from operator_updates where workspace_id = $1', [
          shop.workspaceId,
        ]),
      )
      return (row?.attempts ?? 0) > 0
    }, 'the update was tried')
    expect(await receivedCount()).toBe(1)
    await parley.system((tx) => tx.sql('alter table messages drop constraint no_more'))
    await until(async () => (await receivedCount()) === 2, 'the update was applied')
  })
})
