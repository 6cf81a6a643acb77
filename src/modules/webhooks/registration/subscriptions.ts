/** Which events an endpoint listens to, and the check of what a key asks for. */
import { invalid, refuse } from '../../../core/errors.ts'
import type { EventKind } from '../../../core/event.ts'
import { nearNames } from '../../../core/near-names.ts'
import type { Subscription } from '../schema.ts'
import { mayRead, type Rights, requireReadable } from './rights.ts'

/** The events of the service by name. */
export type EventCatalog = ReadonlyMap<string, EventKind>

export const catalogOf = (kinds: readonly EventKind[]): EventCatalog =>
  new Map(kinds.map((kind) => [kind.name, kind]))

/** The names of the events that a caller may read. */
export const readableEvents = (catalog: EventCatalog, rights: Rights): string[] =>
  [...catalog.values()].filter((kind) => mayRead(rights, kind)).map((kind) => kind.name)

/** Names of events that a mistyped one may have meant: the nearest, or those of the same noun. */
export function nearEvents(catalog: EventCatalog, name: string): string[] {
  const noun = name.split('.')[0]!
  return nearNames(name, catalog.keys(), (known) => known.startsWith(`${noun}.`))
}

/** Unknown names of one request that get hints: whoever mistypes more of them reads the list. */
const MAX_NAMES_WITH_HINTS = 3

const noEvent = (name: string): string => `Unknown event ${JSON.stringify(name)}`

/** What is said of a name that no event has: the near ones, and where all are listed. */
export const unknownEvent = (catalog: EventCatalog, name: string): string => {
  const near = nearEvents(catalog, name)
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''
  return `${noEvent(name)}.${hint} See GET /webhooks/events.`
}

/** Whether the body says anything about events. */
export const namesEvents = (body: Subscription): boolean =>
  body.events !== undefined || body.event !== undefined

/**
 * The events to subscribe to: null for every event. Refuses unknown names with the near ones, and more names than there are
 * events (400),
 * and events that the key may not read (403).
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
 * Refuses a change that would bring events to a key that may not read them: moving the endpoint, or
 * taking over its secret. A key narrowed to scopes is held to them on all endpoints (spec 5.5).
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
    // What no event is called any more nobody can be said to be allowed to read.
    if (!kind)
      refuse('forbidden', `${name} requires an admin key without a scope list.`, {
        required: 'admin',
      })
    requireReadable(rights, kind)
  }
}
