/**
 * Merges of contacts during a campaign: each person gets the message once
 * (src/modules/messaging/contacts/DECISIONS.md "Merges").
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../test/support/campaigns.ts'
import { accept, cloudShop, standInOperator, type Taken } from '../../../../test/support/stand-in-operator.ts'
import { until } from '../../../../test/support/until.ts'

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

const opted = { optInStatus: 'opted_in' }
const vip = { ...opted, tags: ['vip'] }

/**
 * Creates a campaign that paused after its first two people, because the allowance was used up. `others` were
 * stored before them.
 */
async function pausedCampaign({ others = 0, members = 4, byId = false } = {}) {
  const shop = await parley.workspace({ sandbox: true, plan: 'unlimited' })
  const campaigns = await campaignsOf(parley, shop)
  const before = await makeContacts(shop, others, opted)
  const people = await makeContacts(shop, members, vip, 100)
  await shop.set({ messageAllowance: members })
  const { now } = (await shop.get('/sandbox/clock')).body
  const scheduledAt = new Date(Date.parse(now) + 600_000).toISOString()
  const { id } = (
    await campaigns.create({ scheduledAt, segment: byId ? { contactIds: people } : { tags: ['vip'] } })
  ).body
  const offer = { type: 'template', template: { name: 'offer', language: { code: 'en_US' } } }
  // Leaves an allowance of two messages for the start of the campaign.
  const [extra] = await makeContacts(shop, 1, opted, 900)
  for (let n = 2; n < members; n++)
    expect((await shop.post('/send', { to: '+919000000900', type: 'template', payload: offer })).status).toBe(
      200,
    )
  await shop.advance(700)
  expect(await campaigns.of(id)).toMatchObject({ status: 'paused', counts: { queued: 2 } })
  const finish = async () => {
    await shop.set({ messageAllowance: 1_000 })
    expect((await shop.post(`/broadcasts/${id}/resume`)).status).toBe(200)
    await shop.advance(60)
    expect((await campaigns.of(id)).status).toBe('completed')
  }
  return { shop, campaigns, id, before, people, extra: extra!, finish }
}

async function merge(shop: TestWorkspace, kept: string, from: string): Promise<void> {
  const answer = await shop.post(`/contacts/${kept}/merge`, { from })
  expect(answer.status, answer.text).toBe(200)
}

/** Returns how many messages of the campaign each contact got. */
async function messagesOf(shop: TestWorkspace, extra: string): Promise<Record<string, number>> {
  const { messages } = (await shop.get('/messages?limit=100&direction=outbound')).body
  const counts: Record<string, number> = {}
  for (const { contactId, status } of messages as Body[])
    if (contactId !== extra && status !== 'skipped') counts[contactId] = (counts[contactId] ?? 0) + 1
  return counts
}

describe('a contact of the audience whom the campaign has not reached yet', () => {
  test('is merged into a contact that the walk has passed: that contact gets the message, once', async () => {
    const { shop, campaigns, id, before, people, extra, finish } = await pausedCampaign({ others: 2 })
    await merge(shop, before[1]!, people[2]!)
    await finish()
    expect(await messagesOf(shop, extra)).toEqual({
      [before[1]!]: 1,
      [people[0]!]: 1,
      [people[1]!]: 1,
      [people[3]!]: 1,
    })
    expect(await campaigns.of(id)).toMatchObject({ counts: { queued: 4, skipped: 0 } })
  })

  test('is merged twice: the last contact gets the message, once', async () => {
    const { shop, before, people, extra, finish } = await pausedCampaign({ others: 2 })
    await merge(shop, before[0]!, people[2]!)
    await merge(shop, before[1]!, before[0]!)
    await finish()
    expect(Object.keys(await messagesOf(shop, extra)).sort()).toEqual(
      [before[1]!, people[0]!, people[1]!, people[3]!].sort(),
    )
  })

  test('is merged into a contact created after the campaign started', async () => {
    const { shop, people, extra, finish } = await pausedCampaign()
    const [late] = await makeContacts(shop, 1, opted, 800)
    await merge(shop, late!, people[2]!)
    await finish()
    expect(await messagesOf(shop, extra)).toEqual({
      [late!]: 1,
      [people[0]!]: 1,
      [people[1]!]: 1,
      [people[3]!]: 1,
    })
  })

  test('is merged into a contact who got the message: no second message is sent', async () => {
    const { shop, people, extra, finish } = await pausedCampaign()
    await merge(shop, people[0]!, people[2]!)
    await finish()
    expect(await messagesOf(shop, extra)).toEqual({ [people[0]!]: 1, [people[1]!]: 1, [people[3]!]: 1 })
  })

  test("is in the audience's list, and is merged into a contact who is not", async () => {
    const { shop, before, people, extra, finish } = await pausedCampaign({ others: 1, byId: true })
    await merge(shop, before[0]!, people[3]!)
    await finish()
    expect(Object.keys(await messagesOf(shop, extra)).sort()).toEqual(
      [before[0]!, people[0]!, people[1]!, people[2]!].sort(),
    )
  })
})

test('merging a contact outside the audience into a contact that the walk has passed sends no message', async () => {
  const { shop, before, extra, people, finish } = await pausedCampaign({ others: 3 })
  await merge(shop, before[0]!, before[2]!)
  await shop.patch(`/contacts/${before[0]}`, { tags: ['vip'] })
  await finish()
  expect(Object.keys(await messagesOf(shop, extra)).sort()).toEqual([...people].sort())
})

test('two people with queued messages get one message after their contacts are merged', async () => {
  const held: Taken[] = []
  operator.answer((call) => {
    if (call.request.url?.endsWith('/messages')) held.push(call)
    else accept(call)
  })
  const shop = await cloudShop(parley)
  const campaigns = await campaignsOf(parley, shop)
  const ids = await makeContacts(shop, 60, opted)
  const { body } = await campaigns.create({ phoneNumberId: shop.cloudNumberId, sendNow: true })
  await until(() => held.length > 0, 'the operator has some messages')
  await until(async () => (await campaigns.of(body.id)).status === 'completed', 'all messages are queued')
  const numberOf = (call: Taken): string => `+${String(call.body.to).replace('+', '')}`
  // In one pair both messages are queued; in the other, the operator already has one.
  const mergedId = (await shop.get(`/contacts/${numberOf(held[0]!)}`)).body.contact.id
  await merge(shop, ids[58]!, ids[59]!)
  await merge(shop, ids[57]!, mergedId)
  operator.answer(accept)
  for (const call of held.splice(0)) accept(call)
  await until(async () => (await campaigns.of(body.id)).counts.skipped === 2, 'two messages are skipped')
  const sent = () => operator.taken.filter((call) => call.request.url?.endsWith('/messages')).map(numberOf)
  await until(() => sent().length === 58, 'the other messages are submitted')
  expect(new Set(sent()).size).toBe(58)
  expect(sent()).not.toContain('+919000000059')
  expect(sent()).not.toContain('+919000000057')
  const { messages } = (await shop.get('/messages?limit=100&status=skipped')).body
  expect(messages.map((message: Body) => [message.contactId, message.skipReason]).sort()).toEqual(
    [
      [ids[58], 'duplicate'],
      [ids[57], 'duplicate'],
    ].sort(),
  )
  const people = await campaigns.people(body.id)
  expect([people.size, people.get(ids[57]!)?.status]).toEqual([58, expect.not.stringMatching('skipped')])
})
