/** The languages of invoices, quotations, and receipts, on pages, as PDFs, and in mails (DECISIONS.md "Languages"). */
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { madeInvoice, madeQuotation, sellsAs } from '../../../../test/support/sales.ts'

let parley: TestParley
let shop: TestWorkspace
let sender = 0
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true, language: 'id' })
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
})

/** Sends each request of a customer from a separate address. */
const open = async (url: string, form?: Record<string, string>) => {
  const { pathname, search } = new URL(url, parley.url)
  const answer = await request(parley.url + pathname + search, {
    method: form ? 'POST' : 'GET',
    headers: {
      'x-forwarded-for': `203.0.113.${sender++ % 250}`,
      'accept-language': 'en',
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: new URLSearchParams(form).toString() } : {}),
  })
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}
let customers = 0
const customerIn = async (language: string | null): Promise<string> =>
  (
    await shop.post('/contacts', {
      phone: `+9199${10_000_000 + customers++}`,
      displayName: 'Asha Rao',
      language,
    })
  ).body.contact.id
const invoiceIn = async (language: string | null, more: object = {}): Promise<Body> =>
  madeInvoice(shop, { issue: true, contactId: await customerIn(language), ...more })

describe('the page of an invoice', () => {
  test.each([
    ['hi', '<html lang="hi" dir="ltr">', ['टैक्स इनवॉइस', 'मात्रा', 'कुल', '₹2,310.00', 'PDF डाउनलोड करें']],
    ['ar', '<html lang="ar" dir="rtl">', ['فاتورة ضريبية', 'الكمية', 'الإجمالي', '₹2,310.00', 'تنزيل PDF']],
    [
      'es-MX',
      '<html lang="es" dir="ltr">',
      ['Factura fiscal', 'Cantidad', 'Base imponible', 'Descargar PDF'],
    ],
    [
      'pt',
      '<html lang="pt-BR" dir="ltr">',
      ['Fatura fiscal', 'Quantidade', 'Valor tributável', 'Baixar PDF'],
    ],
    [null, '<html lang="id" dir="ltr">', ['Faktur pajak', 'Jumlah', 'Nilai kena pajak', 'Unduh PDF']],
  ])(
    'of a contact whose language is %s is in it, with the data as they are',
    async (language, start, texts) => {
      const { url, number } = await invoiceIn(language)
      const { text } = await open(url)
      for (const part of [start, ...texts, number, 'Asha Rao', 'Kurta', 'Asha Traders'])
        expect(text).toContain(part)
      expect(text).not.toMatch(/Tax invoice|Quantity|Place of supply|Rupees/)
    },
  )

  test('customers can choose another language, which its links keep', async () => {
    const { url } = await invoiceIn('hi')
    const { text } = await open(`${url}?lang=en`)
    expect(text).toContain('Tax invoice')
    expect(text).toContain('/document.pdf?lang=en"')
    expect((await open(url)).text).toContain('href="?lang=ar" lang="ar"')
  })

  test('its PDF opens in each language', async () => {
    const { url } = await invoiceIn('hi')
    for (const lang of ['en', 'hi', 'ar', 'es']) {
      const { status, text } = await open(`${url}/document.pdf?lang=${lang}`)
      expect([lang, status, text.slice(0, 5)]).toEqual([lang, 200, '%PDF-'])
    }
  })
})

test.each([
  ['hi', 'कोटेशन स्वीकार करें', 'आपने यह कोटेशन स्वीकार कर लिया है। धन्यवाद।'],
  ['ar', 'قبول عرض السعر', 'لقد قبلت عرض السعر هذا. شكرًا لك.'],
])('a quotation is read, accepted, and thanked for in %s', async (language, button, thanks) => {
  const contactId = await customerIn(language)
  const { url, version } = await madeQuotation(shop, { issue: true, contactId })
  const { text } = await open(url)
  expect(text).toContain(button)
  const refused = await open(url, { answer: 'maybe' })
  expect(refused.status).toBe(409)
  expect(refused.text).not.toContain('Read the quotation again')
  expect((await open(url, { answer: 'accept', version })).status).toBe(303)
  expect((await open(url)).text).toContain(thanks)
})

test('a receipt is in the language of the customer', async () => {
  const { id, totalMinor } = await invoiceIn('hi')
  const { invoice } = (
    await shop.post(`/sales-invoices/${id}/payments`, { amountMinor: totalMinor, method: 'cash' })
  ).body
  const receipt = await shop.get(`/sales-invoices/${id}/payments/${invoice.payments[0].id}?format=html`)
  for (const text of ['रसीद', 'नकद', 'निपटाया गया', '<html lang="hi"']) expect(receipt.text).toContain(text)
})
