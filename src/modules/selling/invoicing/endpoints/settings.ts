import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { invoicingOn } from '../gates.ts'
import { keepLogo } from '../operations/keep-logo.ts'
import { readSettings, replaceSettings } from '../operations/settings.ts'
import { SalesSettings, SalesSettingsShown } from '../settings-schema.ts'

const Answer = z.object({ salesSettings: SalesSettingsShown })
const shared = {
  tag: 'Sales documents',
  section: '4.10',
  gates: [invoicingOn],
  replies: { 200: Answer },
} as const

export const getSalesSettings = endpoint({
  ...shared,
  name: 'getSalesSettings',
  method: 'GET',
  path: '/sales-settings',
  summary: 'Get the settings for sales documents: seller, tax, and numbering.',
  scope: 'invoicing:read',
  role: 'viewer',
  bucket: 'reads',
  refuses: [],
  handle: async (ctx) => reply(200, { salesSettings: await readSettings(ctx) }),
})

export const putSalesSettings = endpoint({
  ...shared,
  name: 'replaceSalesSettings',
  method: 'PUT',
  path: '/sales-settings',
  summary: 'Replace the settings for sales documents.',
  description:
    'Omitted fields return to their defaults. Issued documents keep the seller and the rules from their issue. The currency is fixed when the first document is issued.',
  scope: 'invoicing:write',
  role: 'admin',
  bucket: 'settings-writes',
  body: SalesSettings,
  example: {
    seller: {
      legalName: 'Asha Traders',
      address: { line1: '12 Linking Road', city: 'Mumbai', state: 'Maharashtra', postalCode: '400050' },
      gstin: '27AAPFU0939F1ZV',
    },
    taxScheme: 'regular',
    hsnDigits: 4,
    dueDays: 14,
  },
  refuses: ['conflict'],
  prepare: (ctx, { body }) => keepLogo(ctx, body),
  handle: async (ctx, { body }) => reply(200, { salesSettings: await replaceSettings(ctx, body) }),
})
