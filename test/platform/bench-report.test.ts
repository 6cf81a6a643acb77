/**
 * The benchmark's conclusions about its figures: verdicts, waiting processes, and the limit behind a figure
 * that is too low.
 */
import { expect, test } from 'vitest'
import { isUpkeep } from '../../bench/ground/database-use.ts'
import { withAim } from '../../bench/ground/rounds.ts'
import { readBatchTotals, readCoreTimes, type Waiting } from '../../bench/ground/waiting.ts'
import { boundBy, type Figure, shortText, tableOf, verdictOf, waitingLines } from '../../bench/report.ts'

const waiting = (overrides: Partial<Waiting>): Waiting => ({
  cores: [
    { idle: 40, disk: 2 },
    { idle: 50, disk: 0 },
  ],
  parts: { server: 60, generator: 20, database: 30 },
  ...overrides,
})

const figure = (overrides: Partial<Figure>): Figure => ({
  goal: 'G1',
  what: 'sends/s',
  ours: 5_000,
  unit: '/s',
  ...withAim(0.5, { reach: 0.85, dream: 1 }, '>='),
  ...overrides,
})

test("a figure's goal decides its verdict, its best value is only shown", () => {
  expect(verdictOf(figure({}))).toBe('missed')
  const met = figure(withAim(0.9, { reach: 0.85, dream: 1 }, '>='))
  expect(verdictOf(met)).toBe('met')
  expect(verdictOf(figure(withAim(16, { reach: 15 }, '<=')))).toBe('missed')
  expect(verdictOf({ ...met, ledgers: [{ what: 'requests', whole: 3, parts: { accepted: 2 } }] })).toBe(
    'void',
  )
  expect(verdictOf({ ...met, met: undefined })).toBe('no target')
  const [head, , row] = tableOf([met]).split('\n')
  expect(head).toMatch(/target +dream +verdict$/)
  expect(row).toMatch(/>= 0\.85 +>= 1 +met$/)
})

test('the system reports for each core the idle time, and the waits for the disk', () => {
  const stat =
    'cpu  30 0 10 100 20 0 0 0 0 0\ncpu0 10 1 5 50 20 2 1 1 7 0\ncpu1 20 0 5 50 0 0 0 0 0 0\nintr 5 0 0\n'
  expect(readCoreTimes(stat)).toEqual([
    { all: 90, idle: 70, disk: 20 },
    { all: 75, idle: 50, disk: 0 },
  ])
})

test('batches are added up over all routes', () => {
  const metrics = [
    '# TYPE parley_batch_requests histogram',
    'parley_batch_requests_bucket{le="1",method="POST",route="/api/v1/send"} 1',
    'parley_batch_requests_sum{method="POST",route="/api/v1/send"} 90',
    'parley_batch_requests_count{method="POST",route="/api/v1/send"} 3',
    'parley_batch_requests_sum{method="POST",route="/api/v1/leads"} 10',
    'parley_batch_requests_count{method="POST",route="/api/v1/leads"} 2',
    'parley_batch_wait_seconds_total{method="POST",route="/api/v1/send"} 0.25',
    'parley_batch_seconds_total{method="POST",route="/api/v1/send"} 1.5',
  ].join('\n')
  expect(readBatchTotals(metrics)).toEqual({ batches: 5, calls: 100, waitSeconds: 0.25, seconds: 1.5 })
})

test('the busiest parts name the limit of a figure', () => {
  expect(boundBy(waiting({}))).toBe('waiting: cores are idle for 45 % of the time, and no thread is full')
  expect(boundBy(waiting({ parts: { server: 97, generator: 20, database: 30 } }))).toContain(
    'the server is full',
  )
  expect(boundBy(waiting({ parts: { server: 60, generator: 96, database: 30 } }))).toContain(
    'the generator is full',
  )
  const cores = [
    { idle: 3, disk: 0 },
    { idle: 5, disk: 0 },
  ]
  expect(boundBy(waiting({ cores, parts: { server: 70, generator: 30, database: 85 } }))).toBe(
    'the processor: no core is idle, and the database takes the largest part',
  )
  expect(boundBy(waiting({ cores }))).toContain('what else the machine does: it takes 82 %')
  const disk = [
    { idle: 60, disk: 30 },
    { idle: 60, disk: 20 },
  ]
  expect(boundBy(waiting({ cores: disk }))).toBe('the disk')
})

test('figures of one row show their waits once, and only figures that are too low name their limit, with the most expensive statements on each side', () => {
  const shared = waiting({ batches: { calls: 31.8, inFlight: 1.9, waitMs: 1.25, roundTrips: 2 } })
  const rate = figure({ waiting: shared })
  const p99 = figure({ what: 'p99', ...withAim(9, { reach: 15 }, '<='), waiting: shared })
  const lines = waitingLines([rate, p99])
  expect(lines).toEqual([
    'G1  sends/s: cores idle 40 and 50 % (waiting for the disk 2 and 0 %); of one core the server 60 %, the generator 20 %, ' +
      'the database 30 %, all others 0 %; a batch has 31.8 calls, 2 round trips, 1.9 are in flight, a call waits 1.25 ms for its batch',
  ])
  const top = Array.from({ length: 9 }, (_, i) => ({ percent: 9 - i, name: `function ${i}`, place: 'here' }))
  const short = shortText({ figures: [rate, p99], profiles: [{ file: 'server', top }] })
  expect(short[0]).toMatch(/^G1 {2}sends\/s: short; bound by waiting/)
  expect(short).toHaveLength(2)
  expect(short[1]!.split('\n')).toHaveLength(6)
  expect(shortText({ figures: [p99], profiles: [{ file: 'server', top }] })).toEqual([])
})

test('upkeep of the database is apart from the processes that serve statements', () => {
  const titles = [
    'postgres: walwriter ',
    'postgres: checkpointer ',
    'postgres: background writer ',
    'postgres: autovacuum launcher ',
    'postgres: autovacuum worker costs',
    'postgres: bench: autovacuum worker costs',
    'postgres: io worker 0',
    'postgres: parley walwriter 127.0.0.1(5432) idle',
    'postgres: parley costs 127.0.0.1(5432) COMMIT',
    '/usr/lib/postgresql/bin/postgres -D /data',
  ]
  expect(titles.filter(isUpkeep)).toEqual(titles.slice(0, 6))
})
