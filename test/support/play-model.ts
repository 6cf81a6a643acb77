/**
 * Random commands against the service and against a plain model of it that is written from the specification (docs/reliability.md
 * section 3). Whatever the two answer differently is shrunk to the shortest list of commands that shows it.
 */
import fc from 'fast-check'
import { recordFigures, roundsOf } from './fault-run.ts'
import { seedOf } from './seed.ts'

/** Runs beside each other: their requests meet in the lists that the service makes of what arrives together. */
const LANES = 4

/** What is played against each other: the model, and how to reach the service. */
export type Begun<Model, Real> = { model: Model; real: Real }

export type Play<Model extends object, Real, Setting> = {
  /** Names the seed and the figures. */
  what: string
  commands: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[]
  /** Commands of one run, at most. */
  longest: number
  /** Runs of each lane in one round; `npm test` plays one round. */
  runs: number
  /** What runs differ in from the start. */
  setting: fc.Arbitrary<Setting>
  /** Makes a model and a workspace of their own for a run. */
  begin(setting: Setting): Promise<Begun<Model, Real>>
  /** Compares all that there is at the end of a run. */
  end(model: Model, real: Real): Promise<void>
}

/** One command: what it is called, what it is given, and what it does and compares. `allowed` says whether it can come now. */
export const command = <Given, Model extends object, Real>(
  name: string,
  given: fc.Arbitrary<Given>,
  run: (model: Model, real: Real, given: Given) => Promise<void>,
  allowed: (model: Readonly<Model>, given: Given) => boolean = () => true,
): fc.Arbitrary<fc.AsyncCommand<Model, Real>> =>
  given.map((one) => ({
    check: (model) => allowed(model, one),
    run: (model, real) => run(model, real, one),
    toString: () => `${name} ${fc.stringify(one)}`,
  }))

/** Plays one round in `npm test`, more of them in `npm run faults`. What fails names the seed that plays it again (TEST_SEED). */
export async function playModel<Model extends object, Real, Setting>(
  play: Play<Model, Real, Setting>,
): Promise<void> {
  const seed = seedOf(play.what)
  let [runs, commands] = [0, 0]
  const property = fc.asyncProperty(
    play.setting,
    fc.commands(play.commands, { maxCommands: play.longest, size: 'max' }),
    async (setting, given) => {
      const begun = await play.begin(setting)
      await fc.asyncModelRun(() => begun, given)
      await play.end(begun.model, begun.real)
      runs++
      commands += [...given].length
    },
  )
  for (const round of roundsOf(1)) {
    const seeds = Array.from({ length: LANES }, (_, lane) => seed + (round - 1) * LANES + lane)
    const lanes = seeds.map((one) => fc.assert(property, { seed: one, numRuns: play.runs }))
    for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason
  }
  recordFigures({
    rows: 'models',
    what: play.what,
    rounds: runs,
    note: `${commands} commands`,
  })
}
