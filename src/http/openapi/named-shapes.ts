/**
 * Moves the schemas that have a name (`core/component.ts`) to the components of the document, and writes references in their
 * places. Generated clients then have one type for each, with its name.
 */
import type { Component } from '../../core/component.ts'
import { innerSchemas, visitSchemas } from './schema-walk.ts'
import { opened, type Part } from './schemas.ts'

type Components = Record<string, Part>

/** Replies and events allow unknown fields; requests do not. */
type Side = 'request' | 'reply'

/** A schema with a name, where it appears. */
type Found = { part: Part; side: Side }

/** Keys that stay next to the reference, because they describe its place. */
const KEPT_KEYS = ['description', 'default', 'examples'] as const

const SCHEMAS = '#/components/schemas/'

const componentIn = (part: Part): Component | undefined => part.component as Component | undefined

/** `send_template` → `SendTemplate`. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

const referredName = ({ $ref }: Part): string | undefined =>
  typeof $ref === 'string' && $ref.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : undefined

/** Returns the names of all components that the schemas refer to, directly or through others. */
function namesReachableFrom(schemas: Part[], components: Components): Set<string> {
  const names = new Set<string>()
  const add = (schema: Part): void =>
    visitSchemas(schema, (part) => {
      const name = referredName(part)
      if (name === undefined || names.has(name)) return
      names.add(name)
      if (components[name]) add(components[name])
    })
  for (const schema of schemas) add(schema)
  return names
}

/** Returns the constant of a field, in an option of a union. */
function constantOf(option: Part, field: string): unknown {
  const schema = ((option.properties ?? {}) as Record<string, Part>)[field]
  return schema?.const
}

/** Returns the field whose constant tells the options apart, such as `type`. */
const findDiscriminator = (options: Part[]): string | undefined =>
  Object.keys((options[0]?.properties ?? {}) as Part).find((field) => {
    const values = options.map((option) => constantOf(option, field)).filter((value) => value !== undefined)
    return values.length === options.length && new Set(values).size === options.length
  })

/** Adds a discriminator to a union whose options differ by a constant, and names the options by it. */
function nameOptions(union: Part, name: string): void {
  if (!Array.isArray(union.oneOf) || union.discriminator !== undefined) return
  const options = union.oneOf as Part[]
  const propertyName = findDiscriminator(options)
  if (propertyName === undefined) return
  union.discriminator = { propertyName }
  for (const option of options) {
    const value = String(constantOf(option, propertyName))
    const description = `\`${name}\` with the ${propertyName} \`${value}\`.`
    option.component ??= { name: name + pascal(value), description: option.description ?? description }
  }
}

/** Adds the mapping of a discriminator, after its options have moved to the components. */
function mapDiscriminator(union: Part, components: Components): void {
  const discriminator = union.discriminator as Part | undefined
  if (!discriminator || discriminator.mapping !== undefined) return
  const options = union.oneOf as Part[]
  discriminator.mapping = Object.fromEntries(
    options.map((option) => [
      constantOf(components[referredName(option)!]!, String(discriminator.propertyName)),
      option.$ref,
    ]),
  )
}

/** Adds the schemas with a name that contain no other such schema to `found`. Returns whether there is one. */
function findInnermost(part: Part, side: Side, found: Found[]): boolean {
  let containsNamed = false
  for (const inner of innerSchemas(part)) containsNamed = findInnermost(inner, side, found) || containsNamed
  if (!componentIn(part)) return containsNamed
  if (!containsNamed) found.push({ part, side })
  return true
}

/** Returns the schema as a component: with its own description, and without the keys that describe its place. */
function toComponent(part: Part): Part {
  const { component, ...content } = part
  for (const key of KEPT_KEYS) delete content[key]
  return { description: (component as Component).description, ...content }
}

/** Replaces the schema with a reference to a component, in place. */
function replaceWithReference(part: Part, name: string): void {
  const ownDescription = componentIn(part)?.description
  const kept = KEPT_KEYS.filter((key) => key in part && part[key] !== ownDescription)
  const entries = kept.map((key) => [key, part[key]] as const)
  for (const key of Object.keys(part)) delete part[key]
  Object.assign(part, { $ref: SCHEMAS + name }, Object.fromEntries(entries))
}

const isSame = (a: Part, b: Part): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Adds a component. Throws if its name has another meaning. */
function addComponent(name: string, part: Part, components: Components): void {
  if (components[name] && !isSame(components[name], part))
    throw new Error(
      `two different schemas are called ${name}: ${JSON.stringify(components[name])} ${JSON.stringify(part)}`,
    )
  components[name] = part
}

/** Moves the schemas with one name: to one component if requests and replies are the same, else to two. */
function moveToComponents(found: Found[], name: string, components: Components): void {
  const reply = found.find(({ side }) => side === 'reply')
  const replyPart = reply && (opened(toComponent(reply.part)) as Part)
  for (const { part, side } of found) {
    const own = toComponent(part)
    const open = opened(own) as Part
    const isInput = side === 'request' && replyPart !== undefined && !isSame(open, replyPart)
    const target = isInput ? `${name}Input` : name
    addComponent(target, side === 'request' && (isInput || !replyPart) ? own : open, components)
    replaceWithReference(part, target)
  }
}

/** The schemas of a document. `components` receives the schemas with a name. */
export type DocumentSchemas = { requests: Part[]; replies: Part[]; components: Components }

/** Moves every schema with a name to the components. Changes the given schemas. */
export function moveNamedShapes({ requests, replies, components }: DocumentSchemas): void {
  const inReplies = namesReachableFrom(replies, components)
  const placed: Found[] = [
    ...requests.map((part) => ({ part, side: 'request' as const })),
    ...replies.map((part) => ({ part, side: 'reply' as const })),
    ...Object.entries(components).map(([name, part]) => ({
      part,
      side: inReplies.has(name) ? ('reply' as const) : ('request' as const),
    })),
  ]
  for (const [name, part] of Object.entries(components)) nameOptions(part, name)
  for (const { part } of placed)
    visitSchemas(part, (inner) => {
      const component = componentIn(inner)
      if (component) nameOptions(inner, component.name)
    })
  for (;;) {
    const found: Found[] = []
    for (const { part, side } of placed) findInnermost(part, side, found)
    if (found.length === 0) break
    for (const [name, parts] of Map.groupBy(found, ({ part }) => componentIn(part)!.name))
      moveToComponents(parts, name, components)
  }
  for (const part of [...placed.map((place) => place.part), ...Object.values(components)])
    visitSchemas(part, (inner) => mapDiscriminator(inner, components))
}
