import { z } from 'zod'
import { outsideJob } from '../../../core/job.ts'
import { markCodAnswer, registerAtShop } from './operations/call-shops.ts'
import { setLastError } from './queries/integrations.ts'

const RETRY_SECONDS = [10, 60, 600, 3_600, 6 * 3_600]

/** Registers our webhooks at a newly connected shop. */
export const registerShopWebhooks = outsideJob({
  name: 'registerShopWebhooks',
  payload: z.object({ name: z.string() }),
  retrySeconds: RETRY_SECONDS,
  runOutside: (ctx, { name }) => registerAtShop(ctx, name),
  giveUp: async (ctx, { name }, why) => {
    await setLastError(ctx, name, `The webhooks couldn't be registered at the shop: ${why}`)
  },
})

/** Marks an order in its shop with the customer's answer. */
export const markOrderInShop = outsideJob({
  name: 'markOrderInShop',
  payload: z.object({ integration: z.string(), externalId: z.string(), confirmed: z.boolean() }),
  retrySeconds: RETRY_SECONDS,
  runOutside: markCodAnswer,
  giveUp: async (ctx, { integration, externalId }, why) => {
    await setLastError(ctx, integration, `Order ${externalId} couldn't be marked with the answer: ${why}`)
  },
})
