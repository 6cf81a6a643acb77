import { z } from 'zod'
import { endpoint, reply } from '../../core/endpoint.ts'
import { cursorQuery } from '../../core/paging.ts'
import { readCosts } from './operations/costs.ts'
import { readPlan } from './operations/plan.ts'
import { readWallet } from './operations/wallet.ts'
import { BillingPlan, Costs, CostsQuery, Wallet } from './schema.ts'

const FACE = { tag: 'Billing', section: '4.10', scope: 'billing:read', bucket: 'reads' } as const

export const getBilling = endpoint({
  ...FACE,
  name: 'getBilling',
  method: 'GET',
  path: '/billing',
  summary: 'The plan of the workspace, what is switched on, and how much of each limit is used.',
  role: 'admin',
  replies: { 200: BillingPlan },
  refuses: [],
  handle: async (ctx) => reply(200, await readPlan(ctx)),
})

export const getWallet = endpoint({
  ...FACE,
  name: 'getWallet',
  method: 'GET',
  path: '/wallet',
  summary: 'The prepaid money of the workspace with its entries, newest first.',
  description:
    'Off unless whoever runs the installation switched it on. Each closed day is one charge for each category of messages, by ' +
    'the rates of `GET /costs`. Where the wallet is enforced and empty, sends are refused with `quota_exceeded`; customers are heard.',
  role: 'admin',
  query: z.object(cursorQuery),
  replies: { 200: Wallet },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readWallet(ctx, query)),
})

export const getCosts = endpoint({
  ...FACE,
  name: 'getCosts',
  method: 'GET',
  path: '/costs',
  summary: 'What the operator charges for messages of the last days, by day and by category.',
  description:
    'Each message that arrived counts once, by what the operator reported of its price; nothing is guessed. What it costs is known ' +
    'where a rate for its category and country was imported.',
  role: 'viewer',
  query: CostsQuery,
  replies: { 200: Costs },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readCosts(ctx, query.days)),
})
