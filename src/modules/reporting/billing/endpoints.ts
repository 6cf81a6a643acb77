import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { readCosts, readRates } from './operations/costs.ts'
import { readPlan } from './operations/plan.ts'
import { readWallet } from './operations/wallet.ts'
import { BillingPlan, Costs, CostsQuery, RateList, Wallet } from './schema.ts'

const shared = { tag: 'Billing', section: '4.10', scope: 'billing:read', bucket: 'reads' } as const

export const getBilling = endpoint({
  ...shared,
  name: 'getBilling',
  method: 'GET',
  path: '/billing',
  summary: 'Get the plan of the workspace, its modules, and the use of each limit.',
  role: 'admin',
  replies: { 200: BillingPlan },
  refuses: [],
  handle: async (ctx) => reply(200, await readPlan(ctx)),
})

export const getWallet = endpoint({
  ...shared,
  name: 'getWallet',
  method: 'GET',
  path: '/wallet',
  summary: 'Get the prepaid balance of the workspace with its entries, newest first.',
  description:
    "The wallet is off by default. The administrator of the installation can turn it on. Each completed day has one charge for each category of messages, at the rates of `GET /costs`. If the wallet is enforced and empty, sends return `quota_exceeded`. Customers' messages still arrive.",
  role: 'admin',
  query: z.object(cursorQuery),
  replies: { 200: Wallet },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readWallet(ctx, query)),
})

export const getCosts = endpoint({
  ...shared,
  name: 'getCosts',
  method: 'GET',
  path: '/costs',
  summary: "Get the operator's charges for the messages of the last days, by day and by category.",
  description:
    'Each delivered message counts once, with the price that the operator reported. Parley does not estimate. The cost is known if a rate for the category and country was imported.',
  role: 'viewer',
  query: CostsQuery,
  replies: { 200: Costs },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readCosts(ctx, query.days)),
})

export const getRates = endpoint({
  ...shared,
  name: 'getRates',
  method: 'GET',
  path: '/rates',
  summary: "List the operator's rates that costs are computed with, by country and category.",
  description:
    'Returns the rates that apply today, and those that start later. The administrator of the installation imports them with `parley rates import`, so they cannot be changed here. Without rates, the list is empty.',
  role: 'viewer',
  replies: { 200: RateList },
  refuses: [],
  handle: async (ctx) => reply(200, await readRates(ctx)),
})
