/** Presents endpoints and deliveries with the fields that a key may see (spec 4.8). */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { openHeaders } from '../../../../core/values/own-headers.ts'
import { fixedHeaders } from '../delivery/attempt.ts'
import type { Delivery, Webhook } from '../schema.ts'
import type { DeliveryRow, WebhookRow } from './queries.ts'
import { isOwn, mayRead, rightsOf, shownUrl, TEST_EVENT } from './rights.ts'
import { catalogOf } from './subscriptions.ts'

const KEY_STOPPED = 'The key that registered it was revoked or has expired.'

const stateOf = (row: WebhookRow): z.input<typeof Webhook>['state'] => {
  if (row.keyStopped) return 'stopped'
  if (row.active) return 'active'
  return row.disabledAt ? 'disabled' : 'paused'
}

/** Returns the names of the own headers, to callers that see the complete address. */
const shownHeaders = (ctx: Context, row: WebhookRow): z.input<typeof Webhook>['headers'] => {
  const rights = rightsOf(ctx.actor)
  if (!rights.full && !isOwn(rights, row)) return null
  return openHeaders(ctx.sealer, row.headersSealed).map(({ name }) => ({ name, set: true }))
}

export const presentWebhook = (ctx: Context, row: WebhookRow): z.input<typeof Webhook> => ({
  id: row.id,
  url: shownUrl(rightsOf(ctx.actor), row, row.url),
  events: row.events,
  headers: shownHeaders(ctx, row),
  active: row.active && !row.keyStopped,
  state: stateOf(row),
  disabledAt: row.disabledAt?.toISOString() ?? null,
  disabledReason: row.disabledReason ?? (row.keyStopped ? KEY_STOPPED : null),
  oldSecretExpiresAt:
    row.oldSecretExpiresAt && row.oldSecretExpiresAt > ctx.now ? row.oldSecretExpiresAt.toISOString() : null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export function presentDelivery(
  ctx: Context,
  webhook: WebhookRow,
  row: DeliveryRow,
): z.input<typeof Delivery> {
  const rights = rightsOf(ctx.actor)
  const kind = catalogOf(ctx.eventKinds).get(row.event)
  const readable = rights.full || row.event === TEST_EVENT || (kind !== undefined && mayRead(rights, kind))
  const nextAttemptAt = row.status === 'pending' ? row.dueAt : row.nextAt
  return {
    id: row.id,
    eventId: row.eventId,
    event: row.event,
    attempt: row.attempt,
    manual: row.manual,
    replayed: row.replayed,
    status: row.status as z.input<typeof Delivery>['status'],
    httpStatus: row.httpStatus,
    latencyMs: row.latencyMs,
    error: row.error,
    request: row.request && {
      url: shownUrl(rights, webhook, row.request.url),
      headers: readable ? { ...fixedHeaders(row), ...row.request.headers } : fixedHeaders(row),
    },
    // Receivers may echo the request.
    response:
      readable && row.response && row.httpStatus !== null
        ? { status: row.httpStatus, ...row.response }
        : null,
    data: readable ? row.data : null,
    createdAt: row.createdAt.toISOString(),
    attemptedAt: row.attemptedAt?.toISOString() ?? null,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  }
}
