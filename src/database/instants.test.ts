import fc from 'fast-check'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { openAsService } from '../../test/support/open-database.ts'
import { readInstant } from './instants.ts'
import { onDatabase } from './on-database.ts'

const readWithDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date

test('instants are read as the driver reads them', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('1000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      }),
      fc.integer({ min: 0, max: 999_999 }),
      (day, microseconds) => {
        const fraction = String(microseconds).padStart(6, '0').replace(/0+$/, '')
        const text = `${day.toISOString().slice(0, 19).replace('T', ' ')}${fraction && `.${fraction}`}+00`
        expect(readInstant(text)).toEqual(readWithDriver(text))
      },
    ),
  )
})

test.each([
  '2026-01-31 12:00:00+05:30',
  '2026-01-31 12:00:00.5-08',
  '0001-01-01 00:00:00+00',
  '0044-03-15 12:00:00+00 BC',
  '12026-01-31 12:00:00+00',
  'infinity',
  '-infinity',
])('%s is read as the driver reads it', (text) => {
  expect(readInstant(text)).toEqual(readWithDriver(text))
})

test('instants are the same in a database with another date format', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const name = new URL(url).pathname.slice(1)
  await onDatabase(url, (client) =>
    client.query(
      `alter database ${name} set datestyle = 'SQL, DMY'; alter database ${name} set timezone = 'Asia/Kolkata'`,
    ),
  )
  const database = openAsService(url)
  onTestFinished(database.close)
  const time = new Date('2026-01-31T20:00:00.123Z')
  expect(await database.query('select $1::timestamptz as at', [time])).toEqual([{ at: time }])
})
