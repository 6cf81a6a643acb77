/** Frames of a live stream, and merging them while the client reads slowly. */
import { MAX_TOUCHED_IDS } from '../../core/event.ts'

export type Changed = Record<string, readonly string[] | 'many'>

/** The conversation that a member looks at. */
export type Presence = { conversationId: string; typing: boolean }

export type Frame = {
  /** The event to resume after: no earlier event can appear. Undefined: unchanged. */
  id?: string | undefined
  changed: Changed
  /** The page must read everything again. */
  reset?: boolean
  /** The conversations that members look at, by member; null: none. */
  presence?: Record<string, Presence | null> | undefined
  /** `presence` is complete: members who aren't in it look at nothing. */
  isWhole?: boolean | undefined
}

/** Merges changes. A kind with too many IDs becomes `many`. */
export function mergeChanged(changes: Iterable<Changed>): Changed {
  const merged = new Map<string, Set<string> | 'many'>()
  for (const change of changes)
    for (const [kind, ids] of Object.entries(change)) {
      const known = merged.get(kind) ?? new Set<string>()
      if (known === 'many') continue
      if (ids !== 'many') for (const id of ids) known.add(id)
      merged.set(kind, ids === 'many' || known.size > MAX_TOUCHED_IDS ? 'many' : known)
    }
  return Object.fromEntries([...merged].map(([kind, ids]) => [kind, ids === 'many' ? ids : [...ids]]))
}

const mergePresence = (one: Frame['presence'], other: Frame['presence']): Frame['presence'] =>
  one || other ? { ...one, ...other } : undefined

export const mergeFrames = (one: Frame | undefined, other: Frame): Frame =>
  one
    ? {
        id: other.id ?? one.id,
        changed: mergeChanged([one.changed, other.changed]),
        reset: one.reset || other.reset || false,
        presence: other.isWhole ? other.presence : mergePresence(one.presence, other.presence),
        isWhole: one.isWhole || other.isWhole || false,
      }
    : other

const message = (type: string | undefined, id: string | undefined, data: unknown): string =>
  `${type ? `event: ${type}\n` : ''}${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`

/** Formats the frame as server-sent events. */
export function frameText({ id, changed, reset, presence, isWhole }: Frame, build: string | null): string {
  const parts: string[] = []
  if (presence !== undefined)
    parts.push(message('presence', undefined, { presence, ...(isWhole ? { isWhole } : {}) }))
  if (reset) parts.push(message('reset', id, { build }))
  else if (id !== undefined || Object.keys(changed).length > 0)
    parts.push(message(undefined, id, { changed, build }))
  return parts.join('')
}

export const PING = message('ping', undefined, {})
