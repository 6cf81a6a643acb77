import { expect, test } from 'vitest'
import { metricDataOf } from './metric-reader.ts'

const PERIOD = { startMs: 1_000, endMs: 2_500 }
const common = { name: 'parley_thing', help: 'Things.' }

test('the cumulative buckets of a histogram become counts for each bucket, for each set of labels', () => {
  const values = ['a', 'b'].flatMap((route, i) => [
    { metricName: 'parley_thing_bucket', labels: { le: 1, route }, value: 2 + i },
    { metricName: 'parley_thing_bucket', labels: { le: 5, route }, value: 3 + i },
    { metricName: 'parley_thing_bucket', labels: { le: '+Inf', route }, value: 7 + i },
    { metricName: 'parley_thing_sum', labels: { route }, value: 30 },
    { metricName: 'parley_thing_count', labels: { route }, value: 7 + i },
  ])
  const { dataPoints } = metricDataOf({ ...common, type: 'histogram', values }, PERIOD)!
  expect(dataPoints).toMatchObject([
    {
      startTime: [1, 0],
      endTime: [2, 500_000_000],
      attributes: { route: 'a' },
      value: { count: 7, sum: 30, buckets: { boundaries: [1, 5], counts: [2, 1, 4] } },
    },
    { attributes: { route: 'b' }, value: { count: 8, buckets: { counts: [3, 1, 4] } } },
  ])
})

test('a counter is a sum, a gauge is a gauge, and other kinds are left out', () => {
  const values = [{ labels: { source: 'jobs' }, value: 3 }]
  expect(metricDataOf({ ...common, type: 'counter', values }, PERIOD)).toMatchObject({
    isMonotonic: true,
    dataPoints: [{ attributes: { source: 'jobs' }, value: 3 }],
  })
  expect(metricDataOf({ ...common, type: 'gauge', values }, PERIOD)).not.toHaveProperty('isMonotonic')
  expect(metricDataOf({ ...common, type: 'summary', values }, PERIOD)).toBeUndefined()
})
