import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../../../../test/support/boot.ts'
import { campaignsOf } from '../../../../test/support/campaigns.ts'
import { uploadOf } from '../../../../test/support/files.ts'
import { sweepingPastRetention } from '../../../database/sql/past-retention.ts'
import { deleteOldMessages } from './intake/queries/message-retention.ts'

const DAY_SECONDS = 86_400
const CUSTOMER = '+919812345678'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

test("messages are deleted with their files after the workspace's number of days, and nothing else is", async () => {
  const [shop, other] = await Promise.all([1, 2].map(() => parley.workspace({ sandbox: true })))
  for (const workspace of [shop!, other!]) {
    await workspace.inbound(CUSTOMER, 'the first')
    const { id } = (await workspace.post('/media', uploadOf('image/png', 500))).body
    const sent = await workspace.post('/send', {
      to: CUSTOMER,
      type: 'image',
      payload: { type: 'image', image: { id } },
    })
    expect(sent.status, sent.text).toBe(200)
    await workspace.advance(60 * DAY_SECONDS)
    await workspace.inbound(CUSTOMER, 'the second')
  }
  const textsIn = async (workspace = shop!) => {
    const { messages } = (await workspace.get('/messages?limit=100')).body
    const texts = messages.map((message: { type: string; content: { body?: string } }) =>
      message.type === 'text' ? message.content.body : message.type,
    )
    return texts
  }
  expect(await textsIn()).toEqual(['the second', 'image', 'the first'])
  await shop!.set({ messageDays: 90 })
  await shop!.advance(29 * DAY_SECONDS)
  expect(await textsIn()).toEqual(['the second', 'image', 'the first'])
  await shop!.advance(DAY_SECONDS + 3_600)
  expect(await textsIn()).toEqual(['the second'])
  expect((await shop!.get('/contacts')).body.contacts).toHaveLength(1)
  expect((await shop!.get('/conversations')).body.conversations).toHaveLength(1)
  const files = await parley.system((tx) =>
    tx.sql<{ count: number }>('select count(*)::int as count from media where workspace_id = $1', [
      shop!.workspaceId,
    ]),
  )
  expect(files).toEqual([{ count: 0 }])

  await other!.advance(200 * DAY_SECONDS)
  expect(await textsIn(other)).toEqual(['the second', 'image', 'the first'])
})

test('a campaign still shows the results of its recipients after their messages are deleted', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const campaigns = await campaignsOf(parley, shop)
  for (const phone of ['+919812345678', '+12125550126', '+919812345679'])
    await shop.post('/contacts', { phone, optInStatus: 'opted_in' })
  await shop.patch('/contacts/+919812345679', { optInStatus: 'opted_out' })
  const { id } = (await campaigns.create({ sendNow: true })).body
  await shop.advance(60)
  const recipientsOf = (query = '') => campaigns.people(id, query)
  const before = await recipientsOf()
  const reported = [...before.values()].map((recipient) => [recipient.status, recipient.errorCode])
  expect(reported).toEqual([
    ['read', null],
    ['failed', 131026],
    ['skipped', null],
  ])
  await shop.set({ messageDays: 90 })
  await shop.advance(91 * DAY_SECONDS)
  expect((await shop.get('/messages')).body.messages).toEqual([])
  // The response is in the messages.
  const withoutResponses = [...before].map(
    ([id, recipient]) => [id, { ...recipient, response: null }] as const,
  )
  expect(await recipientsOf()).toEqual(new Map(withoutResponses))
  for (const [contactId, recipient] of before)
    expect([...(await recipientsOf(`&status=${recipient.status}`)).keys()]).toEqual([contactId])
  expect((await recipientsOf('&status=queued')).size).toBe(0)
  expect((await shop.delete(`/contacts/${[...before.keys()][0]}`)).status).toBe(200)
  expect((await recipientsOf()).size).toBe(2)
})

test('a sweep deletes in small lists, and continues in the workspace in which the former list ended', async () => {
  const shops = await Promise.all([1, 2, 3].map(() => parley.workspace({ sandbox: true })))
  for (const shop of shops) {
    for (const text of ['one', 'two', 'three']) await shop.inbound(CUSTOMER, text)
    await shop.advance(100 * DAY_SECONDS)
    await shop.inbound(CUSTOMER, 'four')
    await shop.set({ messageDays: 90 })
  }
  const sweep = sweepingPastRetention(deleteOldMessages)
  const starts: unknown[] = []
  const counts: number[] = []
  do {
    const found = await parley.system((tx) =>
      sweep(
        (text, parameters = []) => {
          starts.push(parameters[2])
          return tx.sql(text, parameters)
        },
        new Date(),
        2,
      ),
    )
    counts.push(found)
  } while (counts.at(-1) === 2)
  for (const shop of shops)
    expect((await shop.get('/messages')).body.messages).toMatchObject([{ content: { body: 'four' } }])
  expect(starts).toEqual(starts.toSorted())
  expect(new Set(starts.slice(1))).toEqual(new Set(shops.map(({ workspaceId }) => workspaceId)))
  expect(counts.slice(0, -1)).toEqual(counts.slice(0, -1).map(() => 2))
})

test('a retention shorter than the period of the campaign limits is rejected', async () => {
  const shop = await parley.workspace()
  await expect(shop.set({ messageDays: 30 })).rejects.toThrow('message_days')
})

type PlanNode = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: PlanNode[]
}

/** Returns how many rows of a table the nodes of an executed plan returned, its triggers excluded. */
const rowsReadFrom = (table: string, node: PlanNode): number =>
  (node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsReadFrom(table, child), 0)

test('messages that are not old enough are not read', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await shop.set({ messageDays: 90 })
  for (const text of ['one', 'two', 'three', 'four', 'five']) await shop.inbound(CUSTOMER, text)
  const read = await parley.system(async (tx) => {
    let plan: PlanNode | undefined
    await deleteOldMessages(
      async (text, parameters) => {
        const [row] = await tx.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, format json) ${text}`,
          parameters,
        )
        plan = row!['QUERY PLAN'][0].Plan
        return [{ deleted: 0 }] as never
      },
      { now: new Date(), workspaceId: shop.workspaceId, max: 1_000 },
    )
    return rowsReadFrom('messages', plan!)
  })
  expect(read).toBe(0)
})
