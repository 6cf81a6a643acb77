/** The results of a campaign (spec 4.10; DECISIONS.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../test/support/campaigns.ts'
import { whileReadsAreFull } from '../../../../test/support/costly-reads.ts'
import { importRates } from '../../../../test/support/rates.ts'
import { cloudShop, receipt, standInOperator } from '../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../test/support/until.ts'
import { HOUR_MS, SECOND_MS } from '../../../core/clock.ts'
import { newId } from '../../../core/ids.ts'
import { RESULT_HOURS } from '../../messaging/broadcasts/operations/response-rule.ts'

let operator: Awaited<ReturnType<typeof standInOperator>>
let parley: TestParley
beforeAll(async () => {
  operator = await standInOperator()
  parley = await boot({ env: operator.env })
})
afterAll(async () => {
  await parley.close()
  await operator.close()
})

const UNREACHABLE = '+14155550126'
const LIMITED = '+14155550149'
const phoneOf = (n: number): string => `+9190${String(n).padStart(8, '0')}`

const resultsOf = async (shop: TestWorkspace, id: string): Promise<Body> => {
  const answer = await shop.get(`/broadcasts/${id}/results`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const writes = (shop: TestWorkspace, n: number, text: string) =>
  shop.post('/sandbox/inbound', { from: phoneOf(n), text })

/** Sends a campaign to `count` opted-in contacts and to these numbers, with every receipt. */
async function sentCampaign(count: number, others: string[] = []) {
  const shop = await parley.workspace({ sandbox: true })
  const campaigns = await campaignsOf(parley, shop)
  const ids = await makeContacts(shop, count, { optInStatus: 'opted_in' })
  for (const phone of others) await shop.post('/contacts', { phone, optInStatus: 'opted_in' })
  const { id } = (await campaigns.create({ sendNow: true })).body
  await shop.advance(60)
  return { shop, campaigns, ids, id }
}

