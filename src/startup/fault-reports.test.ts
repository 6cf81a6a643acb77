import { expect, test } from 'vitest'
import { standingClock } from '../../test/support/standing-clock.ts'
import { reportFaults } from './fault-reports.ts'

const SLOW = new Error('timeout exceeded when trying to connect')

function setUpReports() {
  const lines: string[] = []
  const counted: string[] = []
  const times = { ms: 1_000 }
  const onFault = reportFaults({
    log: {
      error: (_: object, text: string) => lines.push(`error: ${text}`),
      info: (text: string) => lines.push(`info: ${text}`),
    } as never,
    metrics: { countFault: (source) => counted.push(source) },
    clock: { ...standingClock(), monotonicMs: () => times.ms },
  })
  return { lines, counted, times, onFault }
}

test('a database that is slow while the service starts is reported in one line, and not as failed background work', () => {
  const { lines, counted, times, onFault } = setUpReports()
  for (const source of ['jobs', 'deliveries', 'live']) onFault(source, SLOW)
  expect(lines).toEqual(['info: background work is waiting: database slow to respond'])
  expect(counted).toEqual(['jobs', 'deliveries', 'live'])
  times.ms += 30_000
  onFault('jobs', SLOW)
  expect(lines.at(-1)).toBe('error: background work failed')
})

test('any other fault is logged from the start', () => {
  const { lines, onFault } = setUpReports()
  onFault('jobs', new Error('column "x" does not exist'))
  expect(lines).toEqual(['error: background work failed'])
})
