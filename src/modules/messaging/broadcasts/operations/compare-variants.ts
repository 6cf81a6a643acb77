/** Compares the variants of a campaign by their rates (DECISIONS.md "Comparing templates"). Pure. */

/** How sure a comparison is. */
export const CERTAINTIES = ['too_few', 'no_difference', 'likely', 'clear'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** The results of a variant that decide: messages sent, and those with the result. */
export type Measured = { number: number; sent: number; hits: number }

/** Below this number of messages, or of messages with and without the result, a variant says too little. */
const LEAST_SENT = 30
const LEAST_EACH = 5
/** The quantiles of the normal distribution for 90 and 95 percent, two-sided. */
const LIKELY = 1.645
const CLEAR = 1.96

const rateOf = ({ sent, hits }: Measured): number => (sent === 0 ? 0 : hits / sent)

/** Returns how many standard errors the rates of two variants are apart: the two-proportion z-test. */
function distanceOf(a: Measured, b: Measured): number {
  const pooled = (a.hits + b.hits) / (a.sent + b.sent)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.sent + 1 / b.sent))
  return error === 0 ? 0 : Math.abs(rateOf(a) - rateOf(b)) / error
}

function hasEnough(a: Measured, b: Measured): boolean {
  const pooled = (a.hits + b.hits) / (a.sent + b.sent)
  return [a, b].every(
    ({ sent }) => sent >= LEAST_SENT && sent * pooled >= LEAST_EACH && sent * (1 - pooled) >= LEAST_EACH,
  )
}

type Comparison = { leader: number; isTie: boolean; certainty: Certainty }

/**
 * Returns the variant with the highest rate, and how sure it is that it beats the second. On a tie, the first variant
 * leads. Two variants or more.
 */
export function compareVariants(variants: readonly Measured[]): Comparison {
  const [best, second] = variants.toSorted((a, b) => rateOf(b) - rateOf(a) || a.number - b.number) as [
    Measured,
    Measured,
  ]
  const certainty = (): Certainty => {
    if (!hasEnough(best, second)) return 'too_few'
    const distance = distanceOf(best, second)
    return distance >= CLEAR ? 'clear' : distance >= LIKELY ? 'likely' : 'no_difference'
  }
  return { leader: best.number, isTie: rateOf(best) === rateOf(second), certainty: certainty() }
}
