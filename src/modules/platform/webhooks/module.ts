import { routes } from '../../../core/endpoint.ts'
import {
  getDeliverySignature,
  getWebhookDeliveries,
  postRedelivery,
  postWebhookTest,
} from './delivery/endpoints.ts'
import {
  getEventSamples,
  getEvents,
  getWebhookEvents,
  postSandboxEvent,
  postWebhookReplay,
} from './event-log/endpoints.ts'
import { notifyAdmins, notifyOwner } from './jobs.ts'
import {
  deleteWebhook,
  getWebhooks,
  patchWebhook,
  postWebhook,
  postWebhookRotation,
} from './registration/endpoints.ts'
import { deletedWebhooksSource } from './work/deleted-webhooks-source.ts'
import { deliveriesSource } from './work/deliveries-source.ts'
import { logDaysSource } from './work/log-days-source.ts'

export const webhooks = {
  endpoints: routes({
    'GET /webhooks': getWebhooks,
    'GET /webhooks/events': getWebhookEvents,
    'GET /webhooks/samples/:event': getEventSamples,
    'GET /events': getEvents,
    'POST /webhooks': postWebhook,
    'PATCH /webhooks/:id': patchWebhook,
    'POST /webhooks/:id/rotate': postWebhookRotation,
    'DELETE /webhooks/:id': deleteWebhook,
    'GET /webhooks/:id/deliveries': getWebhookDeliveries,
    'POST /webhooks/:id/test': postWebhookTest,
    'POST /webhooks/deliveries/:id/redeliver': postRedelivery,
    'GET /webhooks/deliveries/:id/signature': getDeliverySignature,
    'POST /webhooks/:id/replay': postWebhookReplay,
    'POST /sandbox/events': postSandboxEvent,
  }),
  jobs: [notifyOwner, notifyAdmins],
  sources: {
    deliveries: deliveriesSource,
    'deleted-webhooks': deletedWebhooksSource,
    'log-days': logDaysSource,
  },
}
