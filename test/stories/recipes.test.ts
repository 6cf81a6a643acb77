/** Every ready-made automation of the gallery, turned on unchanged, with its effect. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RECIPE_TARGETS, type RecipeTarget } from '../../dashboard/automations/recipe-targets.ts'
import { RECIPES } from '../../dashboard/automations/recipes.ts'
import { addMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import { runsOf } from '../support/automations.ts'
import { madeBooking, startIn } from '../support/bookings.ts'
import { type Body, boot, type Client, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { createAnsweredReview } from '../support/reviews.ts'
import { until } from '../support/until.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ASHA = '+919812345678'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

const used = new Set<string>()

/** Turns on a recipe exactly as in the gallery. */
async function use(shop: Client, id: string): Promise<string> {
  used.add(id)
  const recipe = RECIPES.find((candidate) => candidate.id === id)!
  const { status, body, text } = await shop.post('/automations', recipe.body)
  expect(status, text).toBe(201)
  return body.automation.id
}

const chatOf = async (shop: Client): Promise<Body> => (await shop.get('/conversations')).body.conversations[0]

/** Returns the outbound messages of the chat, oldest first. */
async function listWritten(shop: Client): Promise<string[]> {
  const { messages } = (await shop.get(`/messages?conversationId=${(await chatOf(shop)).id}`)).body
  return messages
    .filter(({ direction }: Body) => direction === 'outbound')
    .map(({ text }: Body) => text)
    .toReversed()
}
const notesOf = async (shop: Client): Promise<string[]> =>
  (await shop.get(`/conversations/${(await chatOf(shop)).id}/notes`)).body.notes.map(({ body }: Body) => body)
const tasksOf = async (shop: Client): Promise<Body[]> => (await shop.get('/tasks')).body.tasks

const minutesFrom = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 60_000)

test('a customer whose call was missed gets a message, is a lead, and is called back within the hour', async () => {
  const shop = await parley.workspace()
  const number = await connectNumber(parley, shop)
  const id = await use(shop, 'missed-call')
  const timestamp = String(Math.floor(Date.now() / 1000))
  await number.report('calls', {
    contacts: [{ wa_id: ASHA.slice(1), profile: { name: 'Asha' } }],
    calls: [
      {
        id: 'wacid.1',
        from: ASHA.slice(1),
        direction: 'USER_INITIATED',
        event: 'terminate',
        status: 'FAILED',
        timestamp,
      },
    ],
  })
  const [run] = await runsOf(shop, id)
  expect(run).toMatchObject({ status: 'done', steps: [{}, {}, {}].map(() => ({ status: 'done' })) })
  expect(await listWritten(shop)).toEqual([expect.stringContaining('missed your call')])
  const [lead] = (await shop.get('/leads')).body.leads
  expect(lead).toMatchObject({ phone: ASHA.slice(1), source: 'Missed call' })
  const [task] = await tasksOf(shop)
  expect(task).toMatchObject({ type: 'call', priority: 'high', title: 'Call back' })
  expect(minutesFrom(task!.createdAt, task!.dueAt)).toBe(60)
})

test('new leads are assigned in turn, and the assigned member gets a task to call within half an hour', async () => {
  const shop = await parley.workspace({ sandbox: true })
  for (const name of ['Ravi', 'Meera'])
    await parley.system((tx) =>
      addMember(
        tx,
        { workspaceId: shop.workspaceId, email: `${name}@example.com`, name, role: 'agent' },
        new Date(),
      ),
    )
  await shop.patch('/pipeline/assignment', { mode: 'round_robin', members: ['Ravi', 'Meera'] })
  const id = await use(shop, 'round-robin')
  await shop.post('/leads', { phone: ASHA, name: 'Asha Rao' })
  await shop.post('/leads', { phone: '+919812345679', name: 'Kiran Das' })
  await runsOf(shop, id, 2)
  const tasks = await tasksOf(shop)
  expect(tasks.map(({ assignee }) => assignee.name).toSorted()).toEqual(['Meera', 'Ravi'])
  expect(tasks.map(({ title }) => title).toSorted()).toEqual([
    'First call to Asha Rao',
    'First call to Kiran Das',
  ])
  for (const { createdAt, dueAt } of tasks) expect(minutesFrom(createdAt, dueAt)).toBe(30)
})

