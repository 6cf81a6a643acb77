import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { campaignsOf } from '../../../../test/support/campaigns.ts'
import { findEverywhere } from '../../../../test/support/database-search.ts'
import { lockWaits } from '../../../../test/support/lock-waits.ts'
import { openAsService } from '../../../../test/support/open-database.ts'
import { connectNumber } from '../../../../test/support/operator-webhooks.ts'
import { makeReceivers } from '../../../../test/support/receiver.ts'
import { type Browser, DASHBOARD, signIn, signInByLink } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'
import { DAY_MS, later, systemClock } from '../../../core/clock.ts'
import { platformContext } from '../../../core/context.ts'
import { type OpenDatabase, openDatabase } from '../../../database/database.ts'
import { listWorkspacesById } from '../workspaces/queries/workspaces.ts'
import { notifyOfNumber } from './number-notices.ts'
import { notificationRetentionSource } from './work/notification-retention-source.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
let shop: TestWorkspace
let owner: Browser
let asha: Browser
let ravi: Browser
let chat: Body

const PATH = `${DASHBOARD}/notifications`
const customer = '+919812300001'

beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  owner = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
  asha = await signIn(parley, shop, 'agent')
  ravi = await signIn(parley, shop, 'agent')
  await shop.inbound(customer, 'Is the blue one in stock?', { name: 'Meera' })
  ;[chat] = (await shop.get('/conversations')).body.conversations
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

