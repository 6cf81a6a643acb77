/**
 * The order in which the reference lists operations and events: that of the specification, then of their addition.
 * An operation or event that the file does not name comes after the one before it in its module.
 */
import ORDER from './documented-order.json' with { type: 'json' }

function inOrder<Value extends { name: string }>(values: Value[], names: readonly string[]): Value[] {
  const places = new Map(names.map((name, place) => [name, place]))
  let place = -1
  const placed = values.map((value) => {
    place = places.get(value.name) ?? place
    return { value, place }
  })
  return placed.toSorted((a, b) => a.place - b.place).map(({ value }) => value)
}

export const operationsInOrder = <Value extends { name: string }>(operations: Value[]): Value[] =>
  inOrder(operations, ORDER.operations)

export const eventsInOrder = <Value extends { name: string }>(events: Value[]): Value[] =>
  inOrder(events, ORDER.events)
