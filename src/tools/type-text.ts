import type { Part } from '../http/openapi/schemas.ts'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const key = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name))
const union = (texts: string[]): string => {
  const different = [...new Set(texts)]
  return different.length === 1 ? different[0]! : `(${different.join(' | ')})`
}

/** Returns a TypeScript type for one of our JSON Schemas. */
export function typeText(part: Part): string {
  if (typeof part.$ref === 'string') return part.$ref.split('/').at(-1)!
  if ('const' in part) return JSON.stringify(part.const)
  if (Array.isArray(part.enum)) return union(part.enum.map((value) => JSON.stringify(value)))
  const options = (part.anyOf ?? part.oneOf) as Part[] | undefined
  if (options) return union(options.map((option) => typeText(option)))
  if (Array.isArray(part.allOf)) return (part.allOf as Part[]).map(typeText).join(' & ')
  if (Array.isArray(part.type)) return union(part.type.map((type) => typeText({ ...part, type })))
  return plainText(part)
}

function plainText(part: Part): string {
  switch (part.type) {
    case 'object':
      return objectText(part)
    case 'array':
      return arrayText(part)
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return part.type
    default:
      return part.properties ? objectText(part) : 'unknown'
  }
}

function arrayText(part: Part): string {
  if (Array.isArray(part.prefixItems)) return `[${(part.prefixItems as Part[]).map(typeText).join(', ')}]`
  return `Array<${typeText((part.items ?? {}) as Part)}>`
}

function objectText(part: Part): string {
  const required = new Set((part.required as string[] | undefined) ?? [])
  const fields = Object.entries((part.properties ?? {}) as Record<string, Part>).map(
    ([name, inner]) => `${key(name)}${required.has(name) ? '' : '?'}: ${typeText(inner)}`,
  )
  const others = part.additionalProperties
  const open = typeof others === 'object' && others !== null ? typeText(others as Part) : undefined
  if (fields.length === 0) return open === undefined ? 'Record<string, never>' : `Record<string, ${open}>`
  // `unknown`, because an index signature with a narrower type would also apply to the named fields.
  return `{ ${fields.join('; ')}${open === undefined ? '' : '; [field: string]: unknown'} }`
}
