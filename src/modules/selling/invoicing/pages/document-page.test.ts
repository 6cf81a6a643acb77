/** Tests of documents as pages and as PDF files (DECISIONS.md "Pages"). */
import { inflateSync } from 'node:zlib'
import QRCode from 'qrcode'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { fileOf } from '../../../../../test/support/files.ts'
import { BROKEN_PNGS, pngOf } from '../../../../../test/support/pictures.ts'
import { rowCountsOf } from '../../../../../test/support/records.ts'
import {
  BUYER_GSTIN,
  madeInvoice,
  madeQuotation,
  newLines,
  SELLER,
  sellsAs,
} from '../../../../../test/support/sales.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop, {
    seller: { ...SELLER, bank: 'HDFC Bank\nAccount 1234', upiId: 'asha@upi', phone: '+91 22 1234 5678' },
    terms: 'No returns.',
  })
})

const buyer = {
  name: 'आशा राव & <b>Söhne</b> ஆஷா',
  gstin: BUYER_GSTIN,
  billingAddress: { line1: '7 Residency Road', city: 'Bengaluru', state: '29', postalCode: '560025' },
  shippingAddress: { line1: '9 Hosur Road', city: 'Bengaluru', state: 'Karnataka', postalCode: '560068' },
}
const makeInvoice = (more: object = {}): Promise<Body> =>
  madeInvoice(shop, { customer: buyer, issue: true, ...more })
const pageOf = async (path: string, query = '') => {
  const { status, text, headers } = await shop.get(`${path}?format=html${query}`)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  return text
}
/** Returns the visible text of a page. */
const wordsOf = (page: string): string =>
  page
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const pdfOf = async (path: string) => {
  const { status, text, headers } = await shop.get(`${path}?format=pdf`)
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(text.slice(0, 5)).toBe('%PDF-')
  return { text, headers }
}
const bytesOf = async (path: string): Promise<Buffer> => {
  const answer = await request(`${parley.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${shop.key}` },
  })
  return Buffer.from(await answer.body.arrayBuffer())
}
/** Returns the drawing operators of each PDF page. */
const pagesOf = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)]
    .map(([, stream]) => Buffer.from(stream!, 'latin1'))
    .map((bytes) => (isDeflated(bytes) ? inflateSync(bytes).toString('latin1') : ''))
    .filter((text) => /^BT$/m.test(text))
/** Returns the left position of each piece of text, in points. */
const placesOf = (pdf: Buffer): number[] =>
  pagesOf(pdf).flatMap((page) =>
    [...page.matchAll(/^1 0 0 1 (-?[\d.]+) -?[\d.]+ Tm$/gm)].map(([, x]) => Number(x)),
  )
/** Returns the pieces of text on a page above its footer, in order, with height and size. */
const piecesOn = (page: string): { y: number; size: number }[] =>
  [...page.matchAll(/^1 0 0 1 [\d.]+ ([\d.]+) Tm\n\/\S+ ([\d.]+) Tf$/gm)]
    .map(([, y, size]) => ({ y: Number(y), size: Number(size) }))
    .filter(({ y }) => y > 48)
const isDeflated = (bytes: Buffer): boolean => bytes[0] === 0x78
const pay = (id: string, amountMinor: number, more: object = {}) =>
  shop.post(`/sales-invoices/${id}/payments`, { amountMinor, method: 'upi', ...more })
const pdfsKept = async (): Promise<number> =>
  (await rowCountsOf(parley, shop.workspaceId)).sales_document_pdfs ?? 0

