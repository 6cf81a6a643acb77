/** The tables of the model, as docs/growing.md has them. */
import { capacityOf, POINTS, predictOneWorkspace } from './capacity.ts'

const CORES = [2, 4, 8, 16, 32]
const ENDPOINTS = 2
/** A fast network disk and a slow one: the microseconds until a commit is on it. */
const DISKS = { fast: 500, slow: 5_000 }

const rounded = (value: number): string => {
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return (Math.round(value / digits) * digits).toLocaleString('en-US')
}
const row = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`

function pointsTable(): string {
  const shown = (value: number): string => (value < 10 ? value.toFixed(2) : rounded(value))
  return [
    row(['point', 'measured', 'model', 'difference']),
    row(['---', '---', '---', '---']),
    ...POINTS.map(({ label, measured, predicted }) =>
      row([label, shown(measured), shown(predicted), `${Math.round((predicted / measured - 1) * 100)} %`]),
    ),
  ].join('\n')
}

function capacityTable(): string {
  const header = [
    'cores of PostgreSQL',
    'messages a day',
    'messages a second at the peak',
    'processes',
    'connections',
  ]
  return [
    row([...header, 'agents at work', 'GB of messages a day', 'GB of log']),
    row(Array.from({ length: header.length + 3 }, () => '---')),
    ...CORES.map((databaseCores) => {
      const capacity = capacityOf({ databaseCores, endpoints: ENDPOINTS })
      return row([
        databaseCores,
        rounded(capacity.messagesPerDay),
        rounded(capacity.messagesPerSecond),
        capacity.processes,
        capacity.connections,
        rounded(capacity.agents),
        rounded(capacity.gigabytesPerDay),
        rounded(capacity.gigabytesOfLog),
      ])
    }),
  ].join('\n')
}

const tables = (): Record<string, string> => ({
  'model points': pointsTable(),
  'model capacity': capacityTable(),
  'model workspace': `One workspace accepts up to ${rounded(predictOneWorkspace({ diskUs: DISKS.fast }))} sends a second on a disk that takes ${DISKS.fast / 1_000} ms for a commit, and ${rounded(predictOneWorkspace({ diskUs: DISKS.slow }))} on one that takes ${DISKS.slow / 1_000} ms.`,
})

/** Returns a page with the tables of today in their places: `<!-- NAME -->` to `<!-- end -->`. */
export function withModel(page: string): string {
  return Object.entries(tables()).reduce((text, [name, table]) => {
    const place = new RegExp(`<!-- ${name} -->\n[^]*?<!-- end -->`)
    if (!place.test(text)) throw new Error(`The page has no place for ${name}.`)
    return text.replace(place, `<!-- ${name} -->\n\n${table}\n\n<!-- end -->`)
  }, page)
}
