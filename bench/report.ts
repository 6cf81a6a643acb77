/** What a goal answers with, and how it is shown. */
import type { Profile } from './ground/self-time.ts'

/** Where everything went: `parts` must add up to `whole`. */
export type Ledger = { what: string; whole: number; parts: Record<string, number> }

export type Figure = {
  /** As docs/reliability.md section 4 numbers it. */
  goal: string
  what: string
  denominator?: string
  bare?: number
  ours: number
  unit: string
  ratio?: number
  /** In words, such as `>= 0.8`. */
  target: string
  /** Undefined: the figure has no target of its own. */
  met?: boolean
  /** Ratio (or figure) of each round. */
  rounds?: number[]
  ledgers?: Ledger[]
  notes?: string[]
}

export type GoalReport = { figures: Figure[]; profiles?: Profile[]; skipped?: string }

export const balances = (ledger: Ledger): boolean =>
  Object.values(ledger.parts).reduce((sum, part) => sum + part, 0) === ledger.whole

/** A figure counts only when all its ledgers balance. */
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

const COLUMNS = ['goal', 'what', 'denominator', 'bare', 'ours', 'unit', 'ratio', 'target', 'verdict']
const TO_THE_RIGHT = ['bare', 'ours', 'ratio']

/** The figures as a table for people, with ledgers, notes and profiles below it. */
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
