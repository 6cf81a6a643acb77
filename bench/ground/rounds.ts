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

/** What a figure is to reach, and what it would reach if all went well. */
export type Aim = { reach: number; dream?: number }

/** The fields of a figure that says how many a second there were, as a ratio; without an aim it is only shown. */
export const rateOf = ({ bare, ours, ratio, ratios }: Rounds, aim?: Aim) => ({
  bare,
  ours,
  unit: '/s',
  ratio,
  rounds: ratios,
  ...aimedAt(ratio, aim, '>='),
})

/** The fields of a figure that is not to pass its aim, in `unit`. */
export const boundOf = (ours: number, unit: string, aim?: Aim) => ({
  ours,
  unit,
  ...aimedAt(ours, aim, '<='),
})

/** The fields of a figure that says how many a second there are to be at least. */
export const paceOf = (perSecond: number[], aim: Aim) => ({
  ours: median(perSecond),
  unit: '/s',
  rounds: perSecond,
  ...aimedAt(median(perSecond), aim, '>='),
})

export function aimedAt(value: number, aim: Aim | undefined, sign: '>=' | '<=') {
  if (!aim) return { target: '' }
  const { reach, dream } = aim
  return {
    target: `${sign} ${reach}`,
    met: sign === '>=' ? value >= reach : value <= reach,
    ...(dream === undefined ? {} : { dream: `${sign} ${dream}` }),
  }
}
