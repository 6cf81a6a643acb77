/** Registers, changes and removes endpoints (spec 4.8). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { requireFresh } from '../../../../core/require-fresh.ts'
import {
  type OwnHeader,
  openHeaders,
  replaceHeaders,
  requireValuesFor,
  sealHeaders,
} from '../../../../core/values/own-headers.ts'
import { newWebhookSecret } from '../../../../core/values/webhook-secret.ts'
import { DELETED_WEBHOOKS } from '../delivery/queries/delete-pending.ts'
import { ENDPOINTS_MAX, type Subscription, type WebhookPatch } from '../schema.ts'
import type { WebhookRow } from './queries.ts'
import * as queries from './queries.ts'
import { mayManage, type Rights, rightsOf, TEST_EVENT } from './rights.ts'
import {
  catalogOf,
  namesEvents,
  readableEvents,
  requireAllReadable,
  subscriptionOf,
} from './subscriptions.ts'

/** The time for which the old secret still signs after a rotation (spec 6.2). */
const ROTATION_OVERLAP_MS = DAY_MS

const notFound = (): never => refuse('not_found', 'Webhook endpoint not found. See GET /webhooks.')

/** Returns an endpoint that the actor may manage; others are answered like missing ones. */
export async function getWebhook(ctx: Context, id: string): Promise<WebhookRow> {
  const row = isUuid(id) ? await queries.findWebhook(ctx, id) : undefined
  return row && mayManage(rightsOf(ctx.actor), row) ? row : notFound()
}

/** Returns the same endpoint, locked until the transaction ends. */
export async function getWebhookForUpdate(ctx: Context, id: string): Promise<WebhookRow> {
  const row = isUuid(id) ? await queries.findWebhookForUpdate(ctx, id) : undefined
  return row && mayManage(rightsOf(ctx.actor), row) ? row : notFound()
}

/** Refuses an operation on an endpoint whose key was revoked or has expired: no resume brings it back. */
export const refuseStopped = (): never =>
  refuse(
    'conflict',
    'The API key that registered this endpoint is no longer valid. Delete the endpoint and register it again.',
  )

/** The health of an endpoint without known failures. */
const UNTRIED = { failingSince: null, failures: 0, probeAt: null }

async function refuseDuplicate(ctx: Context, url: string, self?: string): Promise<void> {
  const existing = await queries.findWebhookByUrl(ctx, url)
  if (existing && existing.id !== self)
    refuse(
      'conflict',
      `The endpoint ${existing.id} already has this address. Change that endpoint, or use another address.`,
      { webhookId: existing.id },
    )
}

/** Refuses an address that already has an endpoint, and an endpoint above the workspace's limit. */
export async function requireRegistrable(ctx: Context, url: string): Promise<void> {
  await refuseDuplicate(ctx, url)
  if ((await queries.countWebhooks(ctx)) >= ENDPOINTS_MAX)
    refuse('conflict', `Webhook endpoint limit reached (${ENDPOINTS_MAX}). Delete one first.`)
}

/** Refuses an endpoint that the actor may not manage, and an address that another endpoint has. */
export async function requireMovableTo(ctx: Context, id: string, url: string): Promise<void> {
  await getWebhook(ctx, id)
  await refuseDuplicate(ctx, url, id)
}

/** Refuses a move that would send future or waiting events to a key that may not read them. */
async function requireMovable(ctx: Context, rights: Rights, webhook: WebhookRow) {
  const catalog = catalogOf(ctx.eventKinds)
  requireAllReadable(catalog, rights, webhook)
  if (rights.full) return
  const readable = [...readableEvents(catalog, rights), TEST_EVENT]
  const waitingDelivery = await queries.findWaitingBesides(ctx, webhook.id, readable)
  if (waitingDelivery) requireAllReadable(catalog, rights, { events: [waitingDelivery.event] })
}

