/** Sends a range of the event log to an endpoint again (docs/decisions/event-log.md). */
import { later } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { cutPage } from '../../../../core/paging.ts'
import { logStart, requireReceiving } from '../delivery/queries/delivery-log.ts'
import { getWebhookForUpdate } from '../registration/operations.ts'
import type { WebhookRow } from '../registration/queries.ts'
import { rightsOf } from '../registration/rights.ts'
import { catalogOf, namesEvents, requireAllReadable, subscriptionOf } from '../registration/subscriptions.ts'
import { MAX_REPLAY, type Replay } from '../schema.ts'
import { insertReplays, listEventsBetween, listLacking } from './queries/replays.ts'
import { DELIVERIES } from './record-events.ts'

/**
 * Returns the names of the events to send: all to which the endpoint is subscribed, or the requested ones of
 * them.
 */
function namesOf(ctx: Context, webhook: WebhookRow, input: Replay): string[] {
  const catalog = catalogOf(ctx.eventKinds)
  const listened = webhook.events ?? [...catalog.keys()]
  if (!namesEvents(input) || input.events === null) {
    // As in a redelivery, the key's scopes apply to all endpoints (spec 5.5).
    requireAllReadable(catalog, rightsOf(ctx.actor), webhook)
    return listened
  }
  const requestedNames = subscriptionOf(catalog, rightsOf(ctx.actor), input) ?? listened
  const unknownOnes = requestedNames.filter((name) => !listened.includes(name))
  if (unknownOnes.length > 0)
    throw invalid([
      {
        path: input.event === undefined ? 'events' : 'event',
        message: `The endpoint isn't subscribed to ${unknownOnes.join(', ')}.`,
      },
    ])
  return requestedNames
}

/**
 * Sends the events of a time range to the endpoint again, oldest first, with their own ids and times; failed
 * ones are retried as usual. Reads at most 1,000 events: `nextCursor` continues. `only: 'undelivered'` omits
 * delivered and waiting events.
 */
export async function replayEvents(
  ctx: Context,
  id: string,
  input: Replay,
): Promise<{ queued: number; nextCursor: string | null }> {
  // Locked, so that concurrent duplicates of this call see each other's deliveries.
  const webhook = await getWebhookForUpdate(ctx, id)
  const names = namesOf(ctx, webhook, input)
  requireReceiving(webhook)
  const logStartsAt = logStart(ctx)
  const found = await listEventsBetween(ctx, {
    names,
    from: later(logStartsAt, Math.max(0, input.from.getTime() - logStartsAt.getTime())),
    to: input.to ?? ctx.now,
    after: input.cursor,
    limit: MAX_REPLAY,
  })
  const { rows, nextCursor } = cutPage(found, MAX_REPLAY, (row) => row.id)
  const lackingIds =
    input.only === 'undelivered'
      ? await listLacking(
          ctx,
          id,
          rows.map((row) => row.id),
        )
      : undefined
  const events = lackingIds ? rows.filter((row) => lackingIds.has(row.id)) : rows
  if (events.length > 0) {
    await insertReplays(ctx, id, events)
    wake(ctx, DELIVERIES)
  }
  return { queued: events.length, nextCursor }
}
