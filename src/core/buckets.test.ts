import { expect, test } from 'vitest'
import contractBuckets from '../../test/contract/inventory/buckets.json' with { type: 'json' }
import contractEndpoints from '../../test/contract/inventory/endpoints.json' with { type: 'json' }
import { BUCKETS } from './buckets.ts'

const buckets = Object.entries(BUCKETS).map(([name, bucket]) => ({ name, ...bucket }))

test('the buckets of spec 8.1 come first, in its order and with its numbers', () => {
  expect(buckets.slice(0, contractBuckets.length)).toEqual(contractBuckets)
})

test('every bucket that an endpoint names exists', () => {
  const usedNames = contractEndpoints.flatMap((endpoint) =>
    endpoint.bucket === null ? [] : [endpoint.bucket],
  )
  expect(usedNames.filter((name) => !(name in BUCKETS))).toEqual([])
})

test('every figure is a positive whole number, because the limiter counts in integers', () => {
  for (const { burst, refill, perSeconds } of buckets)
    for (const figure of [burst, refill, perSeconds])
      expect(Number.isInteger(figure) && figure > 0).toBe(true)
})
