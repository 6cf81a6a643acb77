import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { watchStandstill } from '../../../../../../test/support/standstill.ts'
import { type CsvRow, readRows } from './read-rows.ts'
import type { TextFile } from './text-lines.ts'

const PIECE = 64 * 1024
const HEADER = 'phone,name\n'

function fileOf(text: string): TextFile {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, i) =>
    bytes.subarray(i * PIECE, (i + 1) * PIECE),
  )
  return {
    encoding: 'utf-8',
    head: text.slice(0, PIECE),
    stream: () => Readable.from(pieces, { objectMode: false }),
  }
}

/** Returns the rows below the heading. */
const readAll = async (text: string, width = 2): Promise<CsvRow[]> =>
  (await Array.fromAsync(readRows(fileOf(text), { delimiter: ',', width }))).slice(1)

test.each([
  ['an open quote on every line', '"a\n'.repeat(100_000), 100_000],
  ['nothing but a quote on every line', '"\n'.repeat(100_000), 50_000],
  ['a long cell before many empty ones', `"${'a'.repeat(900_000)}\n${'""\n'.repeat(98)}`.repeat(2), 2],
  ['a cell of doubled quotes', `"${'""'.repeat(500_000)}\n`, 1],
  ['a million cells', `${','.repeat(1_000_000)}\n${'"",'.repeat(300_000)}\n`, 2],
  ['a line of the whole file', 'x'.repeat(15_000_000), 1],
  ['blanks around a quote', `${' '.repeat(500_000)}" "${' '.repeat(400_000)}\n`, 1],
  ['open quotes before long lines', `"${'x'.repeat(10_000)}\n`.repeat(1_000), 1_000],
])('reading a file with %s never blocks the event loop for long', async (_, body, rows) => {
  const turns = watchStandstill()
  const read = await readAll(HEADER + body)
  turns.stop()
  expect(read).toHaveLength(rows)
  expect(turns.longestMs()).toBeLessThan(100)
})

test('a row with too many cells is rejected, and reading continues', async () => {
  const rows = await readAll(`${HEADER}${','.repeat(5_000)}\n${'"",'.repeat(5_000)}\n+919812345601,Asha\n`)
  expect(rows.map(({ line, fault }) => [line, fault?.slice(0, 24)])).toEqual([
    [2, 'has more than 2000 cells'],
    [3, 'has more than 2000 cells'],
    [4, undefined],
  ])
})

test('a well-formed file gives the same rows as the csv-parse library', async () => {
  const cell = fc.array(fc.constantFrom('a', 'é', ' ', ',', ';', '\t', '"', '""', '\n', '\r\n', '12" pipe'), {
    maxLength: 6,
  })
  const quotedCell = cell.map((parts) => `"${parts.join('').replaceAll('"', '""')}"`)
  const plain = fc.stringMatching(/^[a-z é]{0,6}("[a-z"]{0,3})?$/).filter((text) => !/^\s*"/.test(text))
  const blanks = fc.constantFrom('', ' ', '  ')
  const row = fc
    .tuple(
      ...[1, 2, 3].map(() =>
        fc.tuple(blanks, fc.oneof(quotedCell, plain), blanks).map((parts) => parts.join('')),
      ),
    )
    .map((cells) => cells.join(','))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (lines) => {
      const text = `p,q,r\n${lines.join('\n')}\n`
      const expected: string[][] = parse(text, {
        delimiter: ',',
        trim: true,
        relax_quotes: true,
        relax_column_count: true,
        record_delimiter: '\n',
      })
      const read = await readAll(text, 3)
      expect(read.map(({ cells }) => cells)).toEqual(
        expected.slice(1).filter((cells) => cells.some((cell) => cell !== '')),
      )
      expect(read.filter(({ fault }) => fault)).toEqual([])
    }),
    { numRuns: 300 },
  )
})
