/**
 * Measures whether a check takes equally long for two classes of inputs: Welch's t over times in random
 * order, as dudect does. Interruptions give the times a long tail that hides differences. So t is also
 * computed over the times below several cuts, the same for both classes; the largest t counts.
 */

/**
 * A check of secrets with two classes of wrong inputs. `draw` creates a new, unique input of a class; only
 * `check` is timed.
 */
export type Race<Input> = {
  draw(second: boolean): Input
  check(input: Input): boolean | Promise<boolean>
}

export type Timing = {
  samples: number
  /** The largest |t| over all cuts. */
  t: number
  /** Medians of each class. */
  medianNs: [number, number]
}

/** The share of all times in a race below each cut. */
const CUTS = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1]
/**
 * Inputs are created in batches beforehand, so that creating an input does not disturb the timing of a check.
 */
const DRAWN_AT_ONCE = 500
/** The first calls run code that is not compiled yet. */
const WARM_UP_SHARE = 0.1

/** Times `samples` checks, each with a class that `random` chooses. */
export async function race<Input>(
  { draw, check }: Race<Input>,
  samples: number,
  random: () => number,
): Promise<Timing> {
  const times: [number[], number[]] = [[], []]
  const warmUp = Math.floor(samples * WARM_UP_SHARE)
  for (let done = 0; done < warmUp + samples; done += DRAWN_AT_ONCE) {
    const drawn = Array.from({ length: Math.min(DRAWN_AT_ONCE, warmUp + samples - done) }, () => {
      const second = random() < 0.5
      return { second, input: draw(second) }
    })
    for (const [i, { second, input }] of drawn.entries()) {
      const startedNs = process.hrtime.bigint()
      const answer = check(input)
      const isRight = answer instanceof Promise ? await answer : answer
      const ns = Number(process.hrtime.bigint() - startedNs)
      if (isRight) throw new Error('a wrong secret was taken for the right one')
      if (done + i >= warmUp) times[second ? 1 : 0].push(ns)
    }
  }
  const sorted = times.flat().sort((a, b) => a - b)
  const ts = CUTS.map((cut) => sorted[Math.ceil(cut * sorted.length) - 1] as number).map((max) =>
    Math.abs(welchT(...(times.map((own) => own.filter((ns) => ns <= max)) as [number[], number[]]))),
  )
  return { samples, t: Math.max(...ts), medianNs: [medianOf(times[0]), medianOf(times[1])] }
}

/** Returns the difference of two means, in standard errors of the difference. */
function welchT(first: number[], second: number[]): number {
  const [a, b] = [momentsOf(first), momentsOf(second)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / first.length + b.variance / second.length)
}

function momentsOf(values: number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / (values.length - 1) }
}

const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