describe('GET /broadcasts/{id}/results', () => {
  test('returns sent, delivered, read, replied, opted out, and failed, each as a count and as a share of the messages sent', async () => {
    const { shop, id } = await sentCampaign(4, [UNREACHABLE])
    await writes(shop, 0, 'Which colors?')
    await writes(shop, 0, 'And sizes?')
    await writes(shop, 1, 'STOP')
    await shop.advance(5)
    const results = await resultsOf(shop, id)
    const { counts } = (await shop.get(`/broadcasts/${id}`)).body.broadcast
    expect(results).toMatchObject({
      broadcastId: id,
      messages: 5,
      sent: { count: counts.sent, rate: counts.sent / 5 },
      delivered: { count: 4, rate: 4 / counts.sent },
      read: { count: 4, rate: 4 / counts.sent },
      replied: { count: 1, rate: 1 / counts.sent },
      tapped: { count: 0, rate: 0 },
      optedOut: { count: 1, rate: 1 / counts.sent },
      failed: { count: 1, rate: 1 / counts.sent },
    })
  })

  test('a reply before the message, or later than 72 hours after it, does not count', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 3, { optInStatus: 'opted_in' })
    await writes(shop, 0, 'Hello')
    await shop.advance(60)
    const { id } = (await campaigns.create({ sendNow: true })).body
    await shop.advance(60)
    expect((await resultsOf(shop, id)).replied.count).toBe(0)
    const sentSeconds = (RESULT_HOURS * HOUR_MS) / SECOND_MS
    await shop.advance(sentSeconds - 600)
    await writes(shop, 1, 'Still available?')
    await shop.advance(1200)
    await writes(shop, 2, 'Too late?')
    await shop.advance(5)
    expect((await resultsOf(shop, id)).replied.count).toBe(1)
  })

  test('failures are listed by cause, and skipped recipients by reason', async () => {
    const { shop, campaigns, id } = await sentCampaign(1, [UNREACHABLE, LIMITED])
    expect((await resultsOf(shop, id)).failures).toEqual([
      expect.objectContaining({ code: 131026, category: 'recipient', count: 1 }),
      expect.objectContaining({ code: 131049, category: 'policy', count: 1 }),
    ])
    const ids = await makeContacts(shop, 2, { optInStatus: 'opted_in' }, 50)
    await shop.patch(`/contacts/${ids[0]}`, { optInStatus: 'opted_out' })
    await shop.post(`/contacts/${ids[1]}/block`)
    const next = (await campaigns.create({ sendNow: true })).body
    await shop.advance(60)
    expect((await resultsOf(shop, next.id)).skips).toEqual([
      { reason: 'blocked', count: 1 },
      { reason: 'opted_out', count: 1 },
    ])
  })

  test('deleted messages still count as sent and failed', async () => {
    const { shop, id } = await sentCampaign(1, [UNREACHABLE])
    const before = await resultsOf(shop, id)
    await parley.system((tx) =>
      tx.sql('delete from messages where workspace_id = $1 and broadcast_id = $2', [shop.workspaceId, id]),
    )
    const after = await resultsOf(shop, id)
    expect(after).toMatchObject({ sent: before.sent, failed: before.failed })
    expect(after.failures).toEqual([expect.objectContaining({ code: 131026, count: 1 })])
  })

  test('the cost is that of the delivered messages, by the rate of each country; null without rates', async () => {
    const { shop, id } = await sentCampaign(2, ['+447400123456'])
    expect(await resultsOf(shop, id)).toMatchObject({
      currency: null,
      cost: { messages: 3, costMinor: null },
    })
    // The simulator charges for a template that it does not know as utility.
    await importRates(parley, shop, ['IN,utility,2026-01-01,800000', '*,utility,2026-01-01,5000000'])
    expect(await resultsOf(shop, id)).toMatchObject({
      currency: 'INR',
      cost: { messages: 3, charged: 3, costMinor: 660, cost: '₹6.60' },
    })
    const narrowed = await shop.as('viewer', { scopes: ['broadcasts:read'] })
    expect((await narrowed.get(`/broadcasts/${id}/results`)).body).toMatchObject({
      currency: null,
      cost: null,
    })
  })

  test('a customer who taps a quick reply of the message counts once, and a tap on another message does not', async () => {
    const shop = await cloudShop(parley)
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const before = operator.taken.length
    const { id } = (await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true })).body
    const submitted = () => operator.taken.slice(before).filter(({ body }) => body.template !== undefined)
    await until(async () => submitted().length === 2, 'both are submitted')
    const chanmidOf = (n: number): string =>
      submitted().find(({ body }) => `+${body.to}`.endsWith(phoneOf(n).slice(1)))!.chanmid
    for (const n of [0, 1]) await shop.operatorSays(receipt('read', { chanmid: chanmidOf(n) }))
    await until(async () => (await campaigns.of(id)).counts.read === 2, 'both are read')
    const tap = (chanmid: string) => ({
      type: 'button',
      text: undefined,
      button: { payload: 'yes', text: 'Yes' },
      context: { from: '1555', id: chanmid },
    })
    await shop.writes(phoneOf(0), '', tap(chanmidOf(0)))
    await shop.writes(phoneOf(1), '', tap('wamid.other'))
    expect(await resultsOf(shop, id)).toMatchObject({ tapped: { count: 1 }, replied: { count: 2 } })
  })

  test('a draft has no results, and another workspace does not find the campaign', async () => {
    const shop = await parley.workspace({ sandbox: true })
    const other = await parley.workspace({ sandbox: true })
    const { id } = (await (await campaignsOf(parley, shop)).create()).body
    const nothing = { count: 0, rate: null }
    expect(await resultsOf(shop, id)).toMatchObject({
      messages: 0,
      sent: nothing,
      read: nothing,
      replied: nothing,
      failures: [],
      skips: [],
    })
    const foreign = await other.get(`/broadcasts/${id}/results`)
    expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found'])
    expect(foreign.body).toEqual((await other.get(`/broadcasts/${newId()}/results`)).body)
  })

  test('returns 429 while too many requests read large campaigns of the workspace', async () => {
    const { shop, id } = await sentCampaign(1)
    const read = () => shop.get(`/broadcasts/${id}/results`)
    expect(await whileReadsAreFull(parley, shop.workspaceId, read), 'few messages').toMatchObject({
      status: 200,
    })
    await parley.system((tx) =>
      tx.sql('update broadcasts set queued = queued + 6000 where workspace_id = $1 and id = $2', [
        shop.workspaceId,
        id,
      ]),
    )
    expect(await whileReadsAreFull(parley, shop.workspaceId, read)).toMatchObject({
      status: 429,
      body: { error: 'rate_limited' },
    })
    expect((await read()).status).toBe(200)
  })
})

