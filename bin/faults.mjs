import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runChild } from './run-child.mjs'

const USAGE = `npm run faults [-- options] [FILE …]
  --rounds N     how often each fault is played at most (default 20)
  --seconds N    about how long all of it may take (default 900)
  --accepted N   how many sends are to be acknowledged where that is counted (default 40000)
  --seed N       the seed of everything random (default: one for each fault, printed)
  --fuzz N       how many requests the fuzzer makes of each operation (default 60)
  FILE …         only tests whose path holds one of these`

/** The number of equal shares of the time: the faults of test/faults that run in rounds, and the models. */
const SHARES = 17
/** The time that a fault requires besides its rounds. */
const ONCE_SECONDS = 25

function readArguments(args) {
  const parsed = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '900' },
      seed: { type: 'string' },
      accepted: { type: 'string', default: '40000' },
      fuzz: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  })
  for (const name of ['rounds', 'seconds', 'accepted', 'fuzz'])
    if (!(Number(parsed.values[name]) > 0)) throw new Error(`--${name} takes a number`)
  return parsed
}

/**
 * Runs the fault suite (test/faults, the models, and the fuzzer) and ends with a table of results. Fails if
 * any part failed.
 */
export async function faults(root, node, args) {
  let parsed
  try {
    parsed = readArguments(args)
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    return { code: 2, signal: null }
  }
  const { values, positionals } = parsed
  if (values.help) {
    console.log(USAGE)
    return { code: 0, signal: null }
  }
  const folder = mkdtempSync(join(tmpdir(), 'parley-faults-'))
  const file = join(folder, 'figures.jsonl')
  const perFault =
    positionals.length === 1 ? Number(values.seconds) : Number(values.seconds) / SHARES - ONCE_SECONDS
  const env = {
    ...process.env,
    FAULT_ROUNDS: values.rounds,
    FAULT_SECONDS: String(Math.max(5, Math.round(perFault))),
    FAULT_ACCEPTED: values.accepted,
    FAULT_FIGURES: file,
    FUZZ_RUNS: values.fuzz,
    ...(values.seed ? { TEST_SEED: values.seed } : {}),
  }
  const paths =
    positionals.length > 0
      ? positionals
      : ['test/faults/', 'test/models/', 'test/contract/fuzz.test.ts', 'test/contract/tenancy-crawl.test.ts']
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  try {
    // A fault that fails once counts as failed, so there are no retries.
    const { code, signal } = await runChild(node, [vitest, 'run', '--retry=0', '--maxWorkers=2', ...paths], {
      cwd: root,
      env,
    })
    const figures = existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : []
    console.log(tableOf(figures))
    return { code, signal }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const sum = (figures, name) => figures.reduce((total, figure) => total + (figure[name] ?? 0), 0)

function tableOf(figures) {
  const heads = [
    'rows',
    'fault',
    'rounds',
    'kills',
    'accepted',
    'lost',
    'doubled',
    'events missing',
    'recovery ms',
  ]
  const total = Object.fromEntries(
    ['rounds', 'kills', 'accepted', 'lost', 'doubled', 'eventsMissing'].map((name) => [
      name,
      sum(figures, name),
    ]),
  )
  const lines = [heads, ...figures.map(cellsOf), cellsOf({ rows: '', fault: 'in all', ...total })]
  const widths = heads.map((_, i) => Math.max(...lines.map((cells) => cells[i].length)))
  const table = lines.map((cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd(),
  )
  const notes = figures.filter(({ note }) => note).map(({ fault, note }) => `${fault}: ${note}`)
  return ['', ...table, ...notes].join('\n')
}

const cellsOf = ({ rows, fault, rounds, kills, accepted, lost, doubled, eventsMissing, recoveriesMs }) => [
  rows,
  fault,
  ...[rounds, kills, accepted, lost, doubled, eventsMissing].map((count) =>
    count === undefined ? '' : String(count),
  ),
  recoveriesMs?.length > 0 ? spreadOf(recoveriesMs) : '',
]

/** Returns the median and the maximum. */
function spreadOf(times) {
  const sorted = [...times].sort((a, b) => a - b)
  return `${sorted[Math.floor(sorted.length / 2)]}, at most ${sorted.at(-1)}`
}
