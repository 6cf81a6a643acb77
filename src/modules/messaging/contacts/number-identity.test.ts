/**
 * One person has one contact, for every spelling of the number and every endpoint (docs/clarifications.md).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true, countryCode: '91' })
  await storeTemplate(parley, shop, {
    language: 'en',
    components: [{ type: 'BODY', text: 'Your order is ready.' }],
  })
})
afterAll(() => parley?.close())

let last = 1000
/** Returns four digits that no other test uses. */
const freshDigits = (): string => String(++last)

const contactIds = async (): Promise<string[]> =>
  (await shop.get('/contacts?limit=100')).body.contacts.map((contact: Body) => contact.id)
const contactOf = async (ref: string): Promise<Body> =>
  (await shop.get(`/contacts/${encodeURIComponent(ref)}`)).body.contact
const text = (to: string) => shop.post('/send', { to, type: 'text', text: 'Hello' })
const template = (to: string) =>
  shop.post('/send', {
    to,
    type: 'template',
    payload: { type: 'template', template: { name: 'order_ok', language: { code: 'en' } } },
  })
const messageTo = async (answer: { body: Body }): Promise<Body> =>
  (await shop.get(`/messages/${answer.body.messageId}`)).body.message

describe('a number that the operator reported is accepted everywhere, byte for byte', () => {
  // A Mexican number with the old extra digit, and a number outside Uzbekistan's numbering plan.
  test.each(['5215512340000', '99812345670000'])('%s', async (waId) => {
    const phone = `+${waId}`
    await shop.inbound(waId, 'Hello')
    const contact = await contactOf(phone)
    expect(contact.e164).toBe(phone)
    for (const ref of [phone, waId, contact.id]) {
      expect((await contactOf(ref)).id).toBe(contact.id)
      const chats = (await shop.get(`/messages?phone=${encodeURIComponent(ref)}`)).status
      expect(ref === contact.id ? 200 : chats).toBe(200)
    }
    for (const ref of [phone, waId]) {
      const sent = await messageTo(await text(ref))
      expect(sent.contactId).toBe(contact.id)
      expect((await shop.post('/contacts', { phone: ref })).body).toMatchObject({
        created: false,
        contact: { id: contact.id },
      })
      expect((await shop.post('/conversations', { phone: ref })).body.conversation.contact.id).toBe(
        contact.id,
      )
      expect(
        (await shop.get(`/contacts?phone=${encodeURIComponent(ref)}`)).body.contacts.map(
          (contact: Body) => contact.id,
        ),
      ).toEqual([contact.id])
      expect(
        (await shop.post('/contacts/bulk', { contacts: [{ phone: ref }] })).body.results[0].contactId,
      ).toBe(contact.id)
      expect(
        (await shop.post('/contacts/bulk-tags', { phones: [ref], addTags: ['vip'] })).body.results[0]
          .contactId,
      ).toBe(contact.id)
      expect((await shop.post('/sandbox/inbound', { from: ref, text: 'Again' })).status).toBe(202)
    }
    const lead = (await shop.post('/leads', { phone: waId })).body.lead
    expect(lead.phone).toBe(waId)
    expect((await shop.get(`/leads/${waId}`)).body.lead.id).toBe(lead.id)
    expect((await shop.get(`/leads/${encodeURIComponent(phone)}`)).body.lead.id).toBe(lead.id)
    expect((await shop.delete(`/contacts/${encodeURIComponent(phone)}`)).body.deleted).toBe(true)
  })
})

test('digits that begin with a country code are that number, also in an old numbering plan', async () => {
  const waId = `521551235${freshDigits()}`
  const answer = await shop.post('/contacts', { phone: waId })
  expect(answer).toMatchObject({ status: 201, body: { contact: { e164: `+${waId}` } } })
})

describe('ten digits', () => {
  test("are the contact under the workspace's code, for every sending number", async () => {
    const digits = `981110${freshDigits()}`
    const { contact } = (await shop.post('/contacts', { phone: `+91${digits}` })).body
    const before = (await contactIds()).length
    expect((await messageTo(await template(digits))).contactId).toBe(contact.id)
    expect((await shop.post('/conversations', { phone: digits })).body.conversation.contact.id).toBe(
      contact.id,
    )
    expect((await contactOf(digits)).id).toBe(contact.id)
    expect((await shop.post('/leads', { phone: digits })).body.lead.phone).toBe(`91${digits}`)
    expect((await contactIds()).length).toBe(before)
  })

  test("take the sending number's code for a new contact, and then lead to that contact", async () => {
    const digits = `312555${freshDigits()}`
    const { contactId } = await messageTo(await template(digits))
    expect((await contactOf(contactId)).e164).toBe(`+1${digits}`)
    expect((await contactOf(digits)).id).toBe(contactId)
    expect((await shop.post('/contacts', { phone: digits })).body).toMatchObject({
      created: false,
      contact: { id: contactId },
    })
  })
})

