/** Compares the cost of a list's page on two sides, one with few rows and one with many, in turn. */
import type { Template } from '../processes/load.ts'
import type { Figure, Ledger } from '../report.ts'
import type { Arena } from './arena.ts'
import { alternate } from './rounds.ts'
import { type Load, makeLoad, type Service } from './service.ts'
import { median } from './statistics.ts'

/** A workspace with many or few rows, and the requests for each page by name. */
export type Side = { service: Service; pages: Record<string, Template[]> }

type Comparison = {
  goal: string
  page: string
  small: Side
  large: Side
  /** Requests of a round. */
  max: number
  denominator: string
  /** The maximum ratio of the median times. */
  target: number
  /** The maximum p99 of the large side in milliseconds, if that is a goal too. */
  p99Ms?: number
  /** In addition to the ledger of answers. */
  ledgers?: Ledger[]
}

async function comparePage(arena: Arena, load: Load, comparison: Comparison): Promise<Figure[]> {
  const { goal, page, small, large, denominator } = comparison
  const counts = { issued: 0, accepted: 0 }
  const p99s: number[] = []
  const p50 = async ({ service, pages }: Side) => {
    const plan = {
      port: service.port,
      connections: 1,
      seconds: 60,
      max: comparison.max,
      templates: pages[page]!,
    }
    const result = await load.run(plan)
    counts.issued += result.issued
    counts.accepted += result.statuses[200] ?? 0
    if (result.oddAnswer) arena.say(`  ${page}: ${result.oddAnswer}`)
    if (service === large.service) p99s.push(result.latency.p99Ms)
    return result.latency.p50Ms
  }
  await p50(small)
  await p50(large)
  p99s.length = 0
  const rounds = await alternate(
    arena.quick ? 2 : 5,
    () => p50(small),
    () => p50(large),
  )
  const answered: Ledger = { what: page, whole: counts.issued, parts: { 'answered 200': counts.accepted } }
  const ledgers = [answered, ...(comparison.ledgers ?? [])]
  const figures: Figure[] = [
    {
      goal,
      what: `p50, ${page}`,
      denominator,
      bare: rounds.bare,
      ours: rounds.ours,
      unit: 'ms',
      ratio: rounds.ratio,
      target: `<= ${comparison.target}`,
      met: rounds.ratio <= comparison.target,
      rounds: rounds.ratios,
      ledgers,
    },
  ]
  if (comparison.p99Ms !== undefined) {
    const p99Ms = median(p99s)
    figures.push({
      goal,
      what: `p99, ${page}`,
      ours: p99Ms,
      unit: 'ms',
      target: `<= ${comparison.p99Ms} ms`,
      met: p99Ms <= comparison.p99Ms,
      ledgers,
    })
  }
  return figures
}

const SMALL = 10_000

/**
 * Opens a side with many rows (`options.rows`) and one with few, compares each of their pages, and stops both.
 */
export async function compareSides<Own extends Side>(
  arena: Arena,
  options: Pick<Comparison, 'goal' | 'max' | 'target'> & { rows: number },
  open: (rows: number) => Promise<Own>,
  /** The page's own limits and ledgers. */
  limitsOf: (page: string, sides: Own[]) => Pick<Comparison, 'p99Ms' | 'ledgers'>,
): Promise<Figure[]> {
  const large = await open(options.rows)
  const small = await open(SMALL)
  const comparison = { ...options, small, large, denominator: `the same among ${SMALL}` }
  const load = makeLoad(arena)
  const figures: Figure[] = []
  for (const page of Object.keys(small.pages))
    figures.push(
      ...(await comparePage(arena, load, { ...comparison, page, ...limitsOf(page, [small, large]) })),
    )
  for (const { service } of [small, large]) await service.stop()
  await load.stop()
  return figures
}
