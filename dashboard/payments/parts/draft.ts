/** Handles the form of a payment request, and the request body built from it. */
import type { Api } from '../../../sdk/api.ts'
import { paiseOf } from './amount.ts'

export const MAX_TOTAL_PAISE = 50_000_000
export const EXPIRIES = ['none', '60', '1440', '10080'] as const
const ORDER = /^[A-Za-z0-9_.-]{1,35}$/

export type Draft = {
  referenceId: string
  items: { name: string; quantity: string; price: string }[]
  shipping: string
  body: string
  expiry: (typeof EXPIRIES)[number]
}

/** Returns an unused order number as a default. */
const newOrder = (): string =>
  `ORD-${[...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`.toUpperCase()

export const emptyItem = () => ({ name: '', quantity: '1', price: '' })
export const emptyDraft = (): Draft => ({
  referenceId: newOrder(),
  items: [emptyItem()],
  shipping: '',
  body: '',
  expiry: 'none',
})

export const isOrder = (text: string): boolean => ORDER.test(text.trim())
export const quantityOf = (text: string): number | undefined =>
  /^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) : undefined
/** An empty shipping field means no shipping cost. */
export const shippingOf = (text: string): number | undefined => (text.trim() === '' ? 0 : paiseOf(text))

/** Returns the total; fields that are not filled in count as zero. */
export const totalOf = ({ items, shipping }: Pick<Draft, 'items' | 'shipping'>): number =>
  items.reduce(
    (sum, { quantity, price }) => sum + (quantityOf(quantity) ?? 0) * (paiseOf(price) ?? 0),
    shippingOf(shipping) ?? 0,
  )

/** Returns the request body of a valid draft. */
export const requestOf = (
  { referenceId, items, shipping, body, expiry }: Draft,
  conversationId: string,
): Api['POST /payment-requests']['body'] => ({
  conversationId,
  referenceId: referenceId.trim(),
  items: items.map(({ name, quantity, price }) => ({
    name: name.trim(),
    quantity: quantityOf(quantity) ?? 0,
    unitPaise: paiseOf(price) ?? 0,
  })),
  shippingPaise: shippingOf(shipping) ?? 0,
  ...(body.trim() !== '' && { body: body.trim() }),
  ...(expiry !== 'none' && { expiresInMinutes: Number(expiry) }),
})
