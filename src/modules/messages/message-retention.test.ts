import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../test/support/boot.ts'
import { campaignsOf } from '../../../test/support/campaigns.ts'
import { uploadOf } from '../../../test/support/files.ts'

const DAY_SECONDS = 86_400
const CUSTOMER = '+919812345678'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

test("messages are deleted with their files after the workspace's number of days, and nothing else is", async () => {
  const [shop, other] = await Promise.all([1, 2].map(() => parley.workspace({ sandbox: true })))
  for (const one of [shop!, other!]) {
    await one.inbound(CUSTOMER, 'the first')
    const { id } = (await one.post('/media', uploadOf('image/png', 500))).body
    const sent = await one.post('/send', {
      to: CUSTOMER,
      type: 'image',
      payload: { type: 'image', image: { id } },
    })
    expect(sent.status, sent.text).toBe(200)
    await one.advance(60 * DAY_SECONDS)
    await one.inbound(CUSTOMER, 'the second')
  }
  const of = async (one = shop!) => {
    const { messages } = (await one.get('/messages?limit=100')).body
    const texts = messages.map((message: { type: string; content: { body?: string } }) =>
      message.type === 'text' ? message.content.body : message.type,
    )
    return texts
  }
  expect(await of()).toEqual(['the second', 'image', 'the first'])
  await shop!.set({ messageDays: 90 })
  await shop!.advance(29 * DAY_SECONDS)
  expect(await of()).toEqual(['the second', 'image', 'the first'])
  await shop!.advance(DAY_SECONDS + 3_600)
  expect(await of()).toEqual(['the second'])
  expect((await shop!.get('/contacts')).body.contacts).toHaveLength(1)
  expect((await shop!.get('/conversations')).body.conversations).toHaveLength(1)
  const files = await parley.system((tx) =>
    tx.sql<{ count: number }>('select count(*)::int as count from media where workspace_id = $1', [
      shop!.workspaceId,
    ]),
  )
  expect(files).toEqual([{ count: 0 }])

  await other!.advance(200 * DAY_SECONDS)
  expect(await of(other)).toEqual(['the second', 'image', 'the first'])
})

test('a campaign still shows the results of its recipients after their messages are deleted', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const campaigns = await campaignsOf(parley, shop)
  for (const phone of ['+919812345678', '+12125550126', '+919812345679'])
    await shop.post('/contacts', { phone, optInStatus: 'opted_in' })
  await shop.patch('/contacts/+919812345679', { optInStatus: 'opted_out' })
  const { id } = (await campaigns.create({ sendNow: true })).body
  await shop.advance(60)
  const people = (query = '') => campaigns.people(id, query)
  const before = await people()
  const reported = [...before.values()].map((one) => [one.status, one.errorCode])
  expect(reported).toEqual([
    ['read', null],
    ['failed', 131026],
    ['skipped', null],
  ])
  await shop.set({ messageDays: 90 })
  await shop.advance(91 * DAY_SECONDS)
  expect((await shop.get('/messages')).body.messages).toEqual([])
  expect(await people()).toEqual(before)
  for (const [contactId, one] of before)
    expect([...(await people(`&status=${one.status}`)).keys()]).toEqual([contactId])
  expect((await people('&status=queued')).size).toBe(0)
  expect((await shop.delete(`/contacts/${[...before.keys()][0]}`)).status).toBe(200)
  expect((await people()).size).toBe(2)
})

test('a retention shorter than the period of the campaign limits is rejected', async () => {
  const shop = await parley.workspace()
  await expect(shop.set({ messageDays: 30 })).rejects.toThrow('message_days')
})