test('a chat without an answer for an hour becomes urgent, an answered chat does not', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await use(shop, 'unanswered')
  await shop.inbound(ASHA, 'Is it in stock?')
  await shop.advance(59 * MINUTE)
  expect(await chatOf(shop)).toMatchObject({ priority: 'normal' })
  await shop.advance(2 * MINUTE)
  expect(await chatOf(shop)).toMatchObject({ priority: 'urgent' })
  expect(await notesOf(shop)).toEqual([expect.stringContaining('waited an hour')])

  await shop.patch(`/conversations/${(await chatOf(shop)).id}`, { priority: 'normal' })
  await shop.inbound(ASHA, 'And in blue?')
  await shop.post('/send', { to: ASHA, type: 'text', text: 'Yes, in blue too.' })
  await shop.advance(2 * HOUR)
  expect(await chatOf(shop)).toMatchObject({ priority: 'normal' })
})

test('an inactive customer is asked once whether they are still interested', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await use(shop, 'abandoned')
  await shop.inbound(ASHA, 'Is it in stock?')
  await shop.post('/send', { to: ASHA, type: 'text', text: 'Yes, in every size.' })
  await shop.advance(20 * HOUR + MINUTE)
  const expected = ['Yes, in every size.', expect.stringContaining('still interested')]
  expect(await listWritten(shop)).toEqual(expected)
  await shop.advance(3 * DAY)
  expect(await listWritten(shop)).toEqual(expected)
})

test('a customer whose lead is won is thanked, gets a task, and is asked after three days how it goes', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await use(shop, 'won')
  await shop.inbound(ASHA, 'I take it.', { name: 'Asha Rao' })
  const { lead } = (await shop.post('/leads', { phone: ASHA, name: 'Asha Rao' })).body
  const { stages } = (await shop.get('/pipeline')).body
  const stageOf = (kind: string) => stages.find((stage: Body) => stage.kind === kind).id
  await shop.patch(`/leads/${lead.id}`, { stage: stageOf('active') })
  await shop.advance(MINUTE)
  expect(await listWritten(shop)).toEqual([])
  await shop.patch(`/leads/${lead.id}`, { stage: stageOf('won') })
  await shop.advance(MINUTE)
  expect(await listWritten(shop)).toEqual([
    "Thank you for choosing us, Asha Rao. We're here whenever you need us.",
  ])
  expect(await tasksOf(shop)).toMatchObject([{ title: 'Get Asha Rao started' }])
  await shop.advance(2.5 * DAY)
  await shop.inbound(ASHA, 'It arrived.')
  expect(await listWritten(shop)).toHaveLength(1)
  await shop.advance(DAY)
  expect(await listWritten(shop)).toEqual([
    expect.stringContaining('Thank you'),
    expect.stringContaining('How is everything so far, Asha Rao?'),
  ])
})

/** Creates a past booking for a customer who has messaged. */
async function addPastBooking(shop: TestWorkspace, status: 'completed' | 'no_show'): Promise<string> {
  const { id } = await madeBooking(shop, { startAt: startIn(0, 1), phone: ASHA })
  await shop.advance(2 * HOUR)
  await shop.inbound(ASHA, 'Hello')
  const { status: answered, text } = await shop.patch(`/bookings/${id}`, { status })
  expect(answered, text).toBe(200)
  return id
}

test('two hours after a visit the customer is asked for a review', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['bookings', 'reviews'] })
  await use(shop, 'review')
  const id = await addPastBooking(shop, 'completed')
  await shop.advance(HOUR)
  expect((await shop.get('/review-requests')).body.reviewRequests).toEqual([])
  await shop.advance(HOUR + MINUTE)
  expect((await shop.get('/review-requests')).body.reviewRequests).toMatchObject([
    { about: 'booking', subjectId: id, status: 'sent' },
  ])
})

test("customers with a birthday get wishes that morning, in the workspace's time zone, and no other customers do", async () => {
  const shop = await parley.workspace({ sandbox: true })
  const { timezone } = (await shop.get('/me')).body.workspace
  const id = await use(shop, 'birthday')
  // A day that could also be a month, so that another customer's year and month resemble the birthday.
  let day = Temporal.Now.plainDateISO(timezone).add({ days: 1 })
  while (day.day > 12) day = day.add({ days: 1 })
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  for (const [phone, name, birthday] of [
    [ASHA, 'Asha Rao', day.with({ year: 1992 }).toString()],
    ['+919812345679', 'Kiran Das', day.with({ year: 1992 }).add({ days: 40 }).toString()],
    ['+919812345680', 'Meera Nair', `20${twoDigits(day.month)}-${twoDigits(day.day)}-15`],
  ] as const)
    await shop.post('/leads', { phone, name, attributes: { birthday } })
  const morning = day.toZonedDateTime({ timeZone: timezone, plainTime: '10:00' }).epochMilliseconds
  await shop.advance(Math.floor((morning - Date.now()) / 1000) - HOUR)
  await shop.inbound(ASHA, 'Hello', { name: 'Asha Rao' })
  expect(await listWritten(shop)).toEqual([])
  await shop.advance(2 * HOUR)
  expect(await listWritten(shop)).toEqual(['Happy birthday, Asha Rao. All the best from all of us.'])
  await shop.advance(3 * DAY)
  expect(await runsOf(shop, id)).toHaveLength(1)
})

