/** The source of a message or of a change: a member, a key, or a part of Parley that acts by itself. */
import { z } from 'zod'
import type { Context } from './context.ts'
import { Id } from './ids.ts'

export const SOURCE_KINDS = [
  'member',
  'api_key',
  'automation',
  'bot',
  'auto_reply',
  'campaign',
  'booking',
  'payment',
  'invoice',
  'order',
  'review',
  'rating',
  'phone_app',
  'customer',
] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** `id` names the member, the key, the automation, and so on; `name` is its name at that time. */
export type Source = { kind: SourceKind; id: string | null; name: string | null }

export const SourceSchema = z
  .object({ kind: z.enum(SOURCE_KINDS), id: Id.nullable(), name: z.string().nullable() })
  .meta({
    id: 'Source',
    description:
      'Source of a message or a change: a member, an API key, or a part of Parley that acts by itself.',
    fields: {
      kind: 'Kind of source. `phone_app`: a person wrote in the phone app of the number.',
      id: 'Id of the source, such as the member or the automation; null if it has none.',
      name: 'Name of the source at that time, such as the label of a key; null if unknown.',
    },
  })

/** Returns the columns of a stored source. */
export const columnsOfSource = (source: Source | null) => ({
  sourceKind: source?.kind ?? null,
  sourceId: source?.id ?? null,
  sourceName: source?.name ?? null,
})

/** Returns `ctx` with `source` as the source of what Parley does by itself. Callers and automations stay the source. */
export const actingAs = (ctx: Context, source: Source): Context =>
  sourceOf(ctx) === null ? { ...ctx, source } : ctx

/** Returns the source of an action in `ctx`; null if Parley itself acts. */
export function sourceOf({
  actor,
  cause,
  source,
}: Pick<Context, 'actor' | 'cause' | 'source'>): Source | null {
  if (source) return source
  if (cause) return { kind: 'automation', id: cause.automationId, name: cause.name }
  if (actor.kind === 'member') return { kind: 'member', id: actor.memberId, name: actor.name }
  if (actor.kind === 'key') return { kind: 'api_key', id: actor.keyId, name: actor.label }
  return null
}
