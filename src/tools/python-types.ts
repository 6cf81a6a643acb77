/**
 * Translates JSON Schemas to the types of the Python SDK. Objects become TypedDicts with the names of the API. Each object has a name,
 * because Python has no types of objects without one: that of its place, such as `SendMessageReply` or `AnalyticsByDay`.
 */
import type { Part } from '../http/openapi/schemas.ts'
import { isKeyword, pascalCase, singular } from './python-names.ts'
import { docstring, literal, literalAlias, textLiteral, unionAlias, wrap } from './python-text.ts'

/** The types of a module. */
export type PythonTypes = {
  /** Returns the annotation for values of a schema; `name` is used for an object in it. */
  typeOf(part: Part, name: string): string
  /** Returns the declarations of all types so far, by name. */
  declarations(): Record<string, string>
}

const SCALARS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** A longer choice gets a name. */
const MAX_CHOICE = 50
/** A longer union gets a name. */
const MAX_UNION = 60

/** Describes a field that has another constant in each option of a union. */
const KIND = 'The kind, which decides which other fields apply.'

const optionsOf = (part: Part): Part[] | undefined => (part.anyOf ?? part.oneOf) as Part[] | undefined
const propertiesOf = (part: Part): [string, Part][] =>
  Object.entries((part.properties ?? {}) as Record<string, Part>)
const itemName = (name: string): string => {
  const single = singular(name)
  return single === name ? `${name}Item` : single
}
const unique = (texts: string[]): string[] => [...new Set(texts)]

/** Returns the words that tell an option of a union from the others: its constant, or a required field that only it has. */
function optionWords(option: Part, options: Part[]): string {
  const constant = propertiesOf(option).find(([, field]) => typeof field.const === 'string')
  if (constant) return pascalCase(String(constant[1].const))
  const isOwn = (name: string): boolean =>
    options.every((other) => other === option || !propertiesOf(other).some(([key]) => key === name))
  const own = ((option.required ?? []) as string[]).find(isOwn)
  return own === undefined ? String(options.indexOf(option) + 1) : pascalCase(own)
}

/** Returns a field that has one of several schemas. */
function either(parts: Part[]): Part {
  const different = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
  if (different.length === 1) return different[0]!
  const constants = different.filter((part) => 'const' in part)
  if (constants.length === different.length)
    return { type: different[0]!.type, enum: constants.map((part) => part.const), description: KIND }
  const described = different.find((part) => part.description !== undefined)
  return { anyOf: different, ...(described && { description: described.description }) }
}

/** Returns one object for a schema that is an object, all of several, or one of several. `resolve` finds a reference. */
export function mergedObject(part: Part, resolve: (part: Part) => Part): Part {
  const whole = resolve(part)
  const merged = ((whole.allOf ?? []) as Part[]).map((inner) => mergedObject(inner, resolve))
  const options = (optionsOf(whole) ?? []).map((inner) => mergedObject(inner, resolve))
  if (merged.length === 0 && options.length === 0) return whole
  const own = { properties: whole.properties ?? {}, required: whole.required ?? [] }
  const parts: Part[] = [own, ...merged, ...options]
  const names = unique(parts.flatMap((inner) => propertiesOf(inner).map(([name]) => name)))
  const fields = names.map((name) => [
    name,
    either(
      parts.flatMap((inner) =>
        propertiesOf(inner)
          .filter(([key]) => key === name)
          .map(([, field]) => field),
      ),
    ),
  ])
  const isRequired = (inner: Part, name: string): boolean =>
    ((inner.required ?? []) as string[]).includes(name)
  const required = names.filter(
    (name) =>
      [own, ...merged].some((inner) => isRequired(inner, name)) ||
      (options.length > 0 && options.every((inner) => isRequired(inner, name))),
  )
  return {
    ...whole,
    allOf: undefined,
    anyOf: undefined,
    oneOf: undefined,
    type: 'object',
    properties: Object.fromEntries(fields),
    required,
  }
}

/**
 * Creates the types of a module; the names of `components` are those of the API's own shapes, which `home` declares if it is another
 * module.
 */
