import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { madeBot, tap } from '../../../../../test/support/replies.ts'
import { signIn } from '../../../../../test/support/sessions.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
})

const [ASHA, NISHA, RAVI] = ['+919812345678', '+919812345671', '+919812345672']
const MENU = {
  name: 'Menu',
  entry: { keywords: ['menu'] },
  start: 'hello',
  nodes: [
    { id: 'hello', type: 'message', text: 'Hello!', next: 'menu' },
    {
      id: 'menu',
      type: 'buttons',
      text: 'What do you need?',
      options: [
        { id: 'hours', title: 'Hours', next: 'hours' },
        { id: 'person', title: 'A person', next: 'person' },
      ],
    },
    { id: 'hours', type: 'message', text: 'From 10 to 7.', next: 'more' },
    {
      id: 'more',
      type: 'buttons',
      text: 'More?',
      options: [{ id: 'back', title: 'Back', next: 'menu' }],
    },
    { id: 'person', type: 'handover', note: null },
  ],
}
const resultsOf = async (id: string): Promise<Body> => (await shop.get(`/bots/${id}/results`)).body.results

test('results count the starts, the nodes that each reached, and where and how they ended', async () => {
  const bot = await madeBot(parley, shop, MENU)
  for (const phone of [ASHA, NISHA, RAVI]) await shop.inbound(phone, 'menu')
  await tap(shop, ASHA, 'A person')
  await tap(shop, NISHA, 'Hours')
  await tap(shop, NISHA, 'Back')
  const zero = { left: 0, handedOver: 0, endedByTeammate: 0, ended: 0, active: 0 }
  expect(await resultsOf(bot.id)).toMatchObject({
    starts: 3,
    limited: false,
    conversations: 3,
    ended: 0,
    handedOver: 1,
    left: 0,
    active: 2,
    nodes: [
      { id: 'hello', reached: 3, ...zero },
      { id: 'menu', reached: 3, ...zero, active: 2 },
      { id: 'hours', reached: 1, ...zero },
      { id: 'more', reached: 1, ...zero },
      { id: 'person', reached: 1, ...zero, handedOver: 1 },
    ],
  })
  await shop.advance(31 * 60)
  const later = await until(async () => {
    const results = await resultsOf(bot.id)
    return results.active === 0 ? results : undefined
  }, 'the end of the idle sessions')
  expect(later).toMatchObject({ left: 2, active: 0 })
  expect(later.nodes[1]).toEqual({ id: 'menu', reached: 3, ...zero, left: 2 })
  await shop.inbound(RAVI, 'menu')
  expect(await resultsOf(bot.id)).toMatchObject({ starts: 4, conversations: 3, left: 2, active: 1 })
})

test('a bot that ends without waiting counts as ended, and the list shows the starts of 30 days', async () => {
  const bot = await madeBot(parley, shop, {
    name: 'Hours',
    entry: { keywords: ['hours'] },
    start: 'hours',
    nodes: [{ id: 'hours', type: 'message', text: 'From 10 to 7.', next: null }],
  })
  await shop.inbound(ASHA, 'hours')
  expect(await resultsOf(bot.id)).toMatchObject({
    starts: 1,
    ended: 1,
    nodes: [{ id: 'hours', reached: 1, ended: 1 }],
  })
  const starts = async () => (await shop.get('/bots')).body.bots[0].starts
  expect(await starts()).toBe(1)
  await shop.advance(31 * 86_400)
  expect(await starts()).toBe(0)
  expect(await resultsOf(bot.id)).toMatchObject({ starts: 0, conversations: 0, nodes: [{ reached: 0 }] })
})

test('a session that a teammate ended counts as such immediately, also when it is idle, answered, or turned off', async () => {
  const bot = await madeBot(parley, shop, MENU)
  for (const phone of [ASHA, NISHA, RAVI]) await shop.inbound(phone, 'menu')
  const teammate = await signIn(parley, shop, 'agent')
  const answer = async (to: string) => {
    const sent = await teammate.post('/api/v1/send', { to, type: 'text', text: 'I can help.' })
    expect(sent.status, sent.text).toBe(200)
  }
  const running = async () => (await shop.get('/bots')).body.bots[0].running
  await answer(ASHA)
  expect(await resultsOf(bot.id)).toMatchObject({
    endedByTeammate: 1,
    active: 2,
    left: 0,
    nodes: [{ id: 'hello' }, { id: 'menu', reached: 3, endedByTeammate: 1, active: 2, left: 0 }, {}, {}, {}],
  })
  expect(await running()).toBe(2)
  const contact = await shop.get(`/contacts/${encodeURIComponent(ASHA)}/overview`)
  expect(contact.body.bot, contact.text).toBeNull()
  await shop.inbound(ASHA, 'Thank you!')
  expect(await resultsOf(bot.id)).toMatchObject({ endedByTeammate: 1, active: 2 })
  await answer(NISHA)
  await shop.advance(31 * 60)
  await parley.caughtUp()
  expect(await resultsOf(bot.id)).toMatchObject({ endedByTeammate: 2, left: 1, active: 0 })
  await shop.inbound(RAVI, 'menu')
  await answer(RAVI)
  await shop.patch(`/bots/${bot.id}`, { enabled: false })
  expect(await resultsOf(bot.id)).toMatchObject({ starts: 4, endedByTeammate: 3, left: 1, active: 0 })
})

test('results compare the versions of a bot, and count one of them', async () => {
  const bot = await madeBot(parley, shop, MENU)
  await shop.inbound(ASHA, 'menu')
  await tap(shop, ASHA, 'A person')
  await shop.inbound(NISHA, 'menu')
  await shop.patch(`/bots/${bot.id}`, {
    nodes: MENU.nodes.map((node) => (node.id === 'hello' ? { ...node, text: 'Welcome!' } : node)),
  })
  await shop.inbound(RAVI, 'menu')
  const none = { ended: 0, handedOver: 0, endedByTeammate: 0, left: 0, active: 0 }
  const results = await resultsOf(bot.id)
  expect(results).toMatchObject({ version: null, starts: 3 })
  expect(results.versions).toEqual([
    { ...none, version: 2, since: expect.any(String), starts: 1, active: 1 },
    { ...none, version: 1, since: expect.any(String), starts: 2, handedOver: 1, active: 1 },
  ])
  const first = (await shop.get(`/bots/${bot.id}/results?version=1`)).body.results
  expect(first).toMatchObject({ version: 1, starts: 2, conversations: 2, handedOver: 1, active: 1 })
  expect(first.nodes[1]).toMatchObject({ id: 'menu', reached: 2, active: 1 })
  expect(first.versions).toEqual(results.versions)
  expect((await shop.get(`/bots/${bot.id}/results?version=0`)).status).toBe(400)
})

test('the results of a customer are erased with the customer, and those of a bot with the bot', async () => {
  const bot = await madeBot(parley, shop, MENU)
  for (const phone of [ASHA, NISHA]) await shop.inbound(phone, 'menu')
  await shop.delete(`/contacts/${ASHA}`)
  await parley.caughtUp()
  expect(await resultsOf(bot.id)).toMatchObject({ starts: 1 })
  await shop.delete(`/bots/${bot.id}`)
  const rows = await parley.system((tx) =>
    tx.sql('select id from bot_visits where workspace_id = $1', [shop.workspaceId]),
  )
  expect(rows).toEqual([])
})
