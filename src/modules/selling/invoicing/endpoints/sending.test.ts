/**
 * Tests of sending documents into the chat, by mail and as a link (spec 4.10, 7.1; DECISIONS.md "Sending").
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { openMailServer } from '../../../../../test/support/mail-server.ts'
import { rowCountsOf } from '../../../../../test/support/records.ts'
import { madeInvoice, madeQuotation, sellsAs } from '../../../../../test/support/sales.ts'
import { storeTemplate } from '../../../../../test/support/templates.ts'
import { until } from '../../../../../test/support/until.ts'

const ASHA = '+919812345678'
let mails: Awaited<ReturnType<typeof openMailServer>>
let parley: TestParley
let shop: TestWorkspace
let contactId: string
beforeAll(async () => {
  mails = await openMailServer()
  parley = await boot({ env: mails.env })
})
afterAll(async () => {
  await parley.close()
  mails.close()
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
  contactId = (await shop.post('/contacts', { phone: ASHA, displayName: 'Asha Rao' })).body.contact.id
})

const issued = (more: object = {}): Promise<Body> => madeInvoice(shop, { contactId, issue: true, ...more })
const send = (id: string, body: object, key?: string) =>
  shop.post(`/sales-invoices/${id}/send`, body, key ? { idempotencyKey: key } : {})
const message = async (id: string): Promise<Body> => (await shop.get(`/messages/${id}`)).body.message
const templateId = async (): Promise<string> => (await shop.get('/templates')).body.templates[0].id
const read = async (id: string): Promise<Body> => (await shop.get(`/sales-invoices/${id}`)).body.invoice

describe('into the chat', () => {
  test('in an open window sends the PDF, once per key', async () => {
    await shop.inbound(ASHA, 'Can I have the bill?')
    const { id, number, url } = await issued()
    const sent = await send(id, { via: 'chat', message: 'Thank you.' }, 'send-1')
    expect(sent).toMatchObject({ status: 200, body: { url, messageId: expect.any(String) } })
    expect((await send(id, { via: 'chat', message: 'Thank you.' }, 'send-1')).body).toEqual(sent.body)
    expect(await message(sent.body.messageId)).toMatchObject({
      type: 'document',
      content: {
        filename: `${number.replaceAll('/', '-')}.pdf`,
        caption: 'Thank you.',
        id: expect.any(String),
      },
    })
    expect((await rowCountsOf(parley, shop.workspaceId)).messages).toBe(2)
    expect((await read(id)).sentAt).not.toBeNull()
    const file = await shop.get(`/messages/${sent.body.messageId}/media`)
    expect(file.status).toBe(200)
  })

  test('if numbers are hidden from a role, the PDF in the chat masks them', async () => {
    await shop.set({ detailsHiddenFrom: ['agent'] })
    await shop.inbound(ASHA, 'Can I have the bill?')
    const { id, url } = await issued({ customer: { phone: ASHA } })
    const { messageId } = (await send(id, { via: 'chat' })).body
    const { key } = shop
    const bytesOf = async (path: string): Promise<Buffer> => {
      const answer = await fetch(parley.url + path, { headers: { authorization: `Bearer ${key}` } })
      return Buffer.from(new Uint8Array(await answer.arrayBuffer()))
    }
    const ofChat = await bytesOf(new URL((await shop.get(`/messages/${messageId}/media`)).body.url).pathname)
    const ofCustomer = await bytesOf(new URL(`${url}/document.pdf`).pathname)
    const ofAdmin = await bytesOf(`/api/v1/sales-invoices/${id}?format=pdf`)
    expect(ofChat.subarray(0, 5).toString()).toBe('%PDF-')
    expect([ofChat.equals(ofCustomer), ofChat.equals(ofAdmin)]).toEqual([true, false])
  })

  test('in a closed window sends the template, with the values for its header and placeholders', async () => {
    await storeTemplate(parley, shop, {
      components: [
        { type: 'HEADER', format: 'DOCUMENT' },
        { type: 'BODY', text: 'Hi {{1}}, your bill {{2}} over {{3}} is due on {{4}}.' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}' }] },
      ],
    })
    const { id, number, url } = await issued({ dueDate: null })
    expect((await send(id, { via: 'chat' })).body.error).toBe('outside_24h_window')
    const sent = await send(id, { via: 'chat', templateId: await templateId() })
    expect(sent.status, sent.text).toBe(200)
    const { components } = (await message(sent.body.messageId)).content
    expect(components[0]).toMatchObject({ type: 'header', parameters: [{ type: 'document' }] })
    expect(components[1].parameters.map(({ text }: Body) => text).slice(0, 3)).toEqual([
      'Asha Rao',
      number,
      '₹2,310.00',
    ])
    expect(components[2].parameters[0].text).toBe(new URL(url).pathname.slice(1))
  })

  test('returns the errors of a send, and then writes nothing', async () => {
    await shop.inbound(ASHA, 'Can I have the bill?')
    const { id } = await issued()
    expect((await send(id, { via: 'chat', to: 'nobody' })).body.error).toBe('invalid')
    expect((await send(id, { via: 'chat', to: '+919811111111', templateId: 'x' })).body.error).toBe(
      'invalid_reference',
    )
    const unnamed = await madeInvoice(shop, { issue: true })
    expect((await send(unnamed.id, { via: 'chat' })).body).toMatchObject({ issues: [{ path: 'to' }] })
    await shop.inbound(ASHA, 'STOP')
    expect((await send(id, { via: 'chat' })).body.error).toBe('contact_opted_out')
    expect((await read(id)).sentAt).toBeNull()
    const draft = await madeInvoice(shop, { contactId })
    expect((await send(draft.id, { via: 'chat' })).body.error).toBe('conflict')
    expect((await send(draft.id, { via: 'link' })).body.error).toBe('conflict')
  })
})

test('a mail has the link and requires an address', async () => {
  const { id, url, number } = await issued()
  expect((await send(id, { via: 'email' })).body).toMatchObject({ issues: [{ path: 'to' }] })
  expect((await send(id, { via: 'email', to: 'asha@example.com', message: 'Thank you.' })).body).toEqual({
    messageId: null,
    url,
  })
  const mail = await until(async () => mails.mails[0], 'the mail is sent')
  expect(mail.to).toEqual(['asha@example.com'])
  expect(mail.text).toContain('Thank you.')
  expect(mail.text.replaceAll('=\n', '')).toContain(url)
  expect(mail.text, 'what it is, whose, and over how much').toMatch(
    new RegExp(`^Subject: Tax invoice ${number} from `, 'm'),
  )
})

test('a link is returned to the caller; quotations are sent in the same way', async () => {
  const { id, url } = await madeQuotation(shop, { contactId, issue: true })
  expect((await shop.post(`/quotations/${id}/send`, { via: 'link' })).body).toEqual({ messageId: null, url })
  expect((await shop.get(`/quotations/${id}`)).body.quotation.sentAt).not.toBeNull()
  await shop.inbound(ASHA, 'And the offer?')
  const sent = await shop.post(`/quotations/${id}/send`, { via: 'chat' })
  expect((await message(sent.body.messageId)).type).toBe('document')
})
