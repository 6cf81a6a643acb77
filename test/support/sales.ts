/** A shop that sells, and its sales documents. */
import type { Body, Client } from './boot.ts'

export const SELLER = {
  legalName: 'Asha Traders',
  address: { line1: '12 Linking Road', city: 'Mumbai', state: 'Maharashtra', postalCode: '400050' },
  gstin: '27AAPFU0939F1ZV',
}
/** In Karnataka. */
export const BUYER_GSTIN = '29ABCDE1234F1ZW'

/** Two kurtas: 2,200 rupees and 5 % tax. */
export const newLines = () => [
  { description: 'Kurta', hsn: '6211', quantity: 2, unitMinor: 110_000, taxRate: 5 },
]

async function bodyOrThrow(answer: Promise<{ status: number; body: Body; text: string }>): Promise<Body> {
  const { status, body, text } = await answer
  if (status >= 300) throw new Error(`answered ${status}: ${text}`)
  return body
}

/** Sets the sales settings of the shop. */
export const sellsAs = (shop: Client, more: object = {}): Promise<Body> =>
  bodyOrThrow(shop.call('PUT', '/sales-settings', { seller: SELLER, taxScheme: 'regular', ...more }))

/** Sets the sales settings unless a test has already set them. */
async function ensureSalesSettings(shop: Client): Promise<void> {
  const { salesSettings } = await bodyOrThrow(shop.get('/sales-settings'))
  if (!salesSettings.seller) await sellsAs(shop)
}

/** Creates an invoice or a proforma; a draft unless the input has `issue`. */
export async function madeInvoice(shop: Client, more: object = {}): Promise<Body> {
  await ensureSalesSettings(shop)
  return (await bodyOrThrow(shop.post('/sales-invoices', { lines: newLines(), ...more }))).invoice
}

export async function madeQuotation(shop: Client, more: object = {}): Promise<Body> {
  await ensureSalesSettings(shop)
  return (await bodyOrThrow(shop.post('/quotations', { lines: newLines(), ...more }))).quotation
}
