import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import naughtyStrings from '../../../test/corpora/blns.json' with { type: 'json' }
import { BadBody, parseJsonBody } from './json-body.ts'

const CORPUS = new URL('../../../test/corpora/json/test_parsing/', import.meta.url)

/** Returns `{ value }` or the refusal of a body. Any other exception fails the test. */
function outcome(body: string | Buffer) {
  try {
    return { value: parseJsonBody(Buffer.from(body)) }
  } catch (error) {
    if (!(error instanceof BadBody)) throw error
    return { kind: error.kind, path: error.path, message: error.message }
  }
}

describe('the parsing corpus', () => {
  const files = readdirSync(CORPUS)
  const filesWithPrefix = (prefix: string) => files.filter((file) => file.startsWith(prefix))

  test.each(filesWithPrefix('y_'))('%s is JSON', (file) => {
    expect(outcome(readFileSync(new URL(encodeURIComponent(file), CORPUS))).kind).not.toBe('invalid_json')
  })

  test.each(filesWithPrefix('n_'))('%s is rejected', (file) => {
    expect(outcome(readFileSync(new URL(encodeURIComponent(file), CORPUS))).kind).toBe('invalid_json')
  })

  test.each(filesWithPrefix('i_'))('%s is accepted or refused', (file) => {
    outcome(readFileSync(new URL(encodeURIComponent(file), CORPUS)))
  })

  test('all files of the corpus are there', () => {
    expect([
      filesWithPrefix('y_').length,
      filesWithPrefix('n_').length,
      filesWithPrefix('i_').length,
    ]).toEqual([95, 188, 35])
  })
})

test('naughty strings are read unchanged or refused, naming the field', () => {
  expect(naughtyStrings.length).toBeGreaterThan(500)
  for (const text of naughtyStrings) {
    const result = outcome(JSON.stringify({ field: text }))
    if (result.kind === undefined) expect(result.value).toEqual({ field: text })
    else expect(result).toMatchObject({ kind: 'invalid', path: 'field' })
  }
})

test.each([
  ['{"a":{"b":["x","\\u0000"]}}', 'a.b[1]', 'NUL'],
  ['{"a":"\\ud800"}', 'a', 'surrogate'],
  ['{"a":"\\udc00\\ud800"}', 'a', 'surrogate'],
  ['"\\u0000"', undefined, 'NUL'],
  ['{"a\\u0000":1}', 'a\ufffd', 'NUL'],
  ['{"\\ud800":1}', '\ufffd', 'surrogate'],
  ['{"a":1e400}', 'a', 'as a string'],
  ['{"a":[-1E+400]}', 'a[0]', 'as a string'],
  [`{"a":${'9'.repeat(400)}}`, 'a', 'as a string'],
  ['{"a":9007199254740993}', 'a', 'as a string'],
  ['{"a":{"b":-12345678901234567890}}', 'a.b', 'as a string'],
  ['{"__proto__":{"x":1}}', '__proto__', 'Must not be used'],
  ['{"a":{"\\u005f_proto__":1}}', 'a.__proto__', 'Must not be used'],
  ['{"a":{"constructor":{"prototype":{}}}}', 'a.constructor.prototype', 'Must not be used'],
  ['{"constr\\u0075ctor":{"prototype":1}}', 'constructor.prototype', 'Must not be used'],
])('%s is rejected, naming %s', (body, path, message) => {
  const result = outcome(body)
  expect(result).toMatchObject({ kind: 'invalid', path })
  expect(result.message).toContain(message)
})

test.each([
  ['{"a":1,"a":2}', { a: 2 }],
  ['{"a":9007199254740992}', { a: 2 ** 53 }],
  ['{"a":-9007199254740991}', { a: -(2 ** 53 - 1) }],
  ['{"a":"12345678901234567890"}', { a: '12345678901234567890' }],
  ['{"a":100000000000000000000}', { a: 1e20 }],
  ['{"a":1e3,"b":0.12345678901234567890}', { a: 1000, b: 0.12345678901234568 }],
  ['{"a":"\\ud83d\\ude00 \\u00e9"}', { a: '😀 é' }],
  ['{"a":"\\\\u0000"}', { a: '\\u0000' }],
  ['{"constructor":"Acme"}', { constructor: 'Acme' }],
  [
    '{"note":"about __proto__ and constructor.prototype"}',
    { note: 'about __proto__ and constructor.prototype' },
  ],
  ['{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\"{{{{"}', { a: `${'['.repeat(40)}"{{{{` }],
  [' null ', null],
])('%s is accepted', (body, value) => {
  expect(outcome(body)).toEqual({ value })
})

test.each([
  '',
  ' ',
  '\ufeff{}',
  '{"a":1}x',
  '{a:1}',
  "{'a':1}",
  '[1,]',
  'NaN',
  'undefined',
  '"\t"',
  '{"a":01}',
  '"\\',
])('%j is not JSON', (body) => {
  expect(outcome(body).kind).toBe('invalid_json')
})

test('bytes that are not UTF-8 are rejected, never replaced', () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0x80, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ])
    expect(outcome(Buffer.from(bytes)).kind).toBe('invalid_json')
})

test('32 levels are accepted, 33 are not', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(outcome(nested(32)).kind).toBeUndefined()
  expect(outcome(nested(33))).toMatchObject({ kind: 'invalid' })
  expect(outcome(`{"n":12345678901234567890,"a":${nested(33)}}`)).toMatchObject({ kind: 'invalid' })
})

test('depth needs no stack: a megabyte of brackets is rejected', () => {
  expect(outcome('['.repeat(500_000) + ']'.repeat(500_000))).toMatchObject({ kind: 'invalid' })
  expect(outcome('['.repeat(1_000_000))).toMatchObject({ kind: 'invalid_json' })
  expect(outcome('{"a":'.repeat(200_000))).toMatchObject({ kind: 'invalid_json' })
})

test('an accepted body has the value of JSON.parse and survives a round trip', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary', maxDepth: 6 }), (text) => {
      const result = outcome(text)
      if (result.kind !== undefined) return
      expect(result.value).toEqual(JSON.parse(text))
      expect(outcome(JSON.stringify(result.value))).toEqual({ value: JSON.parse(text) })
    }),
    { numRuns: 2000 },
  )
})

test('any bytes are accepted or refused, without other errors', () => {
  const alphabet = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    'u',
    '0',
    'd800',
    '9'.repeat(17),
    'e',
    '-',
    ',',
    ':',
    '__proto__',
    'true',
  )
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 40 }), (parts) => void outcome(parts.join(''))),
    { numRuns: 5000 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void outcome(Buffer.from(bytes))))
})

test('hostile shapes take linear time', () => {
  for (const body of [
    `"${'\\"'.repeat(500_000)}"`,
    `"${'\\\\'.repeat(500_000)}"`,
    '"'.repeat(1_000_001),
    `[${'1,'.repeat(500_000)}1]`,
  ]) {
    // CPU time of this process, so other load on the machine doesn't count.
    const cpuBefore = process.cpuUsage()
    outcome(body)
    expect(process.cpuUsage(cpuBefore).user / 1000).toBeLessThan(1000)
  }
})
