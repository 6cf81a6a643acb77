/** PostgreSQL returns lists exactly as they were sent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOwnDatabase } from '../../../test/support/own-database.ts'
import type { OpenDatabase } from '../database.ts'
import { byteStrings, digests, instants, jsons, jsonTexts, texts, uuids } from './binary-arrays.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openOwnDatabase()
})
afterAll(async () => {
  await database?.close()
})

const elements = async (type: string, list: Buffer): Promise<unknown[]> =>
  (await database.query<{ element: unknown }>(`select unnest($1::${type}[]) as element`, [list])).map(
    ({ element }) => element,
  )

test.each([
  [[]],
  [['0195e0a0-1234-7abc-8def-0123456789ab']],
  [['00000000-0000-0000-0000-000000000000', null, 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
])('uuids: %j', async (ids) => {
  expect(await elements('uuid', uuids(ids))).toEqual(ids)
})

test('a uuid in capitals is read as the same uuid, and text that is not a uuid throws', async () => {
  expect(await elements('uuid', uuids(['0195E0A0-1234-7ABC-8DEF-0123456789AB']))).toEqual([
    '0195e0a0-1234-7abc-8def-0123456789ab',
  ])
  for (const invalid of [
    '',
    'x',
    '0195e0a0-1234-7abc-8def-0123456789a',
    '0195e0a0-1234-7abc-8def-0123456789ag',
    'é'.repeat(36),
  ])
    expect(() => uuids([invalid])).toThrow('not a uuid')
})

test('instants are exact to the millisecond, before and after the year 2000', async () => {
  const list = [
    '1969-12-31T23:59:59.999Z',
    '1999-12-31T23:59:59.999Z',
    '2000-01-01T00:00:00.000Z',
    '2026-02-28T12:34:56.789Z',
    '4500-01-01T00:00:00.001Z',
    '7000-06-01T12:34:56.789Z',
    '9999-12-31T23:59:59.001Z',
    '9999-12-31T23:59:59.999Z',
  ].map((text) => new Date(text))
  expect(await elements('timestamptz', instants([...list, null]))).toEqual([...list, null])
  expect(() => instants([new Date(Number.NaN)])).toThrow(RangeError)
})

test('texts in any script', async () => {
  const list = ['', 'NULL', '{"a",b\\}', 'नमस्ते', '👋🏽', null, 'x'.repeat(10_000)]
  expect(await elements('text', texts(list))).toEqual(list)
  // Half of a surrogate pair is no character; U+FFFD is sent instead.
  expect(await elements('text', texts(['\ud83d']))).toEqual(['\ufffd'])
})

test('JSON', async () => {
  const list = [{ text: 'a "b" \\ {c}' }, [1, null], 'नमस्ते', null]
  const encoded = jsons(list.map((value) => (value === null ? null : JSON.stringify(value))))
  expect(await elements('jsonb', encoded)).toEqual(list)
})

test('JSON that PostgreSQL stores as its original text', async () => {
  const list = [
    { b: 'a "b" \\ {c}', a: '\\u0000' },
    { a: '\\\\ud800' },
    [1, null],
    'नमस्ते 👋🏽',
    '\u0001',
    null,
  ]
  const encoded = jsonTexts(list.map((value) => (value === null ? null : JSON.stringify(value))))
  expect(await elements('json', encoded)).toEqual(list)
  for (const unreadable of ['\0', '\\\0', '\ud83d', { '\udc4b': 1 }])
    expect(() => jsonTexts([JSON.stringify(unreadable)])).toThrow('NUL or half of a surrogate pair')
})

test('bytes, and texts as bytes', async () => {
  const list = [Buffer.from([0, 1, 255]), Buffer.alloc(0), null]
  expect(await elements('bytea', byteStrings(list))).toEqual(list)
  const lines = ['', '{"a":"\\n"}', 'नमस्ते']
  expect(await elements('bytea', byteStrings(lines))).toEqual(lines.map((line) => Buffer.from(line)))
})

test('uuids given as bytes', async () => {
  const list = [Buffer.alloc(16), Buffer.from('ff'.repeat(16), 'hex')]
  expect(await elements('uuid', digests(list))).toEqual([
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])
})
