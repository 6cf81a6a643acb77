/** Reads the fields of a JSON Schema of the OpenAPI document as rows of a table. */

// biome-ignore lint/suspicious/noExplicitAny: parts of a JSON document
export type Part = any
export type Field = { name: string; type: string; required: boolean; description: string }

/** How deep fields within fields are listed. The interactive reference shows all. */
const MAX_DEPTH = 3

/** Returns the part that `$ref` names, or the part itself. */
export function resolve(document: Part, part: Part): Part {
  let current = part
  while (current?.$ref)
    current = (current.$ref as string)
      .slice(2)
      .split('/')
      .reduce(
        (inside, name) => inside[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      )
  return current
}

const alternativesOf = (schema: Part): Part[] => schema.oneOf ?? schema.anyOf ?? []

/** Returns the type of a schema in words: `string (uuid)`, `array of object`, `string or null`. */
export function typeWords(document: Part, part: Part): string {
  const schema = resolve(document, part)
  if (!schema || typeof schema !== 'object') return 'any'
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value: unknown) => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema.type === 'array') return `array of ${typeWords(document, schema.items)}`
  const alternatives = alternativesOf(schema)
  if (!schema.type && alternatives.length > 0)
    return [...new Set(alternatives.map((alternative) => typeWords(document, alternative)))].join(' or ')
  const types = [schema.type ?? 'object'].flat().join(' or ')
  return schema.format ? `${types} (${schema.format})` : types
}

/** Returns the fields of a schema by dotted name. Fields that only some alternatives have are optional. */
export function fieldsOf(document: Part, part: Part, prefix = '', depth = 1): Field[] {
  const schema = resolve(document, part)
  if (!schema || typeof schema !== 'object') return []
  const found = new Map<string, Field>()
  const add = (field: Field, isOptional = false): void => {
    const known = found.get(field.name)
    if (!known) found.set(field.name, isOptional ? { ...field, required: false } : field)
    else if (known.type !== field.type && !known.type.includes(field.type))
      known.type = `${known.type} or ${field.type}`
  }
  for (const [name, value] of Object.entries<Part>(schema.properties ?? {})) {
    const inside = resolve(document, value)
    add({
      name: prefix + name,
      type: typeWords(document, value),
      required: (schema.required ?? []).includes(name),
      description: value.description ?? inside?.description ?? '',
    })
    if (depth >= MAX_DEPTH) continue
    const isList = inside?.type === 'array'
    const nested = isList ? inside.items : inside
    for (const field of fieldsOf(document, nested, `${prefix}${name}${isList ? '[]' : ''}.`, depth + 1))
      add(field)
  }
  for (const every of schema.allOf ?? [])
    for (const field of fieldsOf(document, every, prefix, depth)) add(field)
  for (const alternative of alternativesOf(schema))
    for (const field of fieldsOf(document, alternative, prefix, depth)) add(field, true)
  return [...found.values()]
}
