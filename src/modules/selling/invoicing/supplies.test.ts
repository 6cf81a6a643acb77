/**
 * Tests of place and kind of taxation, and of combinations that aren't allowed on a document
 * (docs/guides/tax.md).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answered,
  type Body,
  boot,
  type TestParley,
  type TestWorkspace,
} from '../../../../test/support/boot.ts'
import { BUYER_GSTIN, madeInvoice, newLines, SELLER, sellsAs } from '../../../../test/support/sales.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace()
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
})

const OWN_STATE = SELLER.address
const KARNATAKA = { line1: '1 MG Road', city: 'Bengaluru', state: 'Karnataka', postalCode: '560001' }
const DUBAI = { line1: '1 Creek Road', city: 'Dubai', state: 'Dubai', postalCode: '0', country: 'AE' }
const SERVICE = [{ description: 'Fitting', hsn: '9988', quantity: 1, unitMinor: 220_000, taxRate: 5 }]
const UIN = '0717UNO00154UNU'

const issue = (more: object): Promise<Answered> =>
  shop.post('/sales-invoices', { lines: newLines(), issue: true, ...more })
const taxesOf = ({ placeOfSupply, cgstMinor, sgstMinor, igstMinor }: Body) => ({
  placeOfSupply,
  cgstMinor,
  sgstMinor,
  igstMinor,
})
const SPLIT = { cgstMinor: 5_500, sgstMinor: 5_500, igstMinor: 0 }
const INTEGRATED = { cgstMinor: 0, sgstMinor: 0, igstMinor: 11_000 }

describe('goods are taxed where they are delivered (IGST Act, section 10(1)(a) and (ca))', () => {
  test.each([
    [
      'another state',
      { billingAddress: OWN_STATE, shippingAddress: KARNATAKA },
      {},
      { placeOfSupply: '29', ...INTEGRATED },
    ],
    [
      "the seller's state",
      { billingAddress: KARNATAKA, shippingAddress: OWN_STATE },
      {},
      { placeOfSupply: '27', ...SPLIT },
    ],
    [
      'another state, without a billing address',
      { shippingAddress: KARNATAKA },
      {},
      { placeOfSupply: '29', ...INTEGRATED },
    ],
    ['an embassy', { gstin: UIN, shippingAddress: OWN_STATE }, {}, { placeOfSupply: '27', ...SPLIT }],
    [
      "a registered customer in the seller's state",
      { gstin: '27AAPFU0939F1ZV', shippingAddress: KARNATAKA },
      {},
      { placeOfSupply: '27', ...SPLIT },
    ],
    [
      'no customer: services',
      { billingAddress: OWN_STATE, shippingAddress: KARNATAKA },
      { lines: SERVICE },
      { placeOfSupply: '27', ...SPLIT },
    ],
  ])('to %s', async (_, customer, more, expected) => {
    const answer = await issue({ customer, ...more })
    expect(answer.status, answer.text).toBe(201)
    expect(taxesOf(answer.body.invoice)).toEqual(expected)
    const page = (await shop.get(`/sales-invoices/${answer.body.invoice.id}?format=html`)).text
    expect(page.includes('IGST')).toBe(expected.igstMinor > 0)
    expect(page).toContain(`(${expected.placeOfSupply})`)
  })

  test('a place of supply other than the delivery address is rejected, in a revision too', async () => {
    const customer = { billingAddress: OWN_STATE, shippingAddress: KARNATAKA }
    expect(await issue({ customer, placeOfSupply: '27' })).toMatchObject({
      status: 400,
      body: {
        error: 'invalid',
        issues: [{ path: 'placeOfSupply', message: expect.stringContaining('Karnataka (29)') }],
      },
    })
    const { invoice } = (await issue({ customer })).body
    expect(await shop.post(`/sales-invoices/${invoice.id}/revise`, { placeOfSupply: '27' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'placeOfSupply' }] },
    })
    const revision = await shop.post(`/sales-invoices/${invoice.id}/revise`, {
      customer: { billingAddress: OWN_STATE, shippingAddress: OWN_STATE },
    })
    expect(taxesOf(revision.body.invoice)).toEqual({ placeOfSupply: '27', ...SPLIT })
  })

  test("composition can't sell to another state, also by a delivery address", async () => {
    await sellsAs(shop, { taxScheme: 'composition' })
    for (const placeOfSupply of [null, '27'])
      expect(await issue({ customer: { shippingAddress: KARNATAKA }, placeOfSupply })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'placeOfSupply' }] },
      })
  })
})

describe('invalid combinations are rejected, in a preview, at the issue and in a revision', () => {
  const abroad = { billingAddress: DUBAI }
  test.each([
    [
      'LUT for a domestic customer',
      { supplyType: 'export_lut', customer: { billingAddress: KARNATAKA } },
      'supplyType',
    ],
    ['LUT without a customer abroad', { supplyType: 'export_lut' }, 'supplyType'],
    [
      'an export to a registered customer',
      { supplyType: 'export_tax', customer: { gstin: BUYER_GSTIN } },
      'supplyType',
    ],
    [
      'an export by its place alone',
      { supplyType: 'export_tax', placeOfSupply: '96', customer: { billingAddress: KARNATAKA } },
      'supplyType',
    ],
    [
      'an export that is delivered here',
      { supplyType: 'export_lut', placeOfSupply: '96', customer: { ...abroad, shippingAddress: KARNATAKA } },
      'supplyType',
    ],
    [
      'LUT with reverse charge',
      { supplyType: 'export_lut', reverseCharge: true, customer: abroad },
      'reverseCharge',
    ],
    [
      'an export with reverse charge',
      { supplyType: 'export_tax', reverseCharge: true, customer: abroad },
      'reverseCharge',
    ],
    ['SEZ without GSTIN', { supplyType: 'sez' }, 'customer.gstin'],
    ['SEZ under LUT without GSTIN', { supplyType: 'sez_lut', placeOfSupply: '29' }, 'customer.gstin'],
    ['SEZ with the number of an embassy', { supplyType: 'sez', customer: { gstin: UIN } }, 'customer.gstin'],
    [
      'SEZ abroad',
      { supplyType: 'sez', placeOfSupply: '96', customer: { gstin: BUYER_GSTIN } },
      'placeOfSupply',
    ],
    [
      'SEZ under LUT with reverse charge',
      { supplyType: 'sez_lut', reverseCharge: true, customer: { gstin: BUYER_GSTIN } },
      'reverseCharge',
    ],
  ])('%s', async (_, parts, path) => {
    const previewed = await shop.post('/sales-invoices/preview', { lines: newLines(), ...parts })
    expect(previewed.body.preview.missing).toMatchObject([{ path }])
    expect(await issue(parts)).toMatchObject({ status: 400, body: { error: 'invalid', issues: [{ path }] } })
    const { id } = await madeInvoice(shop, { issue: true })
    expect(await shop.post(`/sales-invoices/${id}/revise`, parts)).toMatchObject({
      status: 400,
      body: { issues: [{ path }] },
    })
    const quotation = await shop.post('/quotations', { lines: newLines(), issue: true, ...parts })
    expect(quotation).toMatchObject({ status: 400, body: { issues: [{ path }] } })
  })

  test.each([
    ['export_lut', abroad, {}, 0],
    ['export_tax', abroad, {}, 11_000],
    ['export_lut', { billingAddress: KARNATAKA, shippingAddress: DUBAI }, {}, 0],
    ['export_lut', {}, { placeOfSupply: '96' }, 0],
    ['sez', { gstin: BUYER_GSTIN }, {}, 11_000],
    ['sez_lut', { gstin: BUYER_GSTIN }, {}, 0],
    ['sez', { gstin: '27AAPFU0939F1ZV' }, {}, 11_000],
  ])('%s of %j can be issued', async (supplyType, customer, more, igstMinor) => {
    const answer = await issue({ supplyType, customer, ...more })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.invoice).toMatchObject({ supplyType, igstMinor, cgstMinor: 0 })
  })

  test('a supply type other than regular is rejected for sellers outside the regular scheme', async () => {
    for (const taxScheme of ['composition', 'none']) {
      await sellsAs(shop, { taxScheme })
      expect(await issue({ supplyType: 'export_lut' })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'supplyType' }] },
      })
    }
  })
})

test('numbers of deductors, collectors, nonresidents and embassies are accepted for customers, not for sellers', async () => {
  const numbers = ['33AAAGM0289C1DZ', '29AABCF8078M1C8', '9917SGP29001OST', '0717USA12345NRO', UIN]
  for (const gstin of numbers) {
    const answer = await issue({ customer: { gstin: gstin.toLowerCase() } })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.invoice.customer.gstin).toBe(gstin)
  }
  expect(await issue({ customer: { gstin: '33AAAGM0289C1DA' } })).toMatchObject({ status: 400 })
  for (const gstin of [UIN, '9917SGP29001OST', '33AAAGM0289C1DZ'])
    expect(await shop.call('PUT', '/sales-settings', { seller: { ...SELLER, gstin } })).toMatchObject({
      status: 400,
    })
})

test('the page labels the number of an embassy as UIN', async () => {
  const { invoice } = (await issue({ customer: { gstin: UIN } })).body
  expect((await shop.get(`/sales-invoices/${invoice.id}?format=html`)).text).toContain(`UIN ${UIN}`)
})
