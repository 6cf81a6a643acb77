/**
 * The order in which the reference lists operations and events: that of the specification, then of their addition.
 * An operation that the file does not name comes after the one before it in its module; an event, after all others.
 */
import ORDER from './documented-order.json' with { type: 'json' }

const placesOf = (names: readonly string[]): Map<string, number> =>
  new Map(names.map((name, place) => [name, place]))

export function operationsInOrder<Value extends { name: string }>(operations: Value[]): Value[] {
  const places = placesOf(ORDER.operations)
  let place = -1
  const placed = operations.map((value) => {
    place = places.get(value.name) ?? place
    return { value, place }
  })
  return placed.toSorted((a, b) => a.place - b.place).map(({ value }) => value)
}

export function eventsInOrder<Value extends { name: string }>(events: Value[]): Value[] {
  const places = placesOf(ORDER.events)
  const placeOf = ({ name }: Value): number => places.get(name) ?? places.size
  return events.toSorted((a, b) => placeOf(a) - placeOf(b))
}
