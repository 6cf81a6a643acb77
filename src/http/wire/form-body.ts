import { isUtf8 } from 'node:buffer'
import { Busboy } from '@fastify/busboy'
import { invalid, Refusal } from '../../core/errors.ts'
import { charsetOf, formText } from './form-text.ts'
import { BadBody, parseJsonBody } from './json-body.ts'

const MAX_FIELDS = 100
/** Maximum of values in all fields together: a field of checkboxes can have many. */
const MAX_VALUES = 1_000

/**
 * Reads the fields of a form: JSON (an object), urlencoded, or multipart, without files. A repeated name, as
 * with checkboxes, gets a list of its values. Refusals: `invalid_json`, `invalid`, `unsupported_media_type`.
 */
export async function parseForm(
  bytes: Buffer,
  contentType: string | undefined,
): Promise<Record<string, unknown>> {
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase()
  const values = await read(bytes, type, contentType ?? '')
  if (Object.keys(values).length > MAX_FIELDS)
    throw invalid([{ path: '', message: `The body must have at most ${MAX_FIELDS} fields.` }])
  return values
}

async function read(bytes: Buffer, type: string, contentType: string): Promise<Record<string, unknown>> {
  if (type === 'application/json') return readJson(bytes)
  if (type === 'application/x-www-form-urlencoded')
    return gathered(readUrlencoded(bytes, charsetOf(contentType)).map(refuseUnkeepable))
  if (type === 'multipart/form-data')
    return gathered((await readMultipart(bytes, contentType, MAX_FIELDS)).map(refuseUnkeepable))
  throw new Refusal(
    'unsupported_media_type',
    'Send the form as application/json, application/x-www-form-urlencoded, or multipart/form-data.',
  )
}

function readJson(bytes: Buffer): Record<string, unknown> {
  try {
    const value = parseJsonBody(bytes)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof BadBody)) throw error
    if (error.kind === 'invalid_json') throw new Refusal('invalid_json', error.message)
    throw invalid([{ path: error.path ?? '', message: error.message }])
  }
  throw invalid([{ path: '', message: 'The body must be an object with the fields of the form.' }])
}

function refuseUnkeepable(pair: [string, string]): [string, string] {
  const [name, value] = pair
  if (/\0/.test(name + value) || !(name + value).isWellFormed())
    throw invalid([
      { path: name.replaceAll('\0', ''), message: 'Must not contain NUL or unpaired surrogates.' },
    ])
  return pair
}

/** Groups values by name; a repeated name gets a list. */
export function gathered(pairs: [string, string][]): Record<string, unknown> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (name === '__proto__') continue
    const before = values.get(name)
    if (before) before.push(value)
    else values.set(name, [value])
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]))
}

/** Decodes names and values to bytes first: old pages use other charsets, and most don't declare them. */
export function readUrlencoded(bytes: Buffer, charset: string | undefined): [string, string][] {
  const pairs = bytes.toString('latin1').split('&', MAX_VALUES + 1)
  if (pairs.length > MAX_VALUES)
    throw invalid([{ path: '', message: `The body must have at most ${MAX_VALUES} values.` }])
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, ...value] = pair.split('=')
      return [unescaped(name!, charset), unescaped(value.join('='), charset)]
    })
}

const unescaped = (text: string, charset: string | undefined): string => {
  const plain = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return formText(Buffer.from(plain, 'latin1'), charset)
}

// In a body that isn't UTF-8, values without their own charset are read as one character per byte.
const ONE_BYTE_EACH = /^[\0-\xff]*$/

/** Returns the names and values of a multipart body without its files; at most one more than `maxFields`. */
export function readMultipart(
  bytes: Buffer,
  contentType: string,
  maxFields: number,
): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const broken = () =>
      reject(invalid([{ path: '', message: 'The body must be a complete multipart/form-data body.' }]))
    const pairs: [string, string][] = []
    const asBytes = !isUtf8(bytes)
    const textOf = (value: string): string =>
      asBytes && ONE_BYTE_EACH.test(value) ? formText(Buffer.from(value, 'latin1')) : value
    try {
      const form = new Busboy({
        headers: { 'content-type': contentType },
        limits: { fields: maxFields + 1 },
        ...(asBytes ? { defCharset: 'latin1' } : {}),
      })
      form.on('field', (name: string | undefined, value) => pairs.push([name ?? '', textOf(value)]))
      form.on('file', (_name, file) => {
        // A body that ends inside a file also emits `error` here, and an unhandled one would end the process.
        file.on('error', broken)
        file.resume()
      })
      form.on('finish', () => resolve(pairs))
      form.on('error', broken)
      form.end(bytes)
    } catch {
      broken()
    }
  })
}