export function createPythonTypes(components: Record<string, Part>, home?: PythonTypes): PythonTypes {
  const declared = new Map<string, { key: string; text: string }>()
  const resolve = (part: Part): Part =>
    typeof part.$ref === 'string' ? components[part.$ref.split('/').at(-1)!]! : part

  /** Declares a type, under this name or, if another type has it, the name with a number. */
  function declare(name: string, part: Part, textOf: (name: string) => string): string {
    const key = JSON.stringify(part)
    for (let number = 1; ; number++) {
      const own = number === 1 ? name : `${name}${number}`
      const known = declared.get(own)
      if (known?.key === key) return own
      if (known || (own in components && components[own] !== part)) continue
      declared.set(own, { key, text: '' })
      declared.set(own, { key, text: textOf(own) })
      return own
    }
  }

  function componentOf(name: string): string {
    if (home) return home.typeOf({ $ref: name }, name)
    const part = components[name]!
    if (declared.has(name)) return name
    const type = typeOf(part, name)
    // A shape that is no object: its name is another one for its type.
    if (type !== name) declare(name, part, (own) => unionAlias(own, [type]))
    return name
  }

  function choiceOf(values: unknown[], part: Part, name: string): string {
    // Of a query, or besides a boolean in a body: the SDK writes a boolean as the API reads it.
    if (JSON.stringify(values) === '["true","false"]') return 'bool'
    const texts = unique(values.map(literal))
    const text = `Literal[${texts.join(', ')}]`
    return text.length <= MAX_CHOICE ? text : declare(name, part, (own) => literalAlias(own, texts))
  }

  function unionOf(options: Part[], part: Part, name: string): string {
    const objects = options.filter((option) => option.properties !== undefined)
    const types = unique(
      options
        .map((option) =>
          typeOf(
            option,
            objects.length > 1 && objects.includes(option) ? `${name}${optionWords(option, options)}` : name,
          ),
        )
        .flatMap((text) => (/^[^[\]]+$/.test(text) ? text.split(' | ') : [text])),
    )
    if (types.includes('Any')) return 'Any'
    const others = types.filter((type) => type !== 'None')
    const last = types.length > others.length ? ' | None' : ''
    const text = others.join(' | ')
    if (others.length <= 1 || text.length <= MAX_UNION) return `${text}${last}`
    return `${declare(name, part, (own) => unionAlias(own, others))}${last}`
  }

  function objectOf(part: Part, name: string): string {
    const others = part.additionalProperties
    if (propertiesOf(part).length > 0) return declare(name, part, (own) => typedDict(own, part))
    const values =
      typeof others === 'object' && others !== null ? typeOf(others as Part, singular(name)) : 'Any'
    return `Dict[str, ${values}]`
  }

  function typeOf(part: Part, name: string): string {
    if (typeof part.$ref === 'string') return componentOf(part.$ref.split('/').at(-1)!)
    if ('const' in part)
      return Number.isInteger(part.const) || typeof part.const !== 'number'
        ? choiceOf([part.const], part, name)
        : 'float'
    if (Array.isArray(part.enum)) return choiceOf(part.enum, part, name)
    if (part.allOf !== undefined) return objectOf(mergedObject(part, resolve), name)
    const options = optionsOf(part)
    if (options && typeof part.type !== 'string') return unionOf(options, part, name)
    if (Array.isArray(part.type))
      return unionOf(
        part.type.map((type) => ({ ...part, type, description: undefined })),
        part,
        name,
      )
    if (part.type === 'array') return `List[${typeOf((part.items ?? {}) as Part, itemName(name))}]`
    if (part.type === 'object' || part.properties) return objectOf(part, name)
    return SCALARS[part.type as string] ?? 'Any'
  }

  function typedDict(name: string, part: Part): string {
    const required = (part.required ?? []) as string[]
    const fields = propertiesOf(part).map(([field, inner]) => {
      const type = typeOf(inner, `${name}${pascalCase(field)}`)
      return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, inner }
    })
    const doc = typeof part.description === 'string' ? [wrap(part.description, '    ')] : []
    if (fields.some(({ field }) => isKeyword(field)))
      // Only a call can declare a field whose name Python reserves.
      return `${name} = TypedDict(\n    "${name}",\n    {\n${fields.map(({ field, type, inner }) => `${commentOf(inner)}        ${textLiteral(field)}: ${textLiteral(type)},\n`).join('')}    },\n)\n${doc.length > 0 ? docstring(doc, '').replaceAll('\n    ', '\n') : ''}`
    const lines = fields.map(({ field, type, inner }) => `    ${field}: ${type}\n${fieldDoc(inner)}`)
    return `class ${name}(TypedDict):\n${doc.length > 0 ? `${docstring(doc, '    ')}\n` : ''}${lines.join('')}`
  }

  return {
    typeOf,
    declarations: () => Object.fromEntries([...declared].map(([name, { text }]) => [name, text])),
  }
}

const fieldDoc = ({ description }: Part): string =>
  typeof description === 'string' ? docstring([wrap(description, '    ')], '    ') : ''

const commentOf = ({ description }: Part): string =>
  typeof description === 'string'
    ? `${wrap(description, '        # ')
        .join('\n')
        .replace(/\n {8}(?! *#)/g, '\n')}\n`
    : ''
