import { setTimeout as wait } from 'node:timers/promises'
import { median } from './statistics.ts'

export type Rounds = { bare: number; ours: number; ratio: number; ratios: number[] }

const BREATH_MS = 200

/**
 * Runs the baseline and ours in turn, so that other load on the machine affects both, and returns the
 * medians. The ratio is the median of the rounds' own ratios.
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

/** The target of a figure, and its value in the best case. */
export type Aim = { reach: number; dream?: number }

/** Returns the fields of a figure per second as a ratio to the baseline; without an aim it is only shown. */
export const rateOf = ({ bare, ours, ratio, ratios }: Rounds, aim?: Aim) => ({
  bare,
  ours,
  unit: '/s',
  ratio,
  rounds: ratios,
  ...withAim(ratio, aim, '>='),
})

/** Returns the fields of a figure with a maximum, in `unit`. */
export const boundOf = (ours: number, unit: string, aim?: Aim) => ({
  ours,
  unit,
  ...withAim(ours, aim, '<='),
})

/** Returns the fields of a figure with a minimum per second. */
export const paceOf = (perSecond: number[], aim: Aim) => ({
  ours: median(perSecond),
  unit: '/s',
  rounds: perSecond,
  ...withAim(median(perSecond), aim, '>='),
})

export function withAim(value: number, aim: Aim | undefined, sign: '>=' | '<=') {
  if (!aim) return { target: '' }
  const { reach, dream } = aim
  return {
    target: `${sign} ${reach}`,
    met: sign === '>=' ? value >= reach : value <= reach,
    ...(dream === undefined ? {} : { dream: `${sign} ${dream}` }),
  }
}
