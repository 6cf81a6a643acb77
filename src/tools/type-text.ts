import type { Part } from '../http/openapi/schemas.ts'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const LINE = 90
const key = (name: string): string => (IDENTIFIER.test(name) ? name : `'${name}'`)

function union(texts: string[]): string {
  const different = [...new Set(texts)]
  return different.length === 1 ? different[0]! : `(${different.join(' | ')})`
}

/** Returns a constant as TypeScript: texts in single quotes. */
const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)

/** Returns the text as a comment of several lines, each after `indent`. */
export function docComment(lines: readonly string[], indent = ''): string {
  const safe = lines.join('\n').replaceAll('*/', '* /').split('\n')
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`
  const rows = safe.map((line) => `${indent} * ${line}`.trimEnd())
  return [`${indent}/**`, ...rows, `${indent} */\n`].join('\n')
}

/** Returns a TypeScript type for one of our JSON Schemas, with the descriptions of its fields. */
export function typeText(part: Part, indent = ''): string {
  if (typeof part.$ref === 'string') return part.$ref.split('/').at(-1)!
  if ('const' in part) return literal(part.const)
  if (Array.isArray(part.enum)) return union(part.enum.map(literal))
  const options = (part.anyOf ?? part.oneOf) as Part[] | undefined
  if (options) return union(options.map((option) => typeText(option, indent)))
  if (Array.isArray(part.allOf))
    return (part.allOf as Part[]).map((inner) => typeText(inner, indent)).join(' & ')
  if (Array.isArray(part.type)) return union(part.type.map((type) => typeText({ ...part, type }, indent)))
  return plainText(part, indent)
}

function plainText(part: Part, indent: string): string {
  switch (part.type) {
    case 'object':
      return objectText(part, indent)
    case 'array':
      return arrayText(part, indent)
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return part.type
    default:
      return part.properties ? objectText(part, indent) : 'unknown'
  }
}

function arrayText(part: Part, indent: string): string {
  if (Array.isArray(part.prefixItems))
    return `[${(part.prefixItems as Part[]).map((item) => typeText(item, indent)).join(', ')}]`
  return `Array<${typeText((part.items ?? {}) as Part, indent)}>`
}

function objectText(part: Part, indent: string): string {
  const required = new Set((part.required as string[] | undefined) ?? [])
  const properties = Object.entries((part.properties ?? {}) as Record<string, Part>)
  const others = part.additionalProperties
  const open = typeof others === 'object' && others !== null ? typeText(others as Part, indent) : undefined
  if (properties.length === 0) return open === undefined ? 'Record<string, never>' : `Record<string, ${open}>`
  const inner = `${indent}  `
  const fields = properties.map(([name, field]) => ({
    doc: typeof field.description === 'string' ? docComment([field.description], inner) : '',
    text: `${key(name)}${required.has(name) ? '' : '?'}: ${typeText(field, inner)}`,
  }))
  // `unknown`, because an index signature with a narrower type would also apply to the named fields.
  if (open !== undefined) fields.push({ doc: '', text: '[field: string]: unknown' })
  const line = `{ ${fields.map(({ text }) => text).join('; ')} }`
  if (fields.every(({ doc }) => doc === '') && line.length + indent.length < LINE && !line.includes('\n'))
    return line
  return `{\n${fields.map(({ doc, text }) => `${doc}${inner}${text}\n`).join('')}${indent}}`
}
