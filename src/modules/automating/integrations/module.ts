import { routes } from '../../../core/endpoint.ts'
import {
  deleteIntegration,
  getDeliveries,
  getIntegration,
  getIntegrations,
  getOrders,
  postIntegrationTest,
  putIntegration,
} from './endpoints.ts'
import { orderCodResponse, orderEvent } from './events.ts'
import { markOrderInShop, registerShopWebhooks } from './jobs.ts'
import { codQuestionsSource } from './work/cod-questions-source.ts'
import { shopDeliveriesRetentionSource } from './work/shop-deliveries-retention-source.ts'
import { shopDeliveriesSource } from './work/shop-deliveries-source.ts'

export const integrations = {
  endpoints: routes({
    'GET /integrations': getIntegrations,
    'GET /integrations/:name': getIntegration,
    'PUT /integrations/:name': putIntegration,
    'DELETE /integrations/:name': deleteIntegration,
    'POST /integrations/:name/test': postIntegrationTest,
    'GET /integrations/:name/deliveries': getDeliveries,
    'GET /orders': getOrders,
  }),
  events: [orderCodResponse, orderEvent],
  jobs: [registerShopWebhooks, markOrderInShop],
  sources: {
    'shop-deliveries': shopDeliveriesSource,
    'cod-questions': codQuestionsSource,
    'shop-deliveries-retention': shopDeliveriesRetentionSource,
  },
}
