import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../core/endpoint.ts'
import { refuse } from '../../../core/errors.ts'
import { cursorPage, cursorQuery } from '../../../core/paging.ts'
import { requireFresh } from '../../../core/require-fresh.ts'
import { isHeldElsewhere } from '../../selling/social/operations/accounts.ts'
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
import { type TestResult, testIntegration } from './operations/test-integration.ts'
import { Order, OrderFilter, ShopDelivery } from './order-schema.ts'
import { Integration, IntegrationBody } from './schema.ts'

const shared = { tag: 'Integrations', section: '4.10' } as const
const read = { ...shared, scope: 'integrations:read', role: 'viewer', bucket: 'reads' } as const
const write = { ...shared, scope: 'integrations:write', role: 'admin', bucket: 'settings-writes' } as const

/** An unknown name returns 404, with any body. */
const Named = z.object({
  name: z.string().refine(isName).meta({ description: 'The name of the integration, such as `shopify`.' }),
})
const One = z.object({ integration: Integration })

/** Another workspace may hold the account; which one stays unknown. */
function refuseHeldElsewhere(error: unknown): never {
  if (isHeldElsewhere(error))
    refuse('conflict', 'This account is already connected to another workspace. Disconnect it there first.')
  throw error
}

type Saved = Awaited<ReturnType<typeof saveIntegration>>

export const getIntegrations = endpoint({
  ...read,
  name: 'listIntegrations',
  method: 'GET',
  path: '/integrations',
  summary: 'List the possible connections: shops, a payment gateway, the photo network, and an assistant.',
  replies: { 200: z.object({ integrations: z.array(Integration) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { integrations: await readIntegrations(ctx) }),
})

export const getIntegration = endpoint({
  ...read,
  name: 'getIntegration',
  method: 'GET',
  path: '/integrations/:name',
  summary: 'Get one integration. Secrets are shown as asterisks and their last 4 characters.',
  params: Named,
  replies: { 200: One },
  refuses: ['unknown_integration'],
  handle: async (ctx, { params }) => reply(200, { integration: await readIntegration(ctx, params.name) }),
})

export const putIntegration = outsideEndpoint({
  ...write,
  name: 'replaceIntegration',
  method: 'PUT',
  path: '/integrations/:name',
  summary: 'Connect an integration, or replace its settings.',
  description:
    "Parley checks the settings at the provider; a wrong setting returns `invalid` at `settings.…`. It then registers its webhooks at the shop. Omitted secrets are kept, unless the address (`shop`, `url`) changes; other omitted settings return to their defaults. For `orders` without a `secret`, the response contains a new `secret` for your shop's signatures, once. For `photo` without a `verifyToken`, `secret` is the new verify token. A sandbox accepts only `simulator`.",
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
      secret: z.string().optional().meta({
        description:
          'Secret that signs incoming reports (`orders`), or the verify token (`photo`). It is shown only once.',
      }),
    }),
  },
  gates: [notOfSandbox],
  refuses: ['unknown_integration', 'invalid_reference', 'conflict'],
  handle: (request, { params, body }) =>
    request.answering(
      ({ integration, secret }: Saved) =>
        reply(200, { integration, ...(secret === undefined ? {} : { secret }) }),
      async (ctx) => {
        const name = await ctx.transaction((txCtx) => {
          requireFresh(txCtx)
          return requireName(txCtx, params.name)
        })
        const input = { name, settings: body.settings }
        const checkedIntegration = await checkIntegration(ctx, input)
        return ctx
          .lastTransaction((txCtx) => saveIntegration(txCtx, checkedIntegration))
          .catch(refuseHeldElsewhere)
      },
    ),
})

export const deleteIntegration = endpoint({
  ...write,
  name: 'deleteIntegration',
  method: 'DELETE',
  path: '/integrations/:name',
  summary:
    'Disconnect an integration. Parley deletes its settings and secrets, and its address stops accepting reports.',
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

export const postIntegrationTest = outsideEndpoint({
  ...write,
  name: 'testIntegration',
  method: 'POST',
  path: '/integrations/:name/test',
  summary: 'Test a connected integration with a harmless call.',
  description:
    'Uses the stored settings and secrets, and changes nothing. `orders` and `simulator` have no system to call, so their test always works.',
  params: Named,
  replies: {
    200: z.object({
      ok: z.boolean().meta({ description: 'Whether the call worked.' }),
      problem: z
        .string()
        .nullable()
        .meta({ description: 'The error of the call, in words; null if it worked.' }),
    }),
  },
  gates: [notOfSandbox],
  refuses: ['unknown_integration', 'conflict'],
  handle: (request, { params }) =>
    request.answering(
      (result: TestResult) => reply(200, result),
      (ctx) => testIntegration(ctx, params.name),
    ),
})

export const getDeliveries = endpoint({
  ...read,
  name: 'listIntegrationDeliveries',
  method: 'GET',
  path: '/integrations/:name/deliveries',
  summary: "List a shop's reports of the last 7 days, newest first, and the result of each.",
  description:
    'Includes every signed report, also reports that changed nothing. Of the content, only the order number is returned. For an integration that is not a shop, the list is empty.',
  params: Named,
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('deliveries', ShopDelivery) },
  refuses: ['unknown_integration'],
  handle: async (ctx, { params, query }) => reply(200, await listDeliveries(ctx, params.name, query)),
})

export const getOrders = endpoint({
  ...read,
  name: 'listOrders',
  method: 'GET',
  path: '/orders',
  summary: 'List the orders that shops reported, newest first.',
  query: OrderFilter,
  tool: {
    title: 'List shop orders',
    when: 'Use it to find orders of the connected shops, and their delivery.',
  },
  replies: { 200: cursorPage('orders', Order) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listOrders(ctx, query)),
})
