/** Reminders of bookings (DECISIONS.md) check the booking again before they are sent. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  bookingShop,
  madeBooking,
  madeService,
  madeStaff,
  newCustomer,
  startIn,
} from '../../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'

let parley: TestParley
let shop: TestWorkspace
let templateId: string
let serviceId: string
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await bookingShop(parley)
  await storeTemplate(parley, shop, {
    name: 'visit_soon',
    components: [{ type: 'BODY', text: 'Hello {{1}}, we expect you for {{2}} on {{3}}.' }],
  })
  const { templates } = (await shop.get('/templates?name=visit_soon')).body
  templateId = templates[0].id
  await shop.call('PUT', '/booking-settings', { reminders: [{ minutesBefore: 120, templateId }] })
  serviceId = (await madeService(shop)).id
})

const HOUR = 3_600
const reminders = async (): Promise<string[]> =>
  (
    await parley.system((tx) =>
      tx.sql<{ templateText: string }>(
        `select template_text from messages where workspace_id = $1 and type = 'template' order by id`,
        [shop.workspaceId],
      ),
    )
  ).map(({ templateText }) => templateText)
const createBooking = (more: object = {}): Promise<Body> =>
  madeBooking(shop, { serviceId, ...newCustomer(), startAt: startIn(1), ...more })

test('are sent once, with the customer, service, time, and place', async () => {
  await createBooking()
  await shop.advance(21 * HOUR)
  expect(await reminders()).toEqual([])
  await shop.advance(2 * HOUR)
  expect(await reminders()).toEqual([
    expect.stringMatching(
      /^Hello Asha Rao, we expect you for Haircut on \w{3} \d+ \w{3} \d{4}, \d\d:\d\d\.$/,
    ),
  ])
  await shop.advance(2 * HOUR)
  expect(await reminders()).toHaveLength(1)
})

test('A moved booking reminds once, for its new time', async () => {
  const { id } = await createBooking()
  await shop.patch(`/bookings/${id}`, { startAt: startIn(3) })
  await shop.advance(24 * HOUR)
  expect(await reminders()).toEqual([])
  await shop.advance(47 * HOUR)
  expect(await reminders()).toHaveLength(1)
  await shop.patch(`/bookings/${id}`, { startAt: startIn(5) })
  await shop.advance(50 * HOUR)
  expect(await reminders()).toHaveLength(2)
})

test('are not sent for a canceled booking, and are sent once for a restored one', async () => {
  const [cancelledBooking, restored] = [
    await createBooking(),
    await createBooking({ startAt: startIn(1, 1) }),
  ]
  for (const { id } of [cancelledBooking, restored])
    await shop.patch(`/bookings/${id}`, { status: 'cancelled' })
  await shop.patch(`/bookings/${restored.id}`, { status: 'confirmed' })
  await shop.advance(26 * HOUR)
  expect(await reminders()).toHaveLength(1)
})

test('use the current settings, and are not sent if they were removed or the module is off', async () => {
  await createBooking()
  await shop.call('PUT', '/booking-settings', {})
  await shop.advance(23 * HOUR)
  await shop.call('PUT', '/booking-settings', { reminders: [{ minutesBefore: 120, templateId }] })
  await createBooking({ startAt: startIn(2) })
  await shop.set({ modules: [] })
  await shop.advance(24 * HOUR)
  expect(await reminders()).toEqual([])
})

const nextReminder = async (): Promise<string | undefined> => {
  await shop.advance(23 * HOUR)
  return (await reminders())[0]
}
const templateWith = async (name: string, text: string): Promise<void> => {
  const components = [
    { type: 'BODY', text },
    { type: 'FOOTER', text: 'Silk House' },
  ]
  await storeTemplate(parley, shop, { name, components })
  const { templates } = (await shop.get(`/templates?name=${name}`)).body
  await shop.call('PUT', '/booking-settings', {
    reminders: [{ minutesBefore: 120, templateId: templates[0].id }],
  })
}

test('values with line breaks, tabs, and repeated spaces are sent in one line', async () => {
  await templateWith('where', 'Dear {{1}}, {{2}} at {{3}}, here: {{4}}. See you!')
  const staff = await madeStaff(shop, { name: 'Meera\nTower B,\r\n2nd floor\n\tMG Road        Pune' })
  const service = await madeService(shop, { staffIds: [staff.id] })
  await createBooking({ serviceId: service.id, name: 'Asha\tRao' })
  expect(await nextReminder()).toMatch(
    /^Dear Asha Rao, Haircut at .*, here: Meera, Tower B, 2nd floor, MG Road Pune\. See you!$/,
  )
})

test('values that are too long are shortened, so that the reminder can be sent', async () => {
  await templateWith('long', `${'x'.repeat(900)} {{1}} {{2}} {{3}} {{4}} yours`)
  const service = await madeService(shop, { name: 'S'.repeat(110), location: 'L'.repeat(480) })
  await createBooking({ serviceId: service.id })
  const text = await nextReminder()
  expect(Array.from(text!).length).toBeLessThanOrEqual(1024)
  expect(text).toContain('…')
})

test("a reminder that cannot be sent leaves a note in the customer's chat, or a task on the lead", async () => {
  const [writer, lead, other] = [newCustomer(), newCustomer(), newCustomer()]
  await shop.inbound(writer.phone, 'Hello')
  await shop.post('/leads', { phone: lead.phone, name: lead.name })
  await createBooking(writer)
  await createBooking({ ...lead, startAt: startIn(1, 1) })
  await createBooking({ ...other, startAt: startIn(1, 2) })
  await parley.system((tx) =>
    tx.sql(`update templates set status = 'paused' where workspace_id = $1`, [shop.workspaceId]),
  )
  await shop.advance(25 * HOUR)
  expect(await reminders()).toEqual([])
  const why = /^The booking reminder wasn't sent: The template visit_soon .* is paused/
  const { conversations } = (await shop.get('/conversations')).body
  expect(conversations.map((conversation: Body) => conversation.contact.phone).toSorted()).toEqual(
    [writer.phone, other.phone].toSorted(),
  )
  for (const { id } of conversations) {
    const { notes } = (await shop.get(`/conversations/${id}/notes`)).body
    expect(notes.map((note: Body) => note.body)).toEqual([expect.stringMatching(why)])
  }
  const { tasks } = (await shop.get('/tasks')).body
  expect(tasks).toMatchObject([{ title: expect.stringMatching(why) }])
})
