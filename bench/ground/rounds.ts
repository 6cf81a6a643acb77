import { setTimeout as wait } from 'node:timers/promises'
import { median } from './statistics.ts'

export type Rounds = { bare: number; ours: number; ratio: number; ratios: number[] }

const BREATH_MS = 200

/**
 * Runs the denominator and ours in turn, so that what else the machine does meets both, and answers
 * with the medians. The ratio is the median of the rounds' own ratios.
 */
export async function alternate(
  rounds: number,
  runBare: () => Promise<number>,
  runOurs: () => Promise<number>,
): Promise<Rounds> {
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await runBare())
    await wait(BREATH_MS)
    ours.push(await runOurs())
    await wait(BREATH_MS)
  }
  const ratios = ours.map((value, i) => value / bare[i]!)
  return { bare: median(bare), ours: median(ours), ratio: median(ratios), ratios }
}

/** The fields of a figure that says how many a second there were, as a ratio that is to reach `atLeast`. */
export const rateOf = ({ bare, ours, ratio, ratios }: Rounds, atLeast: number) => ({
  bare,
  ours,
  unit: '/s',
  ratio,
  target: `>= ${atLeast}`,
  met: ratio >= atLeast,
  rounds: ratios,
})
