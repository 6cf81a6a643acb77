/** Push notifications to browsers of members (DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { makePushService } from '../../../../test/support/push-service.ts'
import { type Browser, DASHBOARD, signIn, signInByLink } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'

const PATH = `${DASHBOARD}/push`
let service: Awaited<ReturnType<typeof makePushService>>
let parley: TestParley
let shop: TestWorkspace
let ravi: Browser
beforeAll(async () => {
  service = await makePushService()
  parley = await boot({ env: service.env })
})
afterAll(async () => {
  await parley?.close()
  await service?.close()
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
  ravi = await signIn(parley, shop, 'agent')
  service.received.length = 0
})

const subscribed = async (session: Browser) => {
  const browser = service.newBrowser()
  const { status, body, text } = await session.post(PATH, browser.subscription)
  expect(status, text).toBe(201)
  // Every process has heard that the workspace now has subscriptions.
  await until(
    async () =>
      (
        await parley.system((tx) =>
          tx.sql<{ usage: number }>('select pg_notification_queue_usage() as usage'),
        )
      )[0]!.usage === 0,
    'the announcement is read',
  )
  return { ...browser, id: body.subscription.id as string }
}
const chatOf = async (text: string, from = '+919812300001'): Promise<Body> => {
  await shop.inbound(from, text, { name: 'Meera' })
  return (await shop.get('/conversations')).body.conversations[0]
}
const pendingPushes = async (): Promise<number> =>
  (
    await parley.system((tx) =>
      tx.sql<{ count: number }>(`select count(*)::int4 as count from jobs where name = 'sendPush'`),
    )
  )[0]!.count
const untilIdle = () => until(async () => (await pendingPushes()) === 0, 'no push waits')
const choose = (session: Browser, push: object) => session.patch(`${DASHBOARD}/preferences`, { push })

test('a message of a customer is pushed to the browser, encrypted and signed, with its text', async () => {
  const browser = await subscribed(ravi)
  const chat = await chatOf('Is the blue one in stock?')
  const pushed = await service.push(1)
  expect(pushed.path).toBe(new URL(browser.subscription.endpoint).pathname)
  expect(pushed.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '14400',
    urgency: 'high',
    topic: expect.stringMatching(/^[\w-]{32}$/),
    authorization: expect.stringMatching(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]+$/),
  })
  const { key } = (await ravi.get(PATH)).body
  expect(pushed.headers.authorization).toContain(`k=${key}`)
  expect(pushed.bytes.toString('latin1')).not.toContain('blue')
  expect(browser.read(pushed)).toEqual({
    id: expect.any(String),
    workspaceId: shop.workspaceId,
    kind: 'message',
    subjectId: chat.id,
    parentId: null,
    title: 'Meera',
    actor: null,
    text: 'Is the blue one in stock?',
    replyTo: { to: '+919812300001', phoneNumberId: shop.phoneNumberId },
    unread: 1,
  })
})

test('a message goes to the assignee of its chat; without one, to agents and admins who want it', async () => {
  const chat = await chatOf('Hello')
  const asha = await signIn(parley, shop, 'agent')
  const viewer = await signIn(parley, shop, 'viewer')
  const [ravis, ashas] = [await subscribed(ravi), await subscribed(asha)]
  await subscribed(viewer)
  await choose(asha, { unassigned: false })
  await chatOf('Anyone there?')
  expect(ravis.read(await service.push(1)).text).toBe('Anyone there?')
  await shop.patch(`/conversations/${chat.id}`, { assignedAgentId: asha.memberId })
  // The assignment itself is a notification of Asha's.
  expect(ashas.read(await service.push(2))).toMatchObject({
    kind: 'conversation_assigned',
    subjectId: chat.id,
    title: 'Meera',
  })
  await chatOf('Thank you')
  expect(ashas.read(await service.push(3))).toMatchObject({ kind: 'message', text: 'Thank you' })
  await untilIdle()
  expect(service.received).toHaveLength(3)
  await choose(asha, { messages: false })
  await chatOf('Bye')
  await untilIdle()
  expect(service.received).toHaveLength(3)
})

test('the member chooses whether a notification shows the text, and quiet hours', async () => {
  const browser = await subscribed(ravi)
  await choose(ravi, { text: false })
  await chatOf('My card number is 4242')
  expect(browser.read(await service.push(1))).toMatchObject({ title: 'Meera', text: null })
  const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))
  await choose(ravi, { quiet: { timeZone: 'Asia/Kolkata', weekly } })
  await chatOf('Again')
  await untilIdle()
  expect(service.received).toHaveLength(1)
})

test('a failed attempt is repeated with the same topic and id', async () => {
  const browser = await subscribed(ravi)
  service.answerNext(503)
  await chatOf('Hello')
  await service.push(1)
  await shop.advance(60)
  const [first, second] = [await service.push(1), await service.push(2)]
  expect(second.headers.topic).toBe(first.headers.topic)
  expect(browser.read(second)).toEqual(browser.read(first))
  await untilIdle()
  expect(service.received).toHaveLength(2)
})

test.each([404, 410, 403])(
  'a browser that the push service does not know (%i) is removed',
  async (status) => {
    await subscribed(ravi)
    service.answerNext(status)
    await chatOf('Hello')
    await service.push(1)
    await until(async () => (await ravi.get(PATH)).body.subscriptions.length === 0, 'the browser is removed')
    await untilIdle()
    expect(service.received).toHaveLength(1)
  },
)

test('a browser that signed out gets nothing, and neither does a member who left', async () => {
  await subscribed(ravi)
  const other = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: ravi.memberId })
  await ravi.delete(`${DASHBOARD}/session`)
  await chatOf('Hello')
  await untilIdle()
  expect((await other.get(PATH)).body.subscriptions).toEqual([])
  await subscribed(other)
  const owner = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
  expect((await owner.delete(`${DASHBOARD}/members/${ravi.memberId}`)).status).toBe(200)
  await chatOf('Hello again')
  await untilIdle()
  expect(service.received).toEqual([])
})

test('a message that is read or erased before its push is not pushed', async () => {
  const browser = await subscribed(ravi)
  service.answerNext(503, 503)
  const chat = await chatOf('Secret zinnias')
  await service.push(1)
  expect((await shop.delete(`/contacts/${chat.contact.id}`)).status).toBe(200)
  await shop.advance(1_000)
  await untilIdle()
  expect(service.received).toHaveLength(1)
  expect(browser.read(await service.push(1)).text).toBe('Secret zinnias')
})

test('a browser subscribes once: again with new keys it stays one entry', async () => {
  const browser = await subscribed(ravi)
  const again = await ravi.post(PATH, {
    ...service.newBrowser().subscription,
    endpoint: browser.subscription.endpoint,
  })
  expect(again.body.subscription).toMatchObject({ id: browser.id, current: true })
  const { subscriptions } = (await ravi.get(PATH)).body
  expect(subscriptions).toEqual([
    { id: browser.id, device: expect.any(String), current: true, createdAt: expect.any(String) },
  ])
  const asha = await signIn(parley, shop, 'agent')
  expect((await asha.delete(`${PATH}/${browser.id}`)).status).toBe(404)
  expect((await ravi.delete(`${PATH}/${browser.id}`)).body).toEqual({ ok: true })
  expect((await ravi.get(PATH)).body.subscriptions).toEqual([])
})

test('addresses that calls must not reach, and keys of no browser, are rejected', async () => {
  const { subscription } = service.newBrowser()
  const issueOf = async (patch: object) => {
    const { status, body } = await ravi.post(PATH, { ...subscription, ...patch })
    return [status, body.issues?.[0]?.path]
  }
  for (const endpoint of [
    'http://push.example/1',
    'https://10.0.0.1/1',
    'https://169.254.169.254/1',
    'nothing',
  ])
    expect(await issueOf({ endpoint }), endpoint).toEqual([400, 'endpoint'])
  expect(await issueOf({ p256dh: 'AAAA' })).toEqual([400, 'p256dh'])
  expect(await issueOf({ auth: 'AAAA' })).toEqual([400, 'p256dh'])
})

test('a member from whom numbers are hidden reads no number, and can still answer', async () => {
  await shop.set({ detailsHiddenFrom: ['agent'] })
  const browser = await subscribed(ravi)
  await shop.inbound('+919812300042', 'Is the blue one in stock?')
  const pushed = browser.read(await service.push(1))
  expect(pushed.title).toBe('+91••••••••42')
  expect(JSON.stringify(pushed)).not.toContain('9812300042')
  const { replyTo } = pushed
  expect(replyTo.to).toMatch(/^contact:/)
  expect((await ravi.post('/send', { ...replyTo, type: 'text', text: 'Yes' })).status).toBe(200)
})