/** Registers an endpoint; its secret is shown only this time. */
export async function registerWebhook(
  ctx: Context,
  input: Subscription & { url: string; headers: OwnHeader[] },
): Promise<{ webhook: WebhookRow; secret: string }> {
  requireFresh(ctx)
  const rights = rightsOf(ctx.actor)
  const events = subscriptionOf(catalogOf(ctx.eventKinds), rights, input)
  await queries.lockWebhooks(ctx)
  await requireRegistrable(ctx, input.url)
  const id = newId()
  const secret = newWebhookSecret()
  await queries.insertWebhook(ctx, {
    id,
    url: input.url,
    events,
    keyId: rights.keyId,
    secretSealed: ctx.sealer.seal(secret),
    headersSealed: sealHeaders(ctx.sealer, input.headers),
  })
  touch(ctx, { webhook: id })
  return { webhook: await getWebhook(ctx, id), secret }
}

/** Pauses or resumes an endpoint, changes its events or its own headers, or moves it to a checked address. */
export async function changeWebhook(ctx: Context, id: string, patch: WebhookPatch): Promise<WebhookRow> {
  const rights = rightsOf(ctx.actor)
  const webhook = await getWebhookForUpdate(ctx, id)
  const change: queries.WebhookChange = {}
  if (namesEvents(patch)) change.events = subscriptionOf(catalogOf(ctx.eventKinds), rights, patch)
  const headers = openHeaders(ctx.sealer, webhook.headersSealed)
  if (patch.headers !== undefined)
    change.headersSealed = sealHeaders(ctx.sealer, replaceHeaders(headers, patch.headers))
  if (patch.url !== undefined && patch.url !== webhook.url) {
    requireFresh(ctx)
    requireValuesFor(headers, patch.headers, { from: webhook.url, to: patch.url })
    await requireMovable(ctx, rights, webhook)
    await queries.lockWebhooks(ctx)
    await refuseDuplicate(ctx, patch.url, id)
    // The health of the old address does not apply to the new one.
    Object.assign(change, { url: patch.url, ...UNTRIED })
  }
  if (patch.active === true) {
    if (webhook.keyStopped) refuseStopped()
    Object.assign(change, {
      active: true,
      disabledAt: null,
      disabledReason: null,
      ...UNTRIED,
    })
  }
  if (patch.active === false) change.active = false
  if (Object.keys(change).length === 0) return webhook
  await queries.updateWebhook(ctx, id, change)
  touch(ctx, { webhook: id })
  // Deliveries that waited during the pause are sent now.
  if (change.active) ctx.wakes.add('deliveries')
  return getWebhook(ctx, id)
}

/**
 * Creates another secret, shown only this time; the old one also signs for 24 hours of the workspace's time.
 */
export async function rotateSecret(
  ctx: Context,
  id: string,
): Promise<{ webhook: WebhookRow; secret: string }> {
  requireFresh(ctx)
  const rights = rightsOf(ctx.actor)
  const webhook = await getWebhookForUpdate(ctx, id)
  requireAllReadable(catalogOf(ctx.eventKinds), rights, webhook)
  const secret = newWebhookSecret()
  await queries.updateWebhookSecret(ctx, id, ctx.sealer.seal(secret), later(ctx.now, ROTATION_OVERLAP_MS))
  return { webhook: await getWebhook(ctx, id), secret }
}

/**
 * Removes an endpoint; its waiting deliveries are deleted in the background. Returns false if it was removed
 * before.
 */
export async function deleteWebhookEndpoint(ctx: Context, id: string): Promise<boolean> {
  if (!isUuid(id)) notFound()
  const rights = rightsOf(ctx.actor)
  const webhook = await queries.findWebhookForUpdate(ctx, id)
  if (webhook) {
    if (!mayManage(rights, webhook)) notFound()
    await queries.deleteWebhook(ctx, webhook)
    touch(ctx, { webhook: id })
    wake(ctx, DELETED_WEBHOOKS)
    return true
  }
  const deletedWebhook = await queries.findDeletedWebhook(ctx, id)
  if (!deletedWebhook || !mayManage(rights, deletedWebhook)) notFound()
  return false
}