describe('a page', () => {
  test('has all data that an invoice requires', async () => {
    const { id, number } = await makeInvoice({
      reference: 'PO-7',
      notes: 'Delivered\nto the shop.',
      lines: [
        { description: 'Kurta', hsn: '6211', quantity: 2, unitMinor: 110_000, taxRate: 5 },
        {
          description: 'Shawl',
          hsn: '6214',
          quantity: 1.5,
          unitMinor: 200_000,
          taxRate: 12,
          discountPercent: 10,
        },
      ],
    })
    const page = await pageOf(`/sales-invoices/${id}`)
    const words = wordsOf(page)
    for (const part of [
      'Tax invoice',
      number,
      'Asha Traders',
      'GSTIN 27AAPFU0939F1ZV',
      `GSTIN ${BUYER_GSTIN}`,
      '7 Residency Road',
      'Bengaluru 560025',
      'Ship to 9 Hosur Road',
      'Karnataka (29)',
      'PO-7',
      '1.5 NOS',
      '10 %',
      '6211 5 % ₹2,200.00 ₹110.00',
      '6214 12 % ₹2,700.00 ₹324.00',
      'IGST ₹434.00',
      'Total ₹5,334.00',
      'Rupees Five Thousand Three Hundred Thirty-Four Only',
      'Balance ₹5,334.00',
      'HDFC Bank Account 1234',
      'asha@upi',
      'No returns.',
      'Delivered to the shop.',
      'Tax is payable on reverse charge: No.',
      'For Asha Traders Authorised signatory',
    ])
      expect(words).toContain(part)
    expect(page).toContain('<img class="qr" src="data:image/png;base64,')
    expect(page).not.toContain('<script')
  })

  test('escapes all values, and shows names in any script', async () => {
    const { id } = await makeInvoice({ notes: '<script>alert(1)</script>', reference: '"><img src=x>' })
    const page = await pageOf(`/sales-invoices/${id}`)
    expect(page).toContain('आशा राव &amp; &lt;b&gt;Söhne&lt;/b&gt; ஆஷா')
    expect(page).toContain('&lt;script&gt;')
    expect(page).not.toMatch(/<script|<img src=x/)
  })

  test('shows whether it is a draft, paid, canceled, or replaced; voided receipts are marked', async () => {
    const draft = await makeInvoice({ issue: false })
    expect(wordsOf(await pageOf(`/sales-invoices/${draft.id}`))).toMatch(/Tax invoice Draft/)
    const { id, number } = await makeInvoice()
    await pay(id, 100_000, { reference: '512345678901' })
    expect(wordsOf(await pageOf(`/sales-invoices/${id}`))).toMatch(/Partly paid .* Balance ₹1,310\.00/)
    const rest = (await pay(id, 121_000, { tdsMinor: 10_000 })).body.payment
    const paid = wordsOf(await pageOf(`/sales-invoices/${id}`))
    expect(paid).toMatch(new RegExp(`${number} Paid .* Balance ₹0\\.00`))
    expect(paid).toContain(`${rest.receiptNumber}`)
    expect(paid).toContain('UPI, 512345678901')
    expect(paid).toContain('Tax deducted at source -₹100.00')
    expect(paid).not.toContain('Pay by UPI')
    await shop.post(`/sales-invoices/${id}/payments/${rest.id}/void`, { reason: 'Bounced.' })
    expect(wordsOf(await pageOf(`/sales-invoices/${id}`))).toContain(`${rest.receiptNumber} (void)`)
    const other = await makeInvoice()
    await shop.post(`/sales-invoices/${other.id}/cancel`, { reason: 'Issued twice.' })
    expect(wordsOf(await pageOf(`/sales-invoices/${other.id}`))).toMatch(
      /Canceled .* Canceled: Issued twice\./,
    )
  })

  test('of a revision shows both versions when printed', async () => {
    const { id } = await makeInvoice()
    await shop.post(`/sales-invoices/${id}/revise`, {
      lines: [{ description: 'Saree', quantity: 1, unitMinor: 100_000, taxRate: 5 }],
    })
    expect(wordsOf(await pageOf(`/sales-invoices/${id}`))).toMatch(/Version 2 .* Saree .* Total ₹1,050\.00/)
    const before = await pageOf(`/sales-invoices/${id}`, '&version=1')
    expect(wordsOf(before)).toMatch(/Replaced by version 2 .* Kurta .* Total ₹2,310\.00/)
    expect(before).not.toContain('class="qr"')
    expect((await shop.get(`/sales-invoices/${id}?format=html&version=3`)).status).toBe(404)
    expect((await shop.get(`/sales-invoices/${id}?format=xml`)).status).toBe(400)
  })

  const ABROAD = { line1: '1 Creek Road', city: 'Dubai', state: 'Dubai', postalCode: '0', country: 'AE' }
  const ENDORSEMENT = 'SUPPLY MEANT FOR EXPORT/SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS'
  test.each([
    ['sez', { gstin: BUYER_GSTIN }, 'ON PAYMENT OF INTEGRATED TAX'],
    [
      'sez_lut',
      { gstin: BUYER_GSTIN },
      'UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX',
    ],
    ['export_tax', { billingAddress: ABROAD }, 'ON PAYMENT OF INTEGRATED TAX'],
    [
      'export_lut',
      { billingAddress: ABROAD },
      'UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX',
    ],
  ])('the invoice shall carry an endorsement (Rule 46): %s', async (supplyType, customer, taxWords) => {
    const { id } = await makeInvoice({ supplyType, customer })
    expect(wordsOf(await pageOf(`/sales-invoices/${id}`))).toContain(`${ENDORSEMENT} ${taxWords}`)
    await pdfOf(`/sales-invoices/${id}`)
  })

  test('under composition charges no tax and states it; under reverse charge states that too', async () => {
    const { id: reversed } = await makeInvoice({ reverseCharge: true })
    expect(wordsOf(await pageOf(`/sales-invoices/${reversed}`))).toMatch(
      /IGST \(reverse charge\) ₹110\.00 Total ₹2,200\.00 .* reverse charge: Yes/,
    )
    await sellsAs(shop, { taxScheme: 'composition' })
    const { id } = await madeInvoice(shop, { issue: true })
    const page = wordsOf(await pageOf(`/sales-invoices/${id}`))
    expect(page).toMatch(/Bill of supply .* Total ₹2,200\.00 .* Composition taxable person/)
    expect(page).not.toContain('CGST')
  })

  test('exists for quotations, and for issued invoices also with the module off', async () => {
    const quotation = await madeQuotation(shop, { issue: true, validUntil: null })
    expect(wordsOf(await pageOf(`/quotations/${quotation.id}`))).toContain(`Quotation ${quotation.number}`)
    const { id } = await makeInvoice()
    await shop.set({ modules: [] })
    expect(wordsOf(await pageOf(`/invoices/${id}`))).toContain('Tax invoice')
    await pdfOf(`/invoices/${id}`)
    expect((await shop.get(`/sales-invoices/${id}?format=html`)).status).toBe(404)
  })
})

