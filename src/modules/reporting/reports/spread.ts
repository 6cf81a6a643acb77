/** Medians and 90th percentiles of durations, in real time and in business hours. Pure. */
import { z } from 'zod'
import { type Hours, openHours } from '../../../core/values/open-hours.ts'

const seconds = z.number().int().nullable()

/** The spread of durations, in seconds. */
export const Spread = z
  .object({
    count: z.number().int().meta({ description: 'Number of durations.' }),
    medianSeconds: seconds.meta({ description: 'Half of them were at most this long; null without any.' }),
    p90Seconds: seconds.meta({ description: '9 of 10 were at most this long; null without any.' }),
    businessMedianSeconds: seconds.meta({
      description: 'The median, counting only business hours; null without any, or without business hours.',
    }),
    businessP90Seconds: seconds.meta({
      description:
        'The 90th percentile, counting only business hours; null without any, or without business hours.',
    }),
  })
  .meta({ id: 'DurationSpread', description: 'The spread of durations.' })
export type Spread = z.input<typeof Spread>

/** A duration in seconds. `business` counts only business hours; null without business hours. */
export type Duration = { seconds: number; business: number | null }

/** Returns the value that a `share` of the sorted values do not exceed; null if there are none. */
const quantileOf = (sorted: Float64Array, share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null

// The typed array sorts numbers without a comparison function, which is much faster.
const sortedOf = (values: readonly number[]): Float64Array => Float64Array.from(values).sort()

/** Returns the spread of durations. */
export function spreadOf(durations: readonly Duration[] = []): Spread {
  const real = sortedOf(durations.map(({ seconds: value }) => value))
  const business = sortedOf(durations.flatMap(({ business: value }) => (value === null ? [] : [value])))
  return {
    count: durations.length,
    medianSeconds: quantileOf(real, 0.5),
    p90Seconds: quantileOf(real, 0.9),
    businessMedianSeconds: quantileOf(business, 0.5),
    businessP90Seconds: quantileOf(business, 0.9),
  }
}

/**
 * Returns a function that measures durations between `start` and `end`. Business hours are measured as the sum of the open
 * stretches before a moment, so that each duration takes two binary searches.
 */
export function durationMeter(hours: Hours, start: Date, end: Date): (from: Date, to: Date) => Duration {
  const isSet = hours.weekly.length > 0 || hours.overrides.some(({ ranges }) => ranges.length > 0)
  const { stretches } = isSet ? openHours(hours, start, end) : { stretches: [] }
  const openBefore: number[] = []
  let sum = 0
  for (const { from, to } of stretches) {
    openBefore.push(sum)
    sum += to - from
  }
  /** Returns the open milliseconds before a moment. */
  const openUntil = (time: number): number => {
    let [low, high] = [0, stretches.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (stretches[middle]!.from < time) low = middle + 1
      else high = middle
    }
    if (low === 0) return 0
    const { from, to } = stretches[low - 1]!
    return openBefore[low - 1]! + Math.min(time, to) - from
  }
  const inSeconds = (ms: number): number => Math.max(0, Math.round(ms / 1_000))
  return (from, to) => ({
    seconds: inSeconds(to.getTime() - from.getTime()),
    business: isSet ? inSeconds(openUntil(to.getTime()) - openUntil(from.getTime())) : null,
  })
}
