/** The worst bodies of an endpoint, from its schema and a valid body. */
import { z } from 'zod'
import { WORST_NAMES, worstText } from './texts.ts'

// biome-ignore lint/suspicious/noExplicitAny: a schema and a body are walked by their keys
type Tree = any

/** The length of a text whose schema gives none. */
const FREE_LENGTH = 8_000
const MAX_BODY = 60_000

export type WorstBody = { label: string; text: string }

/** JSON texts that no schema expects, at the maximum size of a body. */
function malformedBodies(): WorstBody[] {
  const repeatJoined = (count: number, itemAt: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => itemAt(i)).join()
  return [
    { label: 'lists in lists', text: '['.repeat(MAX_BODY / 2) + ']'.repeat(MAX_BODY / 2) },
    { label: 'objects in objects', text: `${'{"a":'.repeat(MAX_BODY / 6)}1${'}'.repeat(MAX_BODY / 6)}` },
    { label: 'thousands of unknown fields', text: `{${repeatJoined(6_000, (i) => `"f${i}":1`)}}` },
    { label: 'one field thousands of times', text: `{${repeatJoined(8_000, () => '"a":1')}}` },
    { label: 'escapes', text: `{"a":"${'\\u0041'.repeat(MAX_BODY / 6)}"}` },
    { label: 'a number of many digits', text: `{"a":${'9'.repeat(MAX_BODY)}}` },
  ]
}

type Place = { path: (string | number)[]; schema: Tree }

const inner = (schema: Tree): Tree => schema.anyOf?.find((variant: Tree) => variant.type !== 'null') ?? schema

/**
 * Returns the fields of an object with free content: texts, lists, and objects, including those of nested
 * objects.
 */
function placesOf(root: Tree, input: Tree, sample: Tree, path: Place['path'] = []): Place[] {
  const named = input?.$ref ? root.$defs?.[input.$ref.split('/').at(-1)] : input
  const schema = inner(named ?? {})
  if (path.length > 5) return []
  if (schema.properties)
    return [
      { path, schema },
      ...Object.entries<Tree>(schema.properties).flatMap(([name, field]) =>
        placesOf(root, field, sample?.[name], [...path, name]),
      ),
    ]
  if (schema.type === 'array' && Array.isArray(sample) && sample.length > 0)
    return [{ path, schema }, ...placesOf(root, schema.items ?? {}, sample[0], [...path, 0])]
  // In a union, the walk follows the kind of the valid body.
  if (schema.oneOf || schema.anyOf) {
    if (typeof sample === 'object' && sample !== null)
      return Object.entries<Tree>(sample).flatMap(([name, value]) =>
        placesOf(root, { type: Array.isArray(value) ? 'array' : typeof value }, value, [...path, name]),
      )
    return [{ path, schema: { type: 'string' } }]
  }
  return [{ path, schema }]
}

/** Returns the body with another value at a place; missing objects on the way are created. */
function replaceAt(value: Tree, [key, ...rest]: (string | number)[], replacement: unknown): Tree {
  if (key === undefined) return replacement
  const copy: Tree = Array.isArray(value) ? [...value] : { ...(typeof value === 'object' ? value : {}) }
  copy[key] = replaceAt(copy[key], rest, replacement)
  return copy
}

/**
 * Returns the worst value for a place: a text of the maximum length, or a list of as many items as fit into a
 * body.
 */
function worstValues({ schema }: Place, turn: number): [string, unknown][] {
  if (schema.enum || schema.const !== undefined || ['boolean', 'integer', 'number'].includes(schema.type))
    return []
  const take = (step: number) => WORST_NAMES[(turn * 7 + step * 5) % WORST_NAMES.length]!
  if (schema.type === 'string' || schema.type === undefined)
    return [0, 1].flatMap((step): [string, unknown][] => {
      const name = take(step)
      return [
        [name, worstText(name, Math.min(schema.maxLength ?? FREE_LENGTH, FREE_LENGTH))],
        [`much of ${name}`, worstText(name, MAX_BODY / 2)],
      ]
    })
  if (schema.type === 'array')
    return [
      ['a list of texts', Array.from({ length: 8_000 }, (_, i) => `t${i}`)],
      ['a list of objects', Array.from({ length: 10_000 }, () => ({}))],
    ]
  const names = Array.from({ length: 2_000 }, (_, i) => [`${take(i % 9).slice(0, 3)}${i}`, 'x'])
  return [
    ['an object of many fields', Object.fromEntries(names)],
    ['a field of a long name', { [worstText(take(0), 20_000)]: worstText(take(1), 20_000) }],
  ]
}

/** Returns the body with every text at its worst: the cost of a validation that names all errors. */
function worstOfAll(sample: Tree, name: string): Tree {
  if (typeof sample === 'string') return worstText(name, 4_000)
  if (Array.isArray(sample)) return sample.map((item) => worstOfAll(item, name))
  if (typeof sample !== 'object' || sample === null) return sample
  return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, worstOfAll(value, name)]))
}

/**
 * Returns the bodies to try at an endpoint. `turn` differs between endpoints, so that together they try every
 * text everywhere.
 */
export function worstBodies(schema: z.ZodType, sample: unknown, turn: number): WorstBody[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const single = placesOf(root, root, sample).flatMap((place, i) =>
    worstValues(place, turn + i).map(([name, value]) => ({
      label: `${place.path.join('.') || 'the body'}: ${name}`,
      text: JSON.stringify(replaceAt(sample ?? {}, place.path, value)).slice(0, 64 * 1024),
    })),
  )
  const everyText = [0, 1, 2].map((step) => {
    const name = WORST_NAMES[(turn + step * 9) % WORST_NAMES.length]!
    return { label: `every text: ${name}`, text: JSON.stringify(worstOfAll(sample ?? {}, name)) }
  })
  return [...single, ...everyText, malformedBodies()[turn % 6]!]
}