describe('the logo', () => {
  const upload = async (bytes: Buffer, mimeType: string): Promise<string> =>
    (await shop.post('/media', { fileBase64: bytes.toString('base64'), mimeType, filename: 'logo' })).body.id

  test('appears on the page and in the PDF, and stays after the upload expires', async () => {
    const picture = await QRCode.toBuffer('logo')
    const seller = { ...SELLER, logoMediaId: await upload(picture, 'image/png') }
    await sellsAs(shop, { seller })
    const { id } = await makeInvoice()
    expect(await pageOf(`/sales-invoices/${id}`)).toContain(picture.toString('base64'))
    const { text } = await pdfOf(`/sales-invoices/${id}`)
    expect(text).toContain('/Subtype /Image')
    await shop.advance(40 * 86_400)
    await sellsAs(shop, { seller })
    expect(await pageOf(`/sales-invoices/${id}`)).toContain(picture.toString('base64'))
  })

  test("is a JPEG or PNG of the workspace; an image that the PDF library can't read is left out", async () => {
    for (const logoMediaId of [
      '1037543291543636',
      await upload(fileOf('application/pdf'), 'application/pdf'),
    ])
      expect(
        (await shop.call('PUT', '/sales-settings', { seller: { ...SELLER, logoMediaId } })).body,
      ).toMatchObject({ error: 'invalid', issues: [{ path: 'seller.logoMediaId' }] })
    await sellsAs(shop, {
      seller: { ...SELLER, logoMediaId: await upload(fileOf('image/jpeg'), 'image/jpeg') },
    })
    await pdfOf(`/sales-invoices/${(await makeInvoice()).id}`)
  })

  test('has at most 4 million pixels, in a file of any size', async () => {
    const logoMediaId = await upload(pngOf({ width: 20_000, height: 20_000 }), 'image/png')
    const answer = await shop.call('PUT', '/sales-settings', { seller: { ...SELLER, logoMediaId } })
    expect(answer.body).toMatchObject({
      error: 'invalid',
      issues: [{ path: 'seller.logoMediaId', message: expect.stringContaining('20000 × 20000') }],
    })
  })

  test('is left out of page and PDF if it was stored before the pixel limit', async () => {
    const logoMediaId = await upload(await QRCode.toBuffer('logo'), 'image/png')
    await sellsAs(shop, { seller: { ...SELLER, logoMediaId } })
    await parley.system((tx) =>
      tx.sql('update sales_logos set bytes = $2 where workspace_id = $1', [
        shop.workspaceId,
        pngOf({ width: 20_000, height: 20_000 }),
      ]),
    )
    const { id } = await makeInvoice()
    expect(await pageOf(`/sales-invoices/${id}`)).not.toContain('<img class="logo"')
    const { text } = await pdfOf(`/sales-invoices/${id}`)
    expect(text.match(/\/Subtype \/Image/g) ?? []).toHaveLength((await pdfOfPlain()).length)
  })

  const pdfOfPlain = async () => {
    await sellsAs(shop, { seller: { ...SELLER, logoMediaId: null } })
    const { text } = await pdfOf(`/sales-invoices/${(await makeInvoice()).id}`)
    return text.match(/\/Subtype \/Image/g) ?? []
  }

  test.each(BROKEN_PNGS)('is left out of the PDF if it is %s', async (_, picture) => {
    const logoMediaId = await upload(picture, 'image/png')
    await sellsAs(shop, { seller: { ...SELLER, logoMediaId } })
    await pdfOf(`/sales-invoices/${(await makeInvoice()).id}`)
  })
})

