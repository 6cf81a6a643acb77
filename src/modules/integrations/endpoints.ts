import { z } from 'zod'
import { endpoint, reply } from '../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../core/paging.ts'
import { requireFresh } from '../../core/require-fresh.ts'
import type { Sealer } from '../../core/sealing.ts'
import { notOfSandbox } from './gates.ts'
import { checkIntegration } from './operations/check-integration.ts'
import { disconnectIntegration, saveIntegration } from './operations/connect.ts'
import {
  isName,
  listDeliveries,
  listOrders,
  readIntegration,
  readIntegrations,
  requireName,
} from './operations/read-integrations.ts'
import { Integration, IntegrationBody, Order, OrderFilter, ShopDelivery } from './schema.ts'

const FACE = { tag: 'Integrations', section: '4.10' } as const
const READS = { ...FACE, scope: 'integrations:read', role: 'viewer', bucket: 'reads' } as const
const WRITES = { ...FACE, scope: 'integrations:write', role: 'admin', bucket: 'settings-writes' } as const

/** An unknown name returns 404, with any body. */
const Named = z.object({
  name: z.string().refine(isName).meta({ description: 'The name of the integration, such as `shopify`.' }),
})
const One = z.object({ integration: Integration })

type Saved = Awaited<ReturnType<typeof saveIntegration>>

/** Returns the endpoints of integrations. They seal secrets with `sealer`. */
export const integrationEndpoints = (sealer: Sealer) => ({
  getIntegrations: endpoint({
    ...READS,
    name: 'listIntegrations',
    method: 'GET',
    path: '/integrations',
    summary: 'What the workspace is or may be connected to: shops, a payment gateway, an assistant.',
    replies: { 200: z.object({ integrations: z.array(Integration) }) },
    refuses: [],
    handle: async (ctx) => reply(200, { integrations: await readIntegrations(ctx, sealer) }),
  }),
  getIntegration: endpoint({
    ...READS,
    name: 'getIntegration',
    method: 'GET',
    path: '/integrations/:name',
    summary: 'One integration. Secrets are shown as asterisks and their last 4 characters.',
    params: Named,
    replies: { 200: One },
    refuses: ['unknown_integration'],
    handle: async (ctx, { params }) =>
      reply(200, { integration: await readIntegration(ctx, params.name, sealer) }),
  }),
  putIntegration: endpoint({
    ...WRITES,
    name: 'replaceIntegration',
    method: 'PUT',
    path: '/integrations/:name',
    summary: 'Connect it, or replace its settings.',
    description:
      'The far side is asked whether they hold: what is wrong is `invalid` at `settings.…`. Its webhooks are then registered at the shop. ' +
      'Secrets that are left out stay, unless the address (`shop`, `url`) changes; anything else goes back to its default. `orders` answers with the `secret` that your shop ' +
      'signs with, once, where you give none. A sandbox takes `simulator` alone.',
    params: Named,
    body: IntegrationBody,
    example: {
      settings: {
        url: 'https://shop.example.com',
        consumerKey: 'ck_0123456789abcdef',
        consumerSecret: 'cs_0123456789abcdef',
        cod: { enabled: true, delayMinutes: 5, expireHours: 48 },
      },
    },
    replies: {
      200: One.extend({
        secret: z.string().optional().meta({ description: 'Signs what is reported; shown this once.' }),
      }),
    },
    gates: [notOfSandbox],
    refuses: ['unknown_integration', 'invalid_reference'],
    handleOutside: (request, { params, body }) =>
      request.answering(
        ({ integration, secret }: Saved) =>
          reply(200, { integration, ...(secret === undefined ? {} : { secret }) }),
        async (ctx) => {
          const name = await ctx.transaction((inside) => {
            requireFresh(inside)
            return requireName(inside, params.name)
          })
          const input = { name, settings: body.settings }
          const checkedIntegration = await checkIntegration(ctx, input, sealer)
          return ctx.lastTransaction((inside) => saveIntegration(inside, checkedIntegration, sealer))
        },
      ),
  }),
})

export const deleteIntegration = endpoint({
  ...WRITES,
  name: 'deleteIntegration',
  method: 'DELETE',
  path: '/integrations/:name',
  summary: 'Disconnect it: its settings and secrets are wiped, its address listens to nobody.',
  critical: true,
  params: Named,
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.boolean() }) },
  refuses: ['unknown_integration'],
  handle: async (ctx, { params }) => {
    requireFresh(ctx)
    return reply(200, {
      ok: true,
      deleted: await disconnectIntegration(ctx, await requireName(ctx, params.name)),
    })
  },
})

export const getDeliveries = endpoint({
  ...READS,
  name: 'listIntegrationDeliveries',
  method: 'GET',
  path: '/integrations/:name/deliveries',
  summary: 'What a shop sent to its address in the last 7 days, newest first, and what became of it.',
  description:
    'What is signed is listed, also where nothing was done about it; of what it says only the number of the order. ' +
    'Of what is no shop the list is empty.',
  params: Named,
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('deliveries', ShopDelivery) },
  refuses: ['unknown_integration'],
  handle: async (ctx, { params, query }) => reply(200, await listDeliveries(ctx, params.name, query)),
})

export const getOrders = endpoint({
  ...READS,
  name: 'listOrders',
  method: 'GET',
  path: '/orders',
  summary: 'Orders that shops reported, newest first.',
  query: OrderFilter,
  replies: { 200: cursorPage('orders', Order) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listOrders(ctx, query)),
})
