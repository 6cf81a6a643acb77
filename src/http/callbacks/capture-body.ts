/**
 * Reads the body of a submission to a capture link. Forms and portals often send a wrong type or charset, so
 * the bytes decide before the headers do. A formatting detail never costs an enquiry.
 */
import { invalid, Refusal } from '../../core/errors.ts'
import { storableJson, storableText } from '../../core/values/storable.ts'
import { gathered, readMultipart, readUrlencoded } from '../wire/form-body.ts'
import { charsetOf, formText } from '../wire/form-text.ts'

const MAX_FIELDS = 2_000
const MAX_DEPTH = 64
const OPENS_JSON = /^\s*[[{"]/
const OPENS_XML = /^\s*<[?!a-z_:]/i
const READ_TYPES = 'application/json, application/x-www-form-urlencoded, or multipart/form-data'
/**
 * A field name and `=`, as forms send them: no blanks, and no signs of other formats before the first `=`.
 */
const OPENS_FORM = /^\s*[^\s=&<>{}"]{1,300}=/

/**
 * Returns the fields of a submission, or the value of its JSON. An empty body is `{}`. Refusals:
 * `invalid_json`, `invalid`, `unsupported_media_type`.
 */
export async function readSubmission(bytes: Buffer, contentType: string | undefined): Promise<unknown> {
  const header = contentType ?? ''
  const type = header.split(';')[0]!.trim().toLowerCase()
  if (type === 'multipart/form-data')
    return gathered((await readMultipart(bytes, header, MAX_FIELDS)).map(cleanPair))
  const text = textOf(bytes, charsetOf(header))
  if (text.trim() === '') return {}
  if (OPENS_XML.test(text))
    throw new Refusal('unsupported_media_type', `XML and HTML can't be read. Send the form as ${READ_TYPES}.`)
  const isForm = type === 'application/x-www-form-urlencoded'
  if (OPENS_JSON.test(text)) {
    const value = parsed(text)
    if (value !== undefined) return value
    if (!isForm || !OPENS_FORM.test(text)) return refuseJson(text)
  }
  if (isForm || OPENS_FORM.test(text)) return readForm(bytes, text, charsetOf(header))
  if (/\bjson\b/.test(type)) return refuseJson(text)
  throw new Refusal('unsupported_media_type', `Send the form as ${READ_TYPES}.`)
}

/** Returns the fields in the query of a URL. */
export const readQuery = (query: string): Record<string, unknown> =>
  gathered(readUrlencoded(Buffer.from(query), undefined).slice(0, MAX_FIELDS).map(cleanPair))

function readForm(bytes: Buffer, text: string, charset: string | undefined): Record<string, unknown> {
  // In UTF-16, the separators of the form are two bytes too, so the text is decoded first.
  const wide = bytes.includes(0)
  const pairs = readUrlencoded(wide ? Buffer.from(text) : bytes, charset)
  if (pairs.length > MAX_FIELDS)
    throw invalid([{ path: '', message: `The body must have at most ${MAX_FIELDS} fields.` }])
  return gathered(pairs.map(cleanPair))
}

const cleanPair = ([name, value]: [string, string]): [string, string] => [
  storableText(name),
  storableText(value),
]

const MARKS: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** Decodes a body: by its byte order mark, as UTF-16 if every second byte is zero, else like other forms. */
function textOf(bytes: Buffer, charset: string | undefined): string {
  const mark = MARKS.find(([start]) => start.every((byte, i) => bytes[i] === byte))
  const wide =
    mark?.[1] ??
    (bytes.length < 2 ? undefined : bytes[1] === 0 ? 'utf-16le' : bytes[0] === 0 ? 'utf-16be' : undefined)
  if (wide !== undefined) return storableText(new TextDecoder(wide).decode(bytes))
  return storableText(formText(bytes, charset))
}

/**
 * Returns the value of a JSON text; undefined if it isn't valid. A JSON string that contains JSON becomes the
 * inner value.
 */
function parsed(text: string): unknown {
  try {
    if (depthOf(text) > MAX_DEPTH)
      throw invalid([{ path: '', message: `The body must be nested at most ${MAX_DEPTH} levels deep.` }])
    const value = storableJson(
      JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown),
      MAX_DEPTH,
    )
    return typeof value === 'string' && /^\s*[[{]/.test(value)
      ? parsed(value)
      : typeof value === 'string'
        ? undefined
        : value
  } catch (error) {
    if (error instanceof Refusal) throw error
    return undefined
  }
}

/** Keeps whole numbers that don't fit a double as text. */
function keepNumbers(this: unknown, key: string, value: unknown, { source }: { source?: string }): unknown {
  if (key === '__proto__') return undefined
  if (
    typeof value === 'number' &&
    source !== undefined &&
    (!Number.isFinite(value) || isChanged(value, source))
  )
    return source
  return value
}

const isChanged = (value: number, source: string): boolean =>
  !Number.isSafeInteger(value) && /^-?\d+$/.test(source) && String(value) !== source

/** Returns an upper bound of the nesting depth. It also counts brackets inside strings. */
function depthOf(text: string): number {
  let level = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x7b || code === 0x5b) depth = Math.max(depth, ++level)
    else if (code === 0x7d || code === 0x5d) level--
  }
  return depth
}

function refuseJson(text: string): never {
  let message = 'it is a string, not an object'
  try {
    JSON.parse(text)
  } catch (error) {
    // It quotes a part of the text, which can end inside a character.
    message = storableText((error as SyntaxError).message)
  }
  throw new Refusal('invalid_json', `The body isn't valid JSON: ${message}.`)
}
