/** The events to which an endpoint subscribes, and the check of a key's request. */
import { invalid, refuse } from '../../../../core/errors.ts'
import type { EventKind } from '../../../../core/event.ts'
import { oncePer } from '../../../../core/once-per.ts'
import { nearNames } from '../../../../core/values/near-names.ts'
import type { Subscription } from '../schema.ts'
import { mayRead, type Rights, requireReadable } from './rights.ts'

/** The events of the service by name. */
export type EventCatalog = ReadonlyMap<string, EventKind>

export const catalogOf: (kinds: readonly EventKind[]) => EventCatalog = oncePer(
  (kinds) => new Map(kinds.map((kind) => [kind.name, kind])),
)

/** Returns the names of the events that a caller may read. */
export const readableEvents = (catalog: EventCatalog, rights: Rights): string[] =>
  [...catalog.values()].filter((kind) => mayRead(rights, kind)).map((kind) => kind.name)

/** Returns names similar to a mistyped event name: the nearest, or those of the same noun. */
export function nearEvents(catalog: EventCatalog, name: string): string[] {
  const noun = name.split('.')[0]!
  return nearNames(name, catalog.keys(), (eventName) => eventName.startsWith(`${noun}.`))
}

/**
 * The number of unknown names in a request that get hints; for more names, the list of events is more useful.
 */
const MAX_NAMES_WITH_HINTS = 3

const noEvent = (name: string): string => `Unknown event ${JSON.stringify(name)}`

/** Returns the error for an unknown name: similar names, and where all are listed. */
export const unknownEvent = (catalog: EventCatalog, name: string): string => {
  const similarNames = nearEvents(catalog, name)
  const hint = similarNames.length > 0 ? ` Did you mean ${similarNames.join(', ')}?` : ''
  return `${noEvent(name)}.${hint} See GET /webhooks/events.`
}

/** Returns whether the body has a field about events. */
export const namesEvents = (body: Subscription): boolean =>
  body.events !== undefined || body.event !== undefined

/**
 * Returns the events to subscribe to: null for all events. Refuses unknown names with similar ones, a list
 * longer than that of all events (400), and events that the key may not read (403).
 */
export function subscriptionOf(catalog: EventCatalog, rights: Rights, body: Subscription): string[] | null {
  const names = body.event !== undefined ? [body.event] : (body.events ?? null)
  if (names === null) {
    if (rights.full) return null
    return refuse(
      'forbidden',
      'Only an admin key without a scope list can subscribe to every event. List the events instead.',
      { required: 'admin' },
    )
  }
  if (names.length > catalog.size)
    throw invalid([
      { path: 'events', message: `Must have at most ${catalog.size} items, the number of events.` },
    ])
  const unknown = names.flatMap((name, i) =>
    catalog.has(name) ? [] : [{ path: body.event !== undefined ? 'event' : `events[${i}]`, name }],
  )
  if (unknown.length > 0)
    throw invalid(
      unknown.map(({ path, name }, i) => ({
        path,
        message: i < MAX_NAMES_WITH_HINTS ? unknownEvent(catalog, name) : noEvent(name),
      })),
    )
  for (const name of names) requireReadable(rights, catalog.get(name)!)
  return [...new Set(names)]
}

/**
 * Refuses a change that would send events to a key that may not read them: moving the endpoint, or taking its
 * secret. A key's scopes apply to all endpoints (spec 5.5).
 */
export function requireAllReadable(
  catalog: EventCatalog,
  rights: Rights,
  endpoint: { events: string[] | null },
): void {
  if (rights.full) return
  if (endpoint.events === null)
    refuse('forbidden', 'The endpoint receives every event. Use an admin key without a scope list.', {
      required: 'admin',
    })
  for (const name of endpoint.events) {
    const kind = catalog.get(name)
    // For an event that no longer exists, no read right can be checked.
    if (!kind)
      refuse('forbidden', `${name} requires an admin key without a scope list.`, {
        required: 'admin',
      })
    requireReadable(rights, kind)
  }
}