test('a bad review makes the chat urgent, with a note with its text; a good one does not', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['invoicing', 'reviews'] })
  const id = await use(shop, 'low-review')
  await createAnsweredReview(shop, 5)
  await runsOf(shop, id)
  expect(await chatOf(shop)).toMatchObject({ priority: 'normal' })
  const { subjectLabel } = await createAnsweredReview(shop, 1)
  await runsOf(shop, id, 2)
  expect(await chatOf(shop)).toMatchObject({ priority: 'urgent', state: 'open' })
  expect(await notesOf(shop)).toEqual([expect.stringContaining(`Rated ${subjectLabel} 1 of 5`)])
})

test('a customer who missed a booking is offered a new time', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['bookings'] })
  await use(shop, 'no-show')
  await addPastBooking(shop, 'no_show')
  await until(async () => (await listWritten(shop)).length === 1, 'the message')
  expect(await listWritten(shop)).toEqual([
    'We missed you at your Haircut booking. Would you like to book a new time?',
  ])
})

/** The part of a recipe that is no automation. */
function targetOf<Kind extends RecipeTarget['kind']>(id: string, _kind: Kind) {
  used.add(id)
  return RECIPE_TARGETS.find((entry) => entry.id === id) as Extract<RecipeTarget, { kind: Kind }>
}

const listSent = async (shop: Client): Promise<Body[]> =>
  (await shop.get('/messages?direction=outbound')).body.messages.toReversed()

test('a customer who messages for the first time gets the menu, and reaches a member', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const { body } = targetOf('welcome-menu', 'bot')
  const response = await shop.post('/bots', body)
  expect(response.status, response.text).toBe(201)
  await shop.patch(`/bots/${response.body.bot.id}`, { enabled: true })
  await parley.caughtUp()
  await shop.inbound(ASHA, 'Hello')
  await until(async () => (await listSent(shop)).length === 1, 'the menu is sent')
  const [menu] = await listSent(shop)
  const { buttons } = menu.content.action
  expect(buttons.map(({ reply }: Body) => reply.title)).toEqual(['Opening hours', 'My order', 'Talk to us'])
  const { id: buttonId, title } = buttons[2].reply
  expect((await shop.post('/sandbox/inbound', { from: ASHA, buttonId, title })).status).toBe(202)
  await until(async () => (await notesOf(shop)).length === 1, 'the chat is handed over')
  expect(await notesOf(shop)).toEqual([expect.stringContaining('Asked for a person.')])
})

test('a customer who messages outside of business hours is answered immediately', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const { body } = targetOf('away', 'autoReply')
  const response = await shop.post('/auto-replies', { ...body, enabled: true })
  expect(response.status, response.text).toBe(201)
  const closed = { timeZone: 'Asia/Kolkata', weekly: [], overrides: [] }
  expect((await shop.call('PUT', '/business-hours', closed)).status).toBe(200)
  await parley.caughtUp()
  await shop.inbound(ASHA, 'Are you there?')
  await until(async () => (await listWritten(shop)).length === 1, 'the away message is sent')
  expect(await listWritten(shop)).toEqual([expect.stringContaining("We're closed right now")])
})

test('a customer who orders with cash on delivery is asked to confirm', async () => {
  const shop = await parley.workspace({ sandbox: true })
  targetOf('cod', 'cod')
  const settings = { cod: { enabled: true, delayMinutes: 0 } }
  expect((await shop.call('PUT', '/integrations/simulator', { settings })).status).toBe(200)
  await shop.inbound(ASHA, 'I will order now')
  const order = { store: 'shopify', type: 'order_placed', reference: '#1001', cod: true, from: ASHA }
  expect((await shop.post('/sandbox/simulate', { kind: 'order', ...order })).status).toBe(202)
  await shop.advance(60)
  await until(async () => (await listSent(shop)).length === 1, 'the question is sent')
  const [question] = await listSent(shop)
  expect(question.content.action.buttons.map(({ reply }: Body) => reply.title)).toEqual(['Yes', 'No'])
})

test('every recipe of the gallery has a test here', () => {
  expect([...used].toSorted()).toEqual([...RECIPES, ...RECIPE_TARGETS].map(({ id }) => id).toSorted())
})
