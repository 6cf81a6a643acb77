/**
 * Random commands against the service and against a simple model that is written from the specification
 * (docs/reliability.md section 3). When the two answer differently, the commands are shrunk to the shortest
 * list that reproduces it.
 */
import fc from 'fast-check'
import { recordFigures, roundsOf } from './fault-run.ts'
import { seedOf } from './seed.ts'

/** Parallel runs: their requests meet in the batches in which the service collects concurrent requests. */
const LANES = 4

/** The two sides of the comparison: the model, and the way to reach the service. */
export type Begun<Model, Real> = { model: Model; real: Real }

export type Play<Model extends object, Real, Setting> = {
  /** The name in the printed seed and figures. */
  name: string
  commands: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[]
  /** The maximum number of commands in a run. */
  longest: number
  /** Runs of each lane in one round; `npm test` plays one round. */
  runs: number
  /** The options in which runs differ from the start. */
  setting: fc.Arbitrary<Setting>
  /** Creates a model and a workspace for a run. */
  begin(setting: Setting): Promise<Begun<Model, Real>>
  /** Compares the whole state at the end of a run. */
  end(model: Model, real: Real): Promise<void>
}

/**
 * One command: its name, its input, and its action with the comparison. `isAllowed` decides whether it can come
 * next.
 */
export const command = <Given, Model extends object, Real>(
  name: string,
  inputs: fc.Arbitrary<Given>,
  run: (model: Model, real: Real, input: Given) => Promise<void>,
  allowed: (model: Readonly<Model>, isAllowed: Given) => boolean = () => true,
): fc.Arbitrary<fc.AsyncCommand<Model, Real>> =>
  inputs.map((input) => ({
    check: (model) => allowed(model, input),
    run: (model, real) => run(model, real, input),
    toString: () => `${name} ${fc.stringify(input)}`,
  }))

/**
 * Plays one round in `npm test`, more in `npm run faults`. A failure prints the seed that repeats it
 * (TEST_SEED).
 */
export async function playModel<Model extends object, Real, Setting>(
  play: Play<Model, Real, Setting>,
): Promise<void> {
  const seed = seedOf(play.name)
  let [runs, commands] = [0, 0]
  const property = fc.asyncProperty(
    play.setting,
    fc.commands(play.commands, { maxCommands: play.longest, size: 'max' }),
    async (setting, commandsRun) => {
      const started = await play.begin(setting)
      await fc.asyncModelRun(() => started, commandsRun)
      await play.end(started.model, started.real)
      runs++
      commands += [...commandsRun].length
    },
  )
  for (const round of roundsOf(1)) {
    const seeds = Array.from({ length: LANES }, (_, lane) => seed + (round - 1) * LANES + lane)
    const lanes = seeds.map((seed) => fc.assert(property, { seed, numRuns: play.runs }))
    for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason
  }
  recordFigures({
    rows: 'models',
    fault: play.name,
    rounds: runs,
    note: `${commands} commands`,
  })
}