describe('GET /broadcasts/{id}/recipients by response', () => {
  test('lists the recipients that the results count, in pages, with their state, and as a file', async () => {
    const { shop, campaigns, ids, id } = await sentCampaign(6, [UNREACHABLE])
    await writes(shop, 0, 'Which colors?')
    await writes(shop, 3, 'How much?')
    await writes(shop, 1, 'STOP')
    await shop.advance(5)
    const listed = async (query: string) => [...(await campaigns.people(id, query)).keys()].toSorted()
    const idsOf = (...places: number[]) => places.map((place) => ids[place]!).toSorted()
    expect(await listed('&response=replied')).toEqual(idsOf(0, 3))
    expect(await listed('&response=opted_out')).toEqual(idsOf(1))
    expect(await listed('&response=none')).toEqual(idsOf(2, 4, 5))
    expect(await listed('&response=tapped')).toEqual([])
    const people = await campaigns.people(id)
    expect([0, 1, 2, 3, 4, 5].map((place) => people.get(ids[place]!)!.response)).toEqual([
      'replied',
      'opted_out',
      'none',
      'replied',
      'none',
      'none',
    ])
    expect([...people.values()].find(({ phone }) => phone === UNREACHABLE)!.response).toBeNull()
    const { replied, optedOut } = await resultsOf(shop, id)
    expect([replied.count, optedOut.count]).toEqual([2, 1])
    const firstPage = (await shop.get(`/broadcasts/${id}/recipients?response=none&limit=2`)).body
    const nextPage = await shop.get(
      `/broadcasts/${id}/recipients?response=none&limit=2&cursor=${firstPage.nextCursor}`,
    )
    expect([firstPage.recipients.length, nextPage.body.recipients.length]).toEqual([2, 1])
    expect(nextPage.body.nextCursor).toBeNull()
    expect(await listed('&response=replied&status=failed'), 'a failed message has no response').toEqual([])
    const file = await shop.get(`/broadcasts/${id}/recipients?response=replied&format=csv`)
    const [heading, ...lines] = file.text.trim().split('\r\n')
    expect(heading).toMatch(/,response$/)
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['replied', 'replied'])
    const wrong = await shop.get(`/broadcasts/${id}/recipients?response=loud`)
    expect(wrong.status).toBe(400)
  })

  test('a reply after 72 hours is no response', async () => {
    const { shop, campaigns, ids, id } = await sentCampaign(2)
    await shop.advance((RESULT_HOURS * HOUR_MS) / SECOND_MS + 60)
    await writes(shop, 0, 'Still there?')
    await shop.advance(5)
    expect([...(await campaigns.people(id, '&response=none')).keys()].toSorted()).toEqual(ids.toSorted())
  })

  test('returns 429 while too many requests read large campaigns of the workspace', async () => {
    const { shop, id } = await sentCampaign(1)
    await parley.system((tx) =>
      tx.sql('update broadcasts set queued = queued + 6000 where workspace_id = $1 and id = $2', [
        shop.workspaceId,
        id,
      ]),
    )
    const read = (query: string) => () => shop.get(`/broadcasts/${id}/recipients?limit=10${query}`)
    expect((await whileReadsAreFull(parley, shop.workspaceId, read('&response=replied'))).status).toBe(429)
    expect((await whileReadsAreFull(parley, shop.workspaceId, read(''))).status).toBe(200)
  })
})
