/**
 * Triggers an event of a sandbox by name, for developers of a receiver (docs/decisions/developer-tools.md).
 */
import type { Context } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { emit } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import { issuesOf } from '../../../../core/issues.ts'
import { requireReadable, rightsOf } from '../registration/rights.ts'
import { catalogOf, unknownEvent } from '../registration/subscriptions.ts'

/** Returns the contact in the data, so that its erasure strips this event like any other. */
function contactIn(data: Record<string, unknown>): string | null {
  const { contactId, contact } = data as { contactId?: unknown; contact?: { id?: unknown } }
  const id = contactId ?? contact?.id
  return typeof id === 'string' && isUuid(id) ? id : null
}

/**
 * Emits an event with its documented example as data; fields of `data` replace those of the example. Creates
 * nothing else. Refuses unknown events and fields (400), and events that the key may not read (403).
 */
export function triggerEvent(
  ctx: Context,
  input: { event: string; data: Record<string, unknown> },
): { id: string; event: string; createdAt: string; data: Record<string, unknown> } {
  const catalog = catalogOf(ctx.eventKinds)
  const kind = catalog.get(input.event)
  if (!kind) throw invalid([{ path: 'event', message: unknownEvent(catalog, input.event) }])
  requireReadable(rightsOf(ctx.actor), kind)
  const shape = kind.data.strict()
  const read = shape.safeParse({ ...kind.example, ...input.data })
  if (!read.success)
    throw invalid(issuesOf(read.error, shape).map((issue) => ({ ...issue, path: `data.${issue.path}` })))
  const id = emit(ctx, kind, read.data, { contactId: contactIn(read.data) })
  ctx.outbox.find((event) => event.id === id)!.madeUp = true
  return { id, event: kind.name, createdAt: ctx.now.toISOString(), data: read.data }
}
