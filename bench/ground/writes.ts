/** The runs that the write goals share: a bare loop over the driver and the service under load, in turn. */
import type { BareResult } from '../processes/bare-sql.ts'
import type { LoadResult, Template } from '../processes/load.ts'
import type { Ledger } from '../report.ts'
import type { Arena } from './arena.ts'
import type { BareShape } from './bare-shapes.ts'
import { type DatabaseUse, watchDatabase } from './database-use.ts'
import { type Aim, alternate, type Rounds, withAim } from './rounds.ts'
import type { Load, Service } from './service.ts'
import { median } from './statistics.ts'
import { type Waiting, watchWaiting } from './waiting.ts'

const BARE_CONNECTIONS = 32

/** Processor time of one request in microseconds; `upkeep` is the part of the database that is counted apart. */
export type Cost = { server: number; database: number; upkeep: number }

/** Measures the processor time of the database for one of `count` requests. */
async function costDuring(
  use: () => DatabaseUse,
  work: () => Promise<number>,
): Promise<{ database: number; upkeep: number }> {
  const before = use()
  const count = await work()
  const after = use()
  const micros = (part: keyof DatabaseUse) => ((after[part] - before[part]) * 1_000) / count
  return { database: micros('requestsMs'), upkeep: micros('upkeepMs') }
}

/**
 * The bare loop: one statement of `shape` for each row, over at most `connections`. `costs` is the database's
 * processor time for a row, in each run.
 */
export type Bare = {
  run(seconds: number, connections?: number): Promise<number>
  costs: { database: number; upkeep: number }[]
  stop(): Promise<void>
}

export async function openBare(arena: Arena, shape: BareShape): Promise<Bare> {
  const database = await arena.database(`bare_${shape}`, true)
  const child = arena.child('bare-sql')
  await child.ask('open', { url: database.url, connections: BARE_CONNECTIONS, shape })
  const watch = watchDatabase(arena.folder)
  const costs: Bare['costs'] = []
  const run = async (seconds: number, connections = BARE_CONNECTIONS): Promise<number> => {
    let pace = 0
    const cost = await costDuring(watch.use, async () => {
      const { count, perSecond } = await child.ask<BareResult>('run', { seconds, connections })
      pace = perSecond
      return count
    })
    costs.push(cost)
    return pace
  }
  await run(1)
  return {
    run,
    costs,
    stop: async () => {
      watch.end()
      await child.stop()
    },
  }
}

export type Counts = {
  issued: number
  accepted: number
  refused: number
  lost: number
  /** The first answer that was not a success. */
  oddAnswer: string | undefined
}

/** A service under load, with the outcome of every request to it. */
export type Target = {
  counts: Counts
  /** Returns the load's own result and how many of its requests were accepted. */
  run(plan: {
    connections: number
    seconds: number
    perSecond?: number
    max?: number
  }): Promise<LoadResult & { accepted: number }>
}

/** Opens a target. `success` is the status of an accepted request. */
export function openTarget(
  service: { port: number },
  load: Load,
  { templates, success }: { templates: Template[]; success: number },
): Target {
  const counts: Counts = { issued: 0, accepted: 0, refused: 0, lost: 0, oddAnswer: undefined }
  return {
    counts,
    run: async (plan) => {
      const result = await load.run({ ...plan, port: service.port, templates })
      const accepted = result.statuses[success] ?? 0
      counts.accepted += accepted
      counts.lost += result.lost
      counts.issued += result.issued
      counts.refused += Object.values(result.statuses).reduce((sum, count) => sum + count, 0) - accepted
      counts.oddAnswer ??= result.oddAnswer
      return { ...result, accepted }
    },
  }
}

export const requestLedger = ({ issued, accepted, refused, lost }: Counts): Ledger => ({
  what: 'requests',
  whole: issued,
  parts: { accepted, refused, lost },
})

export const oddNotes = ({ oddAnswer }: Counts): string[] =>
  oddAnswer ? [`first refusal: ${oddAnswer}`] : []

