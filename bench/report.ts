/** The report of a goal, and its text for people. */
import type { Profile } from './ground/self-time.ts'
import type { BatchUse, Waiting } from './ground/waiting.ts'

/** Accounts for every item: `parts` must add up to `whole`. */
export type Ledger = { what: string; whole: number; parts: Record<string, number> }

export type Figure = {
  /** The number in docs/reliability.md section 4. */
  goal: string
  what: string
  denominator?: string
  bare?: number
  ours: number
  unit: string
  ratio?: number
  /** As text, such as `>= 0.8`. */
  target: string
  /** Its value in the best case, as text. */
  dream?: string
  /** Undefined: the figure has no target. */
  met?: boolean
  /** Ratio (or figure) of each round. */
  rounds?: number[]
  ledgers?: Ledger[]
  notes?: string[]
  /** Which parts worked and which waited while ours was measured. */
  waiting?: Waiting
}

export type GoalReport = { figures: Figure[]; profiles?: Profile[]; skipped?: string }

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

export const balances = (ledger: Ledger): boolean => sumOf(Object.values(ledger.parts)) === ledger.whole

/** A figure counts only if all its ledgers balance. */
export const verdictOf = (figure: Figure): 'met' | 'missed' | 'void' | 'no target' =>
  !(figure.ledgers ?? []).every(balances)
    ? 'void'
    : figure.met === undefined
      ? 'no target'
      : figure.met
        ? 'met'
        : 'missed'

const number = (value: number | undefined): string => {
  if (value === undefined) return ''
  if (!Number.isFinite(value)) return '-'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}

const COLUMNS = ['goal', 'what', 'denominator', 'bare', 'ours', 'unit', 'ratio', 'target', 'dream', 'verdict']
const TO_THE_RIGHT = ['bare', 'ours', 'ratio']

/** Returns the figures as a table for people, with ledgers, notes, and profiles below it. */
export function tableOf(figures: Figure[]): string {
  const rows = figures.map((figure) => [
    figure.goal,
    figure.what,
    figure.denominator ?? '',
    number(figure.bare),
    number(figure.ours),
    figure.unit,
    number(figure.ratio),
    figure.target,
    figure.dream ?? '',
    verdictOf(figure),
  ])
  const widths = COLUMNS.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) =>
        TO_THE_RIGHT.includes(COLUMNS[i]!) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!),
      )
      .join('  ')
      .trimEnd()
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

export function ledgerLines(figure: Figure): string[] {
  return (figure.ledgers ?? []).map((ledger) => {
    const parts = Object.entries(ledger.parts).map(([name, count]) => `${count} ${name}`)
    return `${ledger.what}: ${ledger.whole} = ${parts.join(' + ')}${balances(ledger) ? '' : '   DOES NOT BALANCE: void'}`
  })
}

export function profileText(profile: Profile): string {
  const share = (percent: number) => `  ${percent.toFixed(1).padStart(5)} %  `
  const rooms = (profile.rooms ?? []).map(({ percent, room }) => share(percent) + room)
  return [
    profile.file,
    ...profile.top.map(({ percent, name, place }) => `${share(percent)}${name}  ${place}`),
    ...(rooms.length > 0 ? ['  the same by package or file:', ...rooms] : []),
  ].join('\n')
}

const percents = (values: number[]): string => `${values.map((value) => Math.round(value)).join(' and ')} %`

const batchText = ({ calls, roundTrips, waitMs, inFlight }: BatchUse): string =>
  [
    `a batch has ${number(calls)} calls`,
    ...(roundTrips === undefined ? [] : [`${number(roundTrips)} round trips`]),
    `${number(inFlight)} are in flight`,
    `a call waits ${number(waitMs)} ms for its batch`,
  ].join(', ')

/**
 * Returns the percentage of one core that is neither idle nor used by a part of the run: the system, and
 * other programs.
 */
const percentOfOthers = ({ cores, parts }: Waiting): number =>
  Math.max(0, sumOf(cores.map(({ idle }) => 100 - idle)) - sumOf(Object.values(parts)))

/** Describes which parts worked and which waited. */
function describeWaiting(waiting: Waiting): string {
  const { cores, parts, batches } = waiting
  const shares = Object.entries(parts).map(([name, percent]) => `the ${name} ${percents([percent])}`)
  return [
    `cores idle ${percents(cores.map(({ idle }) => idle))} (waiting for the disk ${percents(cores.map(({ disk }) => disk))})`,
    `of one core ${shares.join(', ')}, all others ${percents([percentOfOthers(waiting)])}`,
    ...(batches ? [batchText(batches)] : []),
  ].join('; ')
}

/** Returns a line for each row; figures of one row share their waiting, which the first of them shows. */
export const waitingLines = (figures: Figure[]): string[] =>
  figures.flatMap(({ goal, what, waiting }, i) =>
    waiting && figures.findIndex((figure) => figure.waiting === waiting) === i
      ? [`${goal}  ${what}: ${describeWaiting(waiting)}`]
      : [],
  )

const IDLE_LITTLE = 12
const DISK_MUCH = 15
const THREAD_FULL = 88
/** Percent of all cores. */
const OTHERS_MUCH = 25
/** The database runs on as many cores as there are. */
const MANY_THREADS = 'database'

/** Returns the bottleneck of a figure, as far as the waiting shows it. */
export function boundBy(waiting: Waiting): string {
  const { cores, parts } = waiting
  const meanOf = (read: (core: Waiting['cores'][number]) => number) =>
    sumOf(cores.map(read)) / Math.max(1, cores.length)
  const [dearest] = Object.entries(parts).toSorted(([, a], [, b]) => b - a)
  const full = Object.entries(parts).find(
    ([name, percent]) => name !== MANY_THREADS && percent >= THREAD_FULL,
  )
  if (meanOf(({ disk }) => disk) >= DISK_MUCH) return 'the disk'
  if (full) return `the processor: the one thread of the ${full[0]} is full`
  if (meanOf(({ idle }) => idle) <= IDLE_LITTLE)
    return percentOfOthers(waiting) / cores.length >= OTHERS_MUCH
      ? `what else the machine does: it takes ${percents([percentOfOthers(waiting)])} of a core`
      : `the processor: no core is idle, and the ${dearest?.[0] ?? 'machine'} takes the largest part`
  return `waiting: cores are idle for ${percents([meanOf(({ idle }) => idle)])} of the time, and no thread is full`
}

const TOP_OF_EACH = 5

/**
 * Returns the bottlenecks of a goal's figures that miss their target, with the most expensive functions on
 * each side if profiled.
 */
export function shortText({ figures, profiles = [] }: GoalReport): string[] {
  const short = figures.filter((figure) => verdictOf(figure) === 'missed')
  if (short.length === 0) return []
  return [
    ...short.map(({ goal, what, waiting }) => {
      const bound = waiting ? `bound by ${boundBy(waiting)}` : 'what binds it was not watched'
      return `${goal}  ${what}: short; ${bound}`
    }),
    ...profiles.map((profile) =>
      profileText({ file: profile.file, top: profile.top.slice(0, TOP_OF_EACH) }).replaceAll(/^/gm, '    '),
    ),
  ]
}