describe.each([
  ['Brazil', () => `551198765${freshDigits()}`, (today: string) => today.replace(/^55119/, '5511')],
  ['Mexico', () => `52551234${freshDigits()}`, (today: string) => today.replace(/^52/, '521')],
  ['Argentina', () => `549111234${freshDigits()}`, (today: string) => today.replace(/^549/, '54')],
  ['Benin', () => `229019712${freshDigits()}`, (today: string) => today.replace(/^22901/, '229')],
])('%s: two spellings are one person', (_, make, other) => {
  test.each([false, true])(
    'stored in one spelling, found by the other (reversed: %s)',
    async (isReversed) => {
      const today = make()
      const [stored, searched] = isReversed ? [other(today), today] : [today, other(today)]
      const { contact } = (await shop.post('/contacts', { phone: `+${stored}`, displayName: 'Ana' })).body
      const { lead } = (await shop.post('/leads', { phone: stored })).body
      await shop.inbound(searched, 'Oi')
      expect(await contactOf(`+${searched}`)).toMatchObject({ id: contact.id, displayName: 'Ana' })
      expect((await shop.get(`/leads/${lead.id}`)).body.lead.conversationId).not.toBeNull()
      expect((await messageTo(await text(`+${searched}`))).contactId).toBe(contact.id)
      expect((await shop.post('/contacts', { phone: `+${searched}` })).body.created).toBe(false)
      expect((await shop.post('/leads', { phone: searched })).body).toMatchObject({
        created: false,
        lead: { id: lead.id },
      })
      const rows = [stored, searched].map((phone) => ({ phone: `+${phone}` }))
      const { results } = (await shop.post('/contacts/bulk', { contacts: rows })).body
      expect(results.map((row: Body) => row.contactId)).toEqual([contact.id, contact.id])
    },
  )

  test('STOP from one spelling stops sends to the other', async () => {
    const today = make()
    await shop.post('/contacts', { phone: `+${today}` })
    await shop.inbound(other(today), 'STOP')
    for (const to of [`+${today}`, other(today)])
      expect(await template(to)).toMatchObject({ status: 409, body: { error: 'contact_opted_out' } })
  })

  test('both in one request are one new contact', async () => {
    const today = make()
    const before = (await contactIds()).length
    const rows = [today, other(today)].map((phone) => ({ phone }))
    const { results } = (await shop.post('/contacts/bulk', { contacts: rows })).body
    expect(results[0].contactId).toBe(results[1].contactId)
    expect((await contactIds()).length).toBe(Math.min(before + 1, 100))
  })

  test('both at the same moment, through several endpoints, are one new contact', async () => {
    const today = make()
    const spellings = [`+${today}`, `+${other(today)}`]
    await Promise.all(
      spellings.flatMap((phone) => [
        shop.post('/contacts', { phone }),
        shop.post('/leads', { phone }),
        template(phone),
        shop.post('/sandbox/inbound', { from: phone, text: 'Oi' }),
        shop.post('/conversations', { phone }),
      ]),
    )
    await shop.advance(1)
    const ids = new Set(await Promise.all(spellings.map(async (phone) => (await contactOf(phone)).id)))
    expect(ids.size).toBe(1)
    const suffix = today.slice(-7)
    const found = (await shop.get(`/contacts?search=${suffix}`)).body.contacts
    expect(found.length).toBe(1)
  })
})

describe('common formats of numbers are accepted', () => {
  test.each([
    ['٩١٩٨١٢٣٤', ''],
    ['p:+9198123', ''],
    ['tel:+91-98123-', ''],
    ['(+91) 98123 ', ' (WhatsApp)'],
    ['NA, 98123', ''],
    ['="9198123', '"'],
  ])('%s…%s', async (before, after) => {
    const digits = `${freshDigits()}${before.startsWith('٩') ? '' : '1'}`
    const phone = `${before}${digits}${after}`
    const e164 = before.startsWith('٩') ? `+91981234${digits}` : `+9198123${digits}`
    expect((await shop.post('/contacts', { phone })).body.contact.e164).toBe(e164)
    expect((await shop.post('/leads', { phone })).body.lead.phone).toBe(e164.slice(1))
    expect((await shop.get(`/contacts/${encodeURIComponent(phone)}`)).body.contact.e164).toBe(e164)
  })

  test('a message goes to one number: a text with several is rejected', async () => {
    const answer = await template('+919812345001, +919812345002')
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'to' }] } })
  })

  test('an error names the field and the text that was read', async () => {
    const { issues } = (await shop.post('/contacts', { phone: 'call me' })).body
    expect(issues).toEqual([
      {
        path: 'phone',
        message: 'Must be a phone number in E.164 format, such as +919812345678, not "call me".',
      },
    ])
  })
})
