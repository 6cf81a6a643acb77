/** The log of deliveries: lists, test events, redelivery, and samples of events (spec 4.8). */
import { DAY_MS, later } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import { isUuid, isUuid7, timeOfId } from '../../../../../core/ids.ts'
import { cutPage } from '../../../../../core/paging.ts'
import { requireCostlyRead } from '../../../../../database/sql/costly-reads.ts'
import { listEventsNamed } from '../../event-log/queries/events.ts'
import { DELIVERIES } from '../../event-log/record-events.ts'
import { getWebhook, refuseStopped } from '../../registration/operations.ts'
import type { DeliveryRow, WebhookRow } from '../../registration/queries.ts'
import * as queries from '../../registration/queries.ts'
import { mayManage, mayRead, rightsOf, TEST_EVENT } from '../../registration/rights.ts'
import { catalogOf, nearEvents, requireAllReadable } from '../../registration/subscriptions.ts'

/** The retention of events and deliveries (spec 6.1, 8.2). */
export const LOG_MS = 7 * DAY_MS

const MAX_SAMPLES = 3

/** Returns the start of the log, in the workspace's time. */
export const logStart = (ctx: Context): Date => later(ctx.now, -LOG_MS)

/** Returns the endpoint's attempts of the last 7 days, newest first. */
export async function listAttempts(ctx: Context, id: string, page: queries.DeliveryListing) {
  const webhook = await getWebhook(ctx, id)
  // Finding rare attempts requires a walk through all; failed ones have an index.
  const walksFar =
    page.eventId === undefined &&
    (page.event !== undefined || (page.status !== undefined && page.status !== 'failed'))
  if (walksFar && (await queries.hasManyDeliveries(ctx, id))) await requireCostlyRead(ctx)
  const rows = await queries.listDeliveries(ctx, id, page, logStart(ctx))
  return { webhook, ...cutPage(rows, page.limit, (row) => row.id) }
}

/** Refuses an endpoint that receives nothing now. */
export function requireReceiving(webhook: WebhookRow): void {
  if (webhook.keyStopped) refuseStopped()
  if (!webhook.active) refuse('conflict', 'The endpoint is paused or disabled. Resume it first.')
}

async function queueManualDelivery(ctx: Context, webhook: WebhookRow, event: { id: string; name: string }) {
  requireReceiving(webhook)
  const id = await queries.insertManualDelivery(ctx, {
    endpointId: webhook.id,
    eventId: event.id,
    event: event.name,
  })
  ctx.wakes.add(DELIVERIES)
  return { webhook, delivery: (await queries.findDelivery(ctx, id)) as DeliveryRow }
}

/** Sends a signed test event to the endpoint; the result appears among its deliveries. */
export async function testWebhook(ctx: Context, id: string) {
  const webhook = await getWebhook(ctx, id)
  const data = { webhookId: id, message: 'This is a test event.' }
  const eventId = await queries.insertEvent(ctx, TEST_EVENT, data)
  return queueManualDelivery(ctx, webhook, { id: eventId, name: TEST_EVENT })
}

const noLongerInLog = (): never =>
  refuse(
    'no_payload',
    "The delivery is older than 7 days, so its event is no longer in the log. It can't be sent again.",
  )

/**
 * Sends a logged delivery again, with the event's own id and time, signed with the current secret. The
 * endpoint may have been moved to the key's own address, so the key must be allowed to read the event (spec
 * 5.5).
 */
export async function redeliver(ctx: Context, deliveryId: string) {
  const delivery = isUuid(deliveryId) ? await queries.findDelivery(ctx, deliveryId) : undefined
  // Deliveries leave the log, but the time in the id still shows that it was too old.
  if (!delivery && isUuid7(deliveryId) && timeOfId(deliveryId) <= logStart(ctx)) return noLongerInLog()
  const webhook = delivery && (await queries.findWebhook(ctx, delivery.endpointId))
  if (!webhook || !mayManage(rightsOf(ctx.actor), webhook))
    return refuse('not_found', 'Delivery not found. See GET /webhooks/{id}/deliveries.')
  if (delivery.event !== TEST_EVENT)
    requireAllReadable(catalogOf(ctx.eventKinds), rightsOf(ctx.actor), { events: [delivery.event] })
  if (delivery.data === null || !delivery.happenedAt || delivery.happenedAt <= logStart(ctx)) noLongerInLog()
  return queueManualDelivery(ctx, webhook, { id: delivery.eventId, name: delivery.event })
}

/**
 * Returns the latest events of a name, if the key may read them: an admin key without scopes, or a key with
 * webhooks:manage and the event's scope. Otherwise, or without events, returns the documented example.
 */
export async function sampleEvents(ctx: Context, name: string) {
  const catalog = catalogOf(ctx.eventKinds)
  const kind = catalog.get(name)
  if (!kind) {
    const similarNames = nearEvents(catalog, name)
    const hint = similarNames.length > 0 ? ` Did you mean ${similarNames.join(', ')}?` : ''
    return refuse('not_found', `Event not found.${hint} See GET /webhooks/events.`)
  }
  const rights = rightsOf(ctx.actor)
  const entitled = rights.full || (rights.scopes?.includes('webhooks:manage') && mayRead(rights, kind))
  const real = entitled ? await listEventsNamed(ctx, name, MAX_SAMPLES, logStart(ctx)) : []
  if (real.length > 0)
    return {
      real: true,
      samples: real.map((row) => ({
        id: row.id,
        event: row.name,
        createdAt: row.createdAt.toISOString(),
        data: row.data,
      })),
    }
  const example = {
    id: '01978f2e-a000-7000-8000-000000000001',
    event: name,
    createdAt: '2026-06-01T09:30:00.000Z',
    data: kind.example,
  }
  return { real: false, samples: [example] }
}
