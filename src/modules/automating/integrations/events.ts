import { z } from 'zod'
import { event } from '../../../core/event.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { ORDER_TYPES, PROVIDERS } from './order-schema.ts'

export const orderEvent = event({
  name: 'order.event',
  when: 'A connected online store reported an order: placed, paid, shipped, or canceled. Once per store, type, and order.',
  scope: 'integrations:read',
  data: z
    .object({
      type: z.enum(ORDER_TYPES),
      provider: z.enum(PROVIDERS),
      shopId: z.string(),
      reference: z
        .string()
        .meta({ description: 'Number of the order that the store shows to its customer.' }),
      contactId: Id.nullable().meta({
        description: 'Id of the contact; null if the order has no readable phone number.',
      }),
      phone: z.string().nullable(),
      customerName: z.string().nullable(),
      total: z.number().nullable().meta({ description: 'Total of the order, with at most two decimals.' }),
      currency: z.string().nullable(),
      url: z.string().nullable(),
      itemCount: z.int().nullable(),
      cashOnDelivery: z.boolean(),
      occurredAt: Instant,
    })
    .meta({
      fields: {
        type: 'Change of the order.',
        url: 'Address of the order for the customer; null if unknown.',
        itemCount: 'Number of items; null if unknown.',
        cashOnDelivery: 'Whether it is paid in cash on delivery.',
        occurredAt: 'When it happened at the shop, in UTC.',
      },
    }),
  example: {
    type: 'order_placed',
    provider: 'shopify',
    shopId: 'asha.myshopify.com',
    reference: '#1001',
    contactId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
    phone: '+919812345678',
    customerName: 'Asha Rao',
    total: 2310,
    currency: 'INR',
    url: 'https://asha.myshopify.com/orders/4f6c',
    itemCount: 2,
    cashOnDelivery: true,
    occurredAt: '2026-06-01T09:30:00.000Z',
  },
  touches: ({ contactId }) => ({ contact: contactId }),
})

export const orderCodResponse = event({
  name: 'order.cod_response',
  when: 'A customer answered whether they want their cash-on-delivery order. Once per order. `confirmed` is false if they do not want it.',
  scope: 'integrations:read',
  data: z
    .object({
      conversationId: Id,
      contactId: Id,
      reference: z.string(),
      confirmed: z.boolean(),
    })
    .meta({
      fields: {
        reference: 'Number of the order at the shop.',
        confirmed: 'Whether the customer confirmed the order.',
      },
    }),
  example: {
    conversationId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11',
    contactId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10',
    reference: '#1001',
    confirmed: true,
  },
  touches: ({ conversationId, contactId }) => ({ conversation: conversationId, contact: contactId }),
})
