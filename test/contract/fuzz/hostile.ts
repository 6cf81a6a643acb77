/** Input that no reasonable client sends: values, changes to values, and bytes that are no valid body. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'

/** JSON texts, because some of them can't be represented as a value. */
const HOSTILE_TEXTS = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '123456789012345678901234567890',
  '9007199254740993',
  '2147483648',
  '-2147483649',
  '9223372036854775808',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ufffe\\uffff"',
  '"\\u202e\\u200b\\ufeff"',
  '"__proto__"',
  '"constructor"',
  '"NaN"',
  '"undefined"',
  '"%00"',
  '"../../etc/passwd"',
  '"\'; drop table contacts; --"',
  '"{{1}}$1<%= 1 %>"',
  '"0000-00-00T00:00:00Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"2026-02-30T25:61:61Z"',
  '"9999-12-31T23:59:59.999+14:00"',
  '"9999-12-31T23:59:59-14:00"',
  '"0000-01-01T00:00:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"-000001-01-01T00:00:00Z"',
  '"infinity"',
  '"00000000-0000-0000-0000-000000000000"',
  '"ffffffff-ffff-ffff-ffff-ffffffffffff"',
  '"+"',
  '"chan:"',
  '"sx:"',
  '"chan:\\u0000"',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '{"":""}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"hasOwnProperty":1,"toString":1,"valueOf":1,"length":-1}',
  '{"then":1}',
  '{"toJSON":"x"}',
  '{"a":1,"a":2}',
  `"${'x'.repeat(5000)}"`,
  `"${'🧿'.repeat(3000)}"`,
  `[${Array(3000).fill('1').join()}]`,
  `[${Array(2000).fill('"a"').join()}]`,
  `${'['.repeat(31)}${']'.repeat(31)}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
]

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)) },
)

const MARK = 'the place of a hostile text'

type Place = (string | number)[]

/** Returns every place in a tree, including the root. */
function placesOf(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place]
  return [place, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...place, key]))]
}

function replaceAt(value: unknown, place: Place, replacement: unknown): unknown {
  const [key, ...rest] = place
  if (key === undefined) return replacement
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  Object.defineProperty(copy, key, {
    value: replaceAt((value as Record<string, unknown>)[key], rest, replacement),
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return copy
}

const UNKNOWN_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  '',
  '\u0000',
  '\ud800',
  'a.b',
  '0',
  'x'.repeat(3000),
]

/** Generates the JSON text of `value` with one part replaced, removed, or an unknown part added. */
export function corrupted(value: unknown): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...placesOf(value)), hostileText, fc.nat(9), fc.constantFrom(...UNKNOWN_KEYS))
    .map(([place, text, mutation, key]) => {
      const target = place.reduce<unknown>((tree, part) => (tree as Record<string, unknown>)[part], value)
      const marked =
        mutation < 7 || typeof target !== 'object' || target === null || Array.isArray(target)
          ? MARK
          : mutation === 7
            ? Object.fromEntries(Object.entries(target).slice(1))
            : { ...target, [key]: MARK }
      return (JSON.stringify(replaceAt(value, place, marked)) ?? '').replace(JSON.stringify(MARK), () => text)
    })
}

type Wire = { body: Buffer; headers: Record<string, string> }

const json = { 'content-type': 'application/json' }

/** A body with wrong bytes, type, or encoding: the service rejects it with any content. */
export const brokenWire = (text: string): fc.Arbitrary<Wire> => {
  const body = Buffer.from(text)
  return fc.oneof(
    fc.constantFrom<Wire>(
      { body: gzipSync(body), headers: { ...json, 'content-encoding': 'gzip' } },
      { body: deflateSync(body), headers: { ...json, 'content-encoding': 'deflate' } },
      { body: brotliCompressSync(body), headers: { ...json, 'content-encoding': 'br' } },
      { body, headers: { ...json, 'content-encoding': 'gzip, identity' } },
      { body: gzipSync(Buffer.alloc(1024 * 1024)), headers: { ...json, 'content-encoding': 'gzip' } },
      { body: Buffer.from(text, 'utf16le'), headers: { 'content-type': 'application/json; charset=utf-16' } },
      { body: Buffer.concat([Buffer.from([0xff, 0xfe]), body]), headers: json },
      { body: Buffer.concat([body, Buffer.from([0xc3, 0x28])]), headers: json },
      { body: Buffer.from('name=value'), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { body, headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      { body, headers: { 'content-type': 'application/xml' } },
      { body, headers: { 'content-type': 'application/jsonp' } },
      { body, headers: { 'content-type': ';' } },
      { body: body.subarray(0, Math.max(1, body.length - 1)), headers: json },
    ),
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => ({
      // A byte that never occurs in UTF-8 ensures that it isn't accidentally valid JSON.
      body: Buffer.concat([Buffer.from(bytes), Buffer.from([0xff])]),
      headers: json,
    })),
  )
}

/** Texts in place of an id, encoded for a path. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc
    .constantFrom(
      'a\u0000b',
      '\u0000',
      '...',
      ' ',
      '%',
      '%00',
      "'",
      '+',
      '+0',
      'chan:',
      'chan:\u0000',
      'sx:1',
      '-1',
      '1e400',
      'null',
      'undefined',
      '__proto__',
      'x'.repeat(300),
      'x'.repeat(5000),
      '🧿'.repeat(100),
      '\u202e',
      '٣',
      '+٩١٩٨١٢٣٤٥٦٧٨',
      '00000000-0000-0000-0000-000000000000',
    )
    .map(encodeURIComponent),
  fc.constantFrom('%ff', '%c3%28', '%zz', '%', '%u0000', '%ed%a0%80', 'a%2fb', 'a;b=c'),
  fc
    .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
    // A path part of only dots would change the address.
    .filter((text) => !/^\.+$/.test(text))
    .map(encodeURIComponent),
)

/** Query strings after the question mark. */
export const hostileQuery = (names: string[]): fc.Arbitrary<string> => {
  const value = fc.oneof(
    hostileSegment,
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1.5',
      '101',
      '1e9',
      'true',
      '[]',
      '%5B%5D',
      '{}',
      '%7B%22a%22%3A1%7D',
      '2026-13-45',
      'x'.repeat(4000),
    ),
    hostileText.map((text) => encodeURIComponent(text.slice(0, 3000).toWellFormed())),
  )
  const name = fc.constantFrom(...names, '__proto__', 'constructor', 'a[b]', 'limit[]', '%00', '')
  return fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 4 }).map((pairs) =>
    pairs
      .map(([key, text]) => `${key}=${text}`)
      .join('&')
      // Longer queries are no valid request (test/platform/raw-http.test.ts).
      .slice(0, 8_000),
  )
}