const read = async (browser: Browser, query = ''): Promise<Body> => {
  const answer = await browser.get(`${PATH}${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const titles = async (browser: Browser): Promise<string[]> =>
  (await read(browser)).notifications.map(
    (notification: Body) => `${notification.kind}: ${notification.title}`,
  )
const note = (browser: Pick<Browser, 'post'>, body: object) =>
  browser.post(`/conversations/${chat.id}/notes`, body)

test('members mentioned in a note are notified once, with its text', async () => {
  const answer = await note(asha, {
    body: 'Ravi, can you look?',
    mentions: [ravi.memberId, ravi.memberId, asha.memberId],
  })
  expect(answer.status, answer.text).toBe(201)
  expect(await read(ravi)).toEqual({
    notifications: [
      {
        id: expect.any(String),
        kind: 'mention',
        actorName: 'The agent',
        title: 'Meera',
        body: 'Ravi, can you look?',
        subjectId: chat.id,
        parentId: null,
        createdAt: expect.any(String),
        readAt: null,
      },
    ],
    unread: 1,
    nextCursor: null,
  })
  // Members are not notified of their own actions.
  expect((await read(asha)).unread).toBe(0)
  await note(asha, { body: 'And this?', mentions: [ravi.memberId] })
  expect((await read(ravi, '?kind=mention')).notifications).toHaveLength(2)
})

test('a note that mentions an unknown member is rejected and not stored', async () => {
  const outsider = await signIn(parley, await parley.workspace(), 'agent')
  const answer = await note(asha, { body: 'Look', mentions: [ravi.memberId, outsider.memberId] })
  expect(answer.body).toMatchObject({ error: 'invalid_reference', issues: [{ path: 'mentions[1]' }] })
  expect((await read(ravi)).unread).toBe(0)
  expect((await shop.get(`/conversations/${chat.id}/notes`)).body.notes).toEqual([])
})

test('a chat, a lead and a task that another member assigns', async () => {
  await asha.patch(`/conversations/${chat.id}`, { assignedAgentId: ravi.memberId })
  await asha.patch(`/conversations/${chat.id}`, { assignedAgentId: asha.memberId })
  await asha.patch(`/conversations/${chat.id}`, { assignedAgentId: ravi.memberId })
  const { lead } = (await shop.post('/leads', { phone: customer, name: 'Meera Nair' })).body
  await shop.patch(`/leads/${lead.id}`, { owner: ravi.memberId })
  const task = { leadId: lead.id, type: 'call', title: 'Call back', dueAt: '2035-01-01T10:00:00Z' }
  const created = await asha.post('/tasks', { ...task, assignee: ravi.memberId })
  expect(created.status, created.text).toBe(201)
  expect(await titles(ravi)).toEqual([
    'task_assigned: Call back',
    'lead_assigned: Meera Nair',
    // The second assignment adds no notification while the first is unread.
    'conversation_assigned: Meera',
  ])
  const [first] = (await read(ravi)).notifications
  expect(first).toMatchObject({ body: 'Meera Nair', parentId: lead.id, subjectId: created.body.task.id })
  expect(await titles(asha)).toEqual([])
})

test('a due task, once for each of its due times', async () => {
  const { lead } = (await shop.post('/leads', { phone: customer, name: 'Meera Nair' })).body
  const { now } = (await shop.get('/sandbox/clock')).body
  const dueAt = later(new Date(now), 3_600_000).toISOString()
  const task = { leadId: lead.id, type: 'call', title: 'Call back', dueAt }
  const { id } = (await ravi.post('/tasks', { ...task, assignee: ravi.memberId })).body.task
  await shop.advance(3_500)
  expect(await titles(ravi)).toEqual([])
  await shop.advance(200)
  expect(await titles(ravi)).toEqual(['task_due: Call back'])
  await shop.advance(200)
  await ravi.post(`${PATH}/read`, { upTo: (await read(ravi)).notifications[0].id })
  await ravi.patch(`/tasks/${id}`, { dueAt: later(new Date(dueAt), 7_200_000).toISOString() })
  await shop.advance(7_400)
  expect((await read(ravi)).unread).toBe(1)
})

test('a campaign that ends, or pauses by itself and why: its author', async () => {
  const meena = await signIn(parley, shop, 'admin')
  const { templateId } = await campaignsOf(parley, shop)
  const { now } = (await shop.get('/sandbox/clock')).body
  const campaign = (name: string, more: object = {}) =>
    meena.post('/broadcasts', {
      name,
      templateId,
      phoneNumberId: shop.phoneNumberId,
      segment: {},
      ...more,
    })
  const scheduledAt = later(new Date(now), 600_000).toISOString()
  for (const started of [await campaign('Lights', { scheduledAt }), await campaign('Lamps')])
    expect(started.status, started.text).toBe(201)
  const { broadcasts } = (await shop.get('/broadcasts')).body
  await shop.post(
    `/broadcasts/${broadcasts.find((broadcast: Body) => broadcast.name === 'Lamps').id}/start`,
    {},
  )
  await until(
    async () => (await titles(meena)).includes('campaign_completed: Lamps'),
    'the campaign is completed',
  )
  await parley.system((tx) =>
    tx.sql(`update templates set status = 'rejected' where workspace_id = $1`, [shop.workspaceId]),
  )
  await shop.advance(700)
  expect((await read(meena)).notifications[0]).toMatchObject({
    kind: 'campaign_paused',
    title: 'Lights',
    body: 'The template is rejected.',
    actorName: null,
  })
  expect([await titles(owner), await titles(asha)]).toEqual([[], []])
})

test('a disabled webhook endpoint: owners and admins', async () => {
  const failing = await receivers.open((response) => void response.writeHead(500).end())
  await shop.post('/webhooks', { url: failing.url, events: ['lead.created'] })
  await shop.post('/leads', { phone: '+919812300009' })
  // Three days of failures disable it.
  for (let i = 0; i < 4; i++) {
    await shop.advance(86_400)
    await shop.post('/leads', { phone: `+91981230001${i}` })
  }
  await shop.advance(86_400)
  await until(
    async () => (await titles(owner)).some((title) => title.startsWith('webhook_disabled')),
    'the endpoint is disabled',
  )
  expect(await titles(asha)).toEqual([])
})

test('a number that cannot send: owners and admins, once until it works again, with the next step', async () => {
  const number = await connectNumber(parley, shop)
  const failingNumbers = async (browser: Browser): Promise<Body[]> =>
    (await read(browser)).notifications.filter((notification: Body) => notification.kind === 'number_failing')
  let timestamp = Math.floor(Date.now() / 1_000)
  const ban = (waba_ban_state: string) =>
    number.report('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state } }, timestamp++)
  await ban('DISABLE')
  await until(async () => (await failingNumbers(owner)).length === 1, 'the owner is notified')
  const [first] = await failingNumbers(owner)
  expect(first).toMatchObject({
    title: `+${number.displayNumber}`,
    subjectId: number.phoneNumberId,
    actorName: null,
  })
  expect(first!.body).toContain(
    "Check the number in the operator's business manager and ask for a review there.",
  )
  expect(await failingNumbers(asha)).toEqual([])
  // Read and still broken: no second notification. Working again and then broken: another one.
  await owner.post(`${PATH}/read`, { upTo: first!.id })
  await ban('DISABLE')
  await ban('REINSTATE')
  await ban('DISABLE')
  await until(async () => (await failingNumbers(owner)).length === 2, 'the owner is notified again')
  await ban('REINSTATE')
  // A restriction is partial: the notification names the messages that the number can still send.
  const other = await connectNumber(parley, shop)
  await other.report(
    'account_update',
    {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        {
          restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
          expiration: Math.floor(Date.now() / 1_000) + 86_400,
        },
      ],
    },
    timestamp,
  )
  await until(
    async () => (await failingNumbers(owner)).length === 3,
    'the owner is notified of the restriction',
  )
  expect((await failingNumbers(owner))[0]).toMatchObject({
    title: `+${other.displayNumber}`,
    body: expect.stringContaining('answer customers who wrote'),
  })
})

test('two processes that find a broken number in parallel notify once', async () => {
  const number = await connectNumber(parley, shop)
  const database = openAsService(parley.databaseUrl, systemClock)
  onTestFinished(() => database.close())
  // No report of it arrives: these two processes notify.
  await parley.system((tx) =>
    tx.sql(`update phone_numbers set state = 'number_banned' where id = $1`, [number.phoneNumberId]),
  )
  const [workspace] = await listWorkspacesById(database.query, [shop.workspaceId])
  const notify = (alsoDo: () => Promise<unknown>) =>
    database.tenant(workspace!, async (unit) => {
      await notifyOfNumber(platformContext(unit, workspace!, systemClock), number.phoneNumberId)
      await alsoDo()
    })
  let second: Promise<unknown> | undefined
  await notify(async () => {
    let isDone = false
    second = notify(async () => {
      isDone = true
    })
    await until(
      async () => isDone || (await lockWaits(database.query)).length > 0,
      'the second request waits for the first',
    )
  })
  await second
  const { notifications } = await read(owner)
  expect(notifications.filter((notification: Body) => notification.kind === 'number_failing')).toHaveLength(1)
})

test('read and unread notifications are listed separately, page by page', async () => {
  for (const body of ['one', 'two', 'three']) await note(asha, { body, mentions: [ravi.memberId] })
  const page = await read(ravi, '?limit=2')
  expect([page.notifications.map((notification: Body) => notification.body), page.unread]).toEqual([
    ['three', 'two'],
    3,
  ])
  const rest = await read(ravi, `?limit=2&cursor=${page.nextCursor}`)
  expect([rest.notifications.map((notification: Body) => notification.body), rest.nextCursor]).toEqual([
    ['one'],
    null,
  ])
  const [three, two] = page.notifications
  expect((await asha.post(`${PATH}/read`, { ids: [three.id] })).body).toEqual({ unread: 0 })
  expect((await ravi.post(`${PATH}/read`, { ids: [three.id] })).body).toEqual({ unread: 2 })
  expect(
    (await read(ravi, '?unread=true')).notifications.map((notification: Body) => notification.body),
  ).toEqual(['two', 'one'])
  expect((await ravi.post(`${PATH}/read`, { upTo: two.id })).body).toEqual({ unread: 0 })
  expect((await ravi.post(`${PATH}/read`, {})).status).toBe(400)
  expect((await ravi.post(`${PATH}/read`, { ids: [two.id], upTo: two.id })).status).toBe(400)
  expect((await shop.get(PATH)).status).toBe(401)
})

test('kinds that a member has turned off are not stored', async () => {
  await ravi.patch(`${DASHBOARD}/preferences`, { notifications: { mention: false } })
  await note(asha, { body: 'Ravi?', mentions: [ravi.memberId, shop.ownerId] })
  expect([await titles(ravi), await titles(owner)]).toEqual([[], ['mention: Meera']])
  await ravi.patch(`${DASHBOARD}/preferences`, { notifications: null })
  await note(asha, { body: 'Ravi!', mentions: [ravi.memberId] })
  expect(await titles(ravi)).toEqual(['mention: Meera'])
})

test('notifications about a contact are erased with it, and all are deleted after a quarter of a year', async () => {
  await note(asha, { body: 'zinnias for her', mentions: [ravi.memberId] })
  expect((await shop.delete(`/contacts/${customer}`)).status).toBe(200)
  expect((await read(ravi)).notifications).toEqual([])
  expect(await findEverywhere(parley, ['zinnias'])).toEqual([])
  await shop.inbound('+919812300002', 'Hello')
  ;[chat] = (await shop.get('/conversations')).body.conversations
  await note(asha, { body: 'old', mentions: [ravi.memberId] })
  const database: OpenDatabase = openDatabase({
    url: parley.databaseUrl,
    connections: 1,
    onError: () => {},
    recordEvents: async () => {},
    onCommit: () => {},
  })
  const forget = (days: number) =>
    notificationRetentionSource({
      database,
      clock: { now: () => later(new Date(), days * DAY_MS), monotonicMs: () => 0 },
    }).runDue({})
  await forget(89)
  expect((await read(ravi)).notifications).toHaveLength(1)
  await forget(91)
  expect((await read(ravi)).notifications).toEqual([])
  await database.close()
})

test('a workspace whose reminders cannot be written delays no other', async () => {
  const shops = await Promise.all([1, 2, 3].map(() => parley.workspace({ sandbox: true })))
  const broken = shops[1]!
  for (const statement of [
    `create function refuse_notice() returns trigger language plpgsql as 'begin raise exception ''not written''; end'`,
    `create trigger refuse_notice before insert on notifications for each row
     when (new.kind = 'task_due' and new.workspace_id = '${broken.workspaceId}') execute function refuse_notice()`,
  ])
    await parley.system((tx) => tx.sql(statement))
  for (const [i, shop] of shops.entries()) {
    const { lead } = (await shop.post('/leads', { phone: `+91981239000${i}`, name: 'Meera' })).body
    const due = { type: 'call', title: 'Call back', dueAt: later(new Date(), 2_000).toISOString() }
    const created = await shop.post('/tasks', { leadId: lead.id, ...due, assignee: shop.ownerId })
    expect(created.status, created.text).toBe(201)
  }
  for (const shop of shops.filter((shop) => shop !== broken)) {
    const ownerBrowser = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    await until(
      async () => (await titles(ownerBrowser)).includes('task_due: Call back'),
      'its owner is reminded',
    )
  }
  await parley.system((tx) => tx.sql('drop trigger refuse_notice on notifications'))
  const ownerBrowser = await signInByLink(parley, {
    workspaceId: broken.workspaceId,
    memberId: broken.ownerId,
  })
  await until(
    async () => (await titles(ownerBrowser)).includes('task_due: Call back'),
    'then its owner is reminded too',
  )
})
