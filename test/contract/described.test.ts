/** Every field, parameter, and named shape of the OpenAPI document has a description. */
import { expect, test } from 'vitest'
import { FIELD_DESCRIPTIONS } from '../../src/core/field-words.ts'
import { document } from './conform.ts'

type Part = Record<string, unknown>

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the target of a reference, or `part` itself. */
function resolveReference(part: Part): Part {
  if (typeof part.$ref !== 'string') return part
  const place = part.$ref.slice(2).split('/')
  return place.reduce((inside, name) => inside[name] as Part, document as Part)
}

/**
 * Returns whether a field has a description: its own, or that of the shape it refers to, alone or in a union
 * with null.
 */
function isDescribed(part: Part): boolean {
  if (part.description) return true
  if (part.$ref) return isDescribed(resolveReference(part))
  const options = ((part.anyOf ?? []) as Part[]).filter(({ type }) => type !== 'null')
  return options.length === 1 && isDescribed(options[0]!)
}

/** Examples contain data, not schemas. */
const DATA = ['example', 'examples', 'default', 'enum', 'const']

/** Returns every field in `part` with its place. */
function* fieldsIn(part: unknown, place: string): Generator<[string, Part]> {
  if (Array.isArray(part)) {
    for (const [index, inside] of part.entries()) yield* fieldsIn(inside, `${place}/${index}`)
  } else if (isPart(part))
    for (const [key, inside] of Object.entries(part)) {
      if (DATA.includes(key)) continue
      // A property may be named `properties`: only a map of schemas contains fields.
      if (key === 'properties' && isPart(inside))
        for (const [name, field] of Object.entries(inside)) {
          yield [`${place}.${name}`, field as Part]
          yield* fieldsIn(field, `${place}.${name}`)
        }
      else yield* fieldsIn(inside, `${place}/${key}`)
    }
}

const { schemas, responses } = document.components
const FIELDS = [...fieldsIn({ paths: document.paths, webhooks: document.webhooks, schemas, responses }, '')]

test('every field of a request, a reply, and an event has a description', () => {
  expect(FIELDS.length).toBeGreaterThan(3_000)
  expect(FIELDS.filter(([, field]) => !isDescribed(field)).map(([place]) => place)).toEqual([])
})

test('every named shape has a description', () => {
  const named = Object.entries(schemas as Record<string, Part>)
  expect(named.filter(([, shape]) => !shape.description).map(([name]) => name)).toEqual([])
})

test('every parameter has a description', () => {
  const operations = Object.values(document.paths as Record<string, Record<string, Part>>).flatMap(
    Object.values,
  )
  const undescribed = operations.flatMap(({ operationId, parameters }) =>
    (parameters as Part[])
      .filter((parameter) => !isDescribed(parameter))
      .map(({ name }) => `${operationId} ${name}`),
  )
  expect(undescribed).toEqual([])
})

test('every table of descriptions is used by an object', () => {
  const isTable = (part: unknown): boolean =>
    isPart(part) &&
    isPart(part.fields) &&
    Object.values(part.fields).every((text) => typeof text === 'string')
  const walk = (part: unknown): boolean =>
    isTable(part) ||
    Object.entries(part ?? {}).some(
      ([key, inside]) => typeof inside === 'object' && !DATA.includes(key) && walk(inside),
    )
  expect(walk(document)).toBe(false)
})

test('every common name is the name of several fields', () => {
  const counts = new Map<string, number>()
  for (const [place, { description }] of FIELDS) {
    const name = place.split('.').at(-1)!
    if (description === FIELD_DESCRIPTIONS[name]) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  expect(Object.keys(FIELD_DESCRIPTIONS).filter((name) => !counts.has(name))).toEqual([])
})