export type WriteReport = Rounds & {
  p50Ms: number
  p99Ms: number
  /** The connections of the bare loop. */
  bareConnections: number
  /** Medians of the processor time of a request, which other load on the machine hardly affects. */
  cost: Cost
  /** The same of a bare statement, which has no server. */
  bareCost: Cost
  /** The cost of a request compared with the bare statement, in each round. */
  costRatios: number[]
  waiting: Waiting
}

export type Loaded = { service: Service; load: Load; target: Target }

const medianCost = (costs: Cost[]): Cost => ({
  server: median(costs.map(({ server }) => server)),
  database: median(costs.map(({ database }) => database)),
  upkeep: median(costs.map(({ upkeep }) => upkeep)),
})

/**
 * Loads a target over the given number of connections, in turn with the bare loop over as many, at most 32.
 * `short` rounds are for additional rows.
 */
export async function measureWrites(
  arena: Arena,
  bare: Bare,
  { service, load, target }: Loaded,
  { connections, short = false }: { connections: number; short?: boolean },
): Promise<WriteReport> {
  const seconds = (arena.quick ? 2 : 5) / (short ? 2 : 1)
  const bareConnections = Math.min(connections, BARE_CONNECTIONS)
  const watch = watchWaiting(arena, { server: service, generator: load }, service)
  const databaseWatch = watchDatabase(arena.folder)
  const p50s: number[] = []
  const p99s: number[] = []
  const costs: Cost[] = []
  const runOurs = async () => {
    let pace = 0
    // Inside the watch, so that its reading of the metrics does not count.
    const runOnce = async (): Promise<number> => {
      const result = await target.run({ connections, seconds })
      p50s.push(result.latency.p50Ms)
      p99s.push(result.latency.p99Ms)
      pace = result.accepted / result.seconds
      return result.issued
    }
    await watch.during(async () => {
      const before = await service.cpuMs()
      let issued = 0
      const database = await costDuring(databaseWatch.use, async () => (issued = await runOnce()))
      costs.push({ server: (((await service.cpuMs()) - before) * 1_000) / issued, ...database })
    })
    return pace
  }
  await target.run({ connections, seconds: seconds * 0.6 })
  const bareBefore = bare.costs.length
  const runBare = () => bare.run(seconds, bareConnections)
  const rounds = await alternate(arena.quick ? 2 : 5, runBare, runOurs)
  databaseWatch.end()
  const bareCosts = bare.costs.slice(bareBefore).map((cost) => ({ server: 0, ...cost }))
  return {
    ...rounds,
    p50Ms: median(p50s),
    p99Ms: median(p99s),
    bareConnections,
    cost: medianCost(costs),
    bareCost: medianCost(bareCosts),
    costRatios: costs.map(({ server, database }, i) => (server + database) / bareCosts[i]!.database),
    waiting: watch.read(),
  }
}

const microsText = (micros: number): string => `${Math.round(micros)} us`

/** Describes the processor time of a request and of the bare statement for a note. */
export const costText = ({ cost, bareCost }: WriteReport): string =>
  `processor time a request: ${microsText(cost.server)} in the server + ${microsText(cost.database)} in the database (bare: ${microsText(bareCost.database)}); apart from it, autovacuum, WAL writer, and checkpoints: ${microsText(cost.upkeep)} (bare: ${microsText(bareCost.upkeep)})`

/** Describes the duration and cost of answers for a note. */
export const timesText = (report: WriteReport): string =>
  `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms, ${costText(report)}`

/** Returns the fields of a figure that compares the processor time of a request with the bare statement's. */
export const costOf = ({ cost, bareCost, costRatios }: WriteReport, aim?: Aim) => ({
  bare: bareCost.database,
  ours: cost.server + cost.database,
  unit: 'us',
  ratio: median(costRatios),
  rounds: costRatios,
  ...withAim(median(costRatios), aim, '<='),
})