describe('a PDF', () => {
  test('is laid out once for its content, and stored per version', async () => {
    const { id } = await makeInvoice()
    const { text, headers } = await pdfOf(`/sales-invoices/${id}`)
    expect(headers['content-disposition']).toMatch(/^inline; filename="INV-\d\d-\d\d-0001\.pdf"$/)
    for (const font of ['NotoSans-Bold', 'NotoSansDevanagari-Bold', 'NotoSansTamil-Bold'])
      expect(text).toContain(font)
    expect((await pdfOf(`/sales-invoices/${id}`)).text).toBe(text)
    expect(await pdfsKept()).toBe(1)
    await pay(id, 1_000)
    expect((await pdfOf(`/sales-invoices/${id}`)).text).not.toBe(text)
    expect(await pdfsKept()).toBe(1)
    await shop.post(`/sales-invoices/${id}/revise`, { reference: 'PO-8' })
    await pdfOf(`/sales-invoices/${id}`)
    expect(await pdfsKept()).toBe(2)
    expect((await shop.get(`/sales-invoices/${id}?format=pdf&version=1`)).status).toBe(200)
  })

  test("of a draft isn't stored; a hundred lines fit", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => ({
      description: `Kurta ${i} ${'with a long name '.repeat(10)}`,
      quantity: 1,
      unitMinor: 100_000,
      taxRate: 5,
    }))
    const { id } = await makeInvoice({ issue: false, lines })
    await pdfOf(`/sales-invoices/${id}`)
    expect(await pdfsKept()).toBe(0)
  })

  test('stays within the margins with long names and large amounts', async () => {
    const long = 'W'.repeat(200)
    const { id } = await makeInvoice({
      customer: { ...buyer, name: long, email: `${'asha'.repeat(15)}@${'sales.'.repeat(20)}example.com` },
      reference: 'W'.repeat(64),
      lines: [
        {
          description: long,
          hsn: '62114210',
          quantity: 12_345.678,
          unit: 'W'.repeat(20),
          unitMinor: 99_999_999,
          discountMinor: 12_345_678,
          taxRate: 28.125,
          cessRate: 12.125,
        },
        { description: 'Kurta', quantity: 10_000, unitMinor: 110_000, taxRate: 5 },
      ],
    })
    await pay(id, 100_000, { reference: 'W'.repeat(64) })
    const places = placesOf(await bytesOf(`/sales-invoices/${id}?format=pdf`))
    expect(places.length).toBeGreaterThan(50)
    // A4 is 595 points wide, with margins of 36. The last word of a line is some points longer.
    expect(Math.min(...places)).toBe(36)
    expect(Math.max(...places)).toBeLessThan(595 - 36)
  })

  test('keeps a total with its balance and a headline with its section, for any number of lines', async () => {
    const long = 'Goods once sold are not taken back.\n'.repeat(30).trim()
    for (const count of [15, 16, 18, 20, 22, 24]) {
      const lines = Array.from({ length: count }, () => newLines()[0]!)
      const { id } = await makeInvoice({ customer: buyer, lines, notes: long, terms: long })
      await pay(id, 100_000)
      const pages = pagesOf(await bytesOf(`/sales-invoices/${id}?format=pdf`))
      expect(pages.length).toBeGreaterThan(1)
      for (const [i, page] of pages.entries()) {
        const pieces = piecesOn(page)
        // Headlines have 7.5 points, the number at the top and the total 11. The picture is the payment
        // address.
        expect(pieces.at(-1)?.size, `page ${i + 1} of ${count} lines`).not.toBe(7.5)
        const hasSum = pieces.some(({ y, size }) => size === 11 && (i > 0 || y < 700))
        expect(hasSum, `page ${i + 1} of ${count} lines`).toBe(/ Do$/m.test(page))
      }
    }
  })

  test('is deleted with its customer, and with its document', async () => {
    const { contact } = (await shop.post('/contacts', { phone: '+919812345678' })).body
    const { id } = await makeInvoice({ contactId: contact.id })
    const proforma = await makeInvoice({ contactId: contact.id, kind: 'proforma' })
    await pdfOf(`/sales-invoices/${id}`)
    await pdfOf(`/sales-invoices/${proforma.id}`)
    expect(await pdfsKept()).toBe(2)
    await shop.delete(`/contacts/${contact.id}`)
    expect(await pdfsKept()).toBe(0)
    // A later request returns the PDF without storing it. The customer's remaining data is deleted at its
    // time.
    await pdfOf(`/sales-invoices/${id}`)
    expect(await pdfsKept()).toBe(0)
  })
})
