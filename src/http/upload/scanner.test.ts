import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJsonBody } from '../wire/json-body.ts'
import { RestTooLarge } from './rest.ts'
import { createUploadScanner } from './scanner.ts'

/** Scans a body cut into pieces at `cuts`. Returns the file, the other fields, and the fault of the file. */
function scan(body: string | Buffer, cuts: number[] = []) {
  const bytes = Buffer.from(body)
  const scanner = createUploadScanner('fileBase64')
  let decoded: Buffer[] = []
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < places.length; i++) {
    // A copy, because the socket reuses its buffers too.
    const pushed = scanner.push(Buffer.from(bytes.subarray(places[i - 1], places[i])))
    if (pushed.restart) decoded = []
    decoded.push(...pushed.decoded.map((part) => Buffer.from(part)))
  }
  return { file: Buffer.concat(decoded), rest: parseJsonBody(scanner.rest()), fault: scanner.fault() }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Returns JSON text of a string with some characters escaped, as any client might. */
const escapedAs = (text: string, style: number): string =>
  Array.from(text)
    .map((character, i) => {
      if ((i + style) % 3 === 0) return `\\u00${character.charCodeAt(0).toString(16)}`
      return character === '/' && style % 2 === 0 ? '\\/' : character
    })
    .join('')

describe('a file inside a JSON body', () => {
  test('is decoded in full, regardless of pieces, field order, spaces, and escapes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.nat(2000), { maxLength: 12 }),
        fc.nat(5),
        fc.constantFrom('', ' ', '\n\t '),
        fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
          maxKeys: 3,
        }),
        fc.boolean(),
        (bytes, cuts, style, blank, others, first) => {
          delete others.fileBase64
          const fields = Object.entries(others)
            .filter(([name]) => name !== '__proto__')
            .map(([name, value]) => `${JSON.stringify(name)}${blank}:${blank}${JSON.stringify(value)}`)
          const text = Buffer.from(bytes).toString('base64')
          const own = `"fileBase64"${blank}:${blank}"${style === 0 ? text : escapedAs(text, style)}"`
          const body = `{${(first ? [own, ...fields] : [...fields, own]).join(`,${blank}`)}}`
          let expected: unknown
          try {
            expected = parseJsonBody(Buffer.from(body))
          } catch {
            return
          }
          const found = scan(body, cuts)
          expect(found.fault).toBeUndefined()
          expect(found.file.equals(Buffer.from(bytes))).toBe(true)
          expect(found.rest).toEqual({ ...(expected as object), fileBase64: 'file' })
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is found only by its exact name at the top level', () => {
    const body = `{"a":{"fileBase64":"${base64('no')}"},"b":"fileBase64","fileBase64 ":"x","file\\u0042ase64":"${base64('yes')}"}`
    for (const cuts of [[], [5, 20, 30, 60], Array.from({ length: body.length }, (_, i) => i)]) {
      const { file, rest } = scan(body, cuts)
      expect(file.toString()).toBe('yes')
      expect(rest).toMatchObject({ a: { fileBase64: base64('no') }, b: 'fileBase64', fileBase64: 'file' })
    }
  })

  test('uses the last of duplicate keys', () => {
    expect(scan(`{"fileBase64":"${base64('one')}","fileBase64":"${base64('two')}"}`).file.toString()).toBe(
      'two',
    )
    const repaired = scan(`{"fileBase64":"not base64!","fileBase64":"${base64('two')}"}`)
    expect([repaired.file.toString(), repaired.fault]).toEqual(['two', undefined])
    expect(scan(`{"fileBase64":"${base64('one')}","fileBase64":7}`).rest).toEqual({ fileBase64: 7 })
  })

  test('may be wrapped in lines and lack its padding', () => {
    const lines = base64('a'.repeat(100)).replaceAll(/.{19}/g, '$&\\r\\n')
    expect(scan(`{"fileBase64":" ${lines} "}`).file.toString()).toBe('a'.repeat(100))
    expect(scan('{"fileBase64":"YQ"}').file.toString()).toBe('a')
    expect(scan('{"fileBase64":"YWI="}').file.toString()).toBe('ab')
  })

  test.each([
    ['data:image/png;base64,iVBORw0KGgo=', 'Must be the base64 bytes alone, without the data: prefix.'],
    ['YW-_', 'is not base64: character 3 does not belong to it'],
    ['YWJj\\"', 'is not base64: character 5 does not belong to it'],
    ['YWJj\\u00e9', 'is not base64: character 5 does not belong to it'],
    ['YWJjé', 'is not base64: character 5 does not belong to it'],
    ['YWJj\\u0000', 'is not base64: character 5 does not belong to it'],
    ['YWJjZ', 'is not base64: it ends in the middle'],
    ['YQ=', 'is not base64: it ends in the middle'],
    ['YQ===', 'is not base64: it ends in the middle'],
    ['YQ==YQ==', 'is not base64: character 5 does not belong to it'],
    ['====', 'is not base64: it ends in the middle'],
  ])('that is %s reports the fault', (text, fault) => {
    for (const cuts of [[], [18], Array.from({ length: 60 }, (_, i) => i)])
      expect(scan(`{"fileBase64":"${text}"}`, cuts).fault).toBe(fault)
  })

  test.each([
    '{"fileBase64":"YQ==',
    '{"fileBase64":"YQ=="',
    '{"fileBase64":"YQ\\q"}',
    '{"fileBase64":"YQ\n=="}',
    '{"fileBase64":"\\u00g0"}',
    '{"fileBase64" "YQ=="}',
    '',
    '{"fileBase64":"YQ=="}{',
    '{"a":1 "fileBase64":"YQ=="}',
  ])('%j is not JSON', (body) => {
    for (const cuts of [[], Array.from({ length: body.length }, (_, i) => i)])
      expect(() => scan(body, cuts)).toThrow(expect.objectContaining({ kind: 'invalid_json' }))
  })

  test('is not found in other kinds of bodies', () => {
    expect(scan('["fileBase64","YQ=="]').rest).toEqual(['fileBase64', 'YQ=='])
    expect(scan('"fileBase64"').rest).toBe('fileBase64')
  })
})

describe('the fields besides the file', () => {
  test('are replaced by a placeholder when longer than any field may be', () => {
    const { rest } = scan(
      `{"filename":"${'é"\\'.replaceAll(/["\\]/g, '\\$&').repeat(10_000)}","fileBase64":"YQ=="}`,
      [3000, 9000],
    )
    expect((rest as { filename: string }).filename).toBe('x'.repeat(1024))
    expect(Object.keys(scan(`{"${'k'.repeat(9000)}":1}`).rest as object)).toEqual(['x'.repeat(1024)])
  })

  test('are kept up to 8 KB each', () => {
    const filename = 'é'.repeat(4000)
    expect(scan(JSON.stringify({ filename, fileBase64: 'YQ==' }), [4001]).rest).toMatchObject({ filename })
  })

  test('use no space for their blanks', () => {
    expect(scan(`{${' '.repeat(200_000)}"a":1${'\n'.repeat(100_000)}}`, [70_000, 140_000]).rest).toEqual({
      a: 1,
    })
  })

  test('are rejected when they exceed the limit of an ordinary body', () => {
    expect(() => scan(`{"a":[${'1,'.repeat(40_000)}1]}`)).toThrow(RestTooLarge)
  })
})
