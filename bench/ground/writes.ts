/** The runs that the write goals share: a bare loop over the driver and the service under load, in turn. */
import type { BareResult } from '../processes/bare-sql.ts'
import type { LoadResult, Template } from '../processes/load.ts'
import type { Ledger } from '../report.ts'
import type { Arena } from './arena.ts'
import type { BareShape } from './bare-shapes.ts'
import { databaseCpuMs } from './database-use.ts'
import { alternate, type Rounds } from './rounds.ts'
import type { Load, Service } from './service.ts'
import { median } from './statistics.ts'
import { type Waiting, watchWaiting } from './waiting.ts'

const BARE_CONNECTIONS = 32

const micros = (beforeMs: number | undefined, afterMs: number | undefined, count: number): number =>
  beforeMs === undefined || afterMs === undefined ? Number.NaN : ((afterMs - beforeMs) * 1000) / count
const medianMicros = (values: number[]): string => `${Math.round(median(values))} us`

/**
 * The bare loop: one statement of `shape` for each row. `micros` is the database's processor time for a row,
 * in each run.
 */
export type Bare = { run(seconds: number): Promise<number>; micros: number[]; stop(): Promise<void> }

export async function openBare(arena: Arena, shape: BareShape): Promise<Bare> {
  const database = await arena.database(`bare_${shape}`, true)
  const child = arena.child('bare-sql')
  await child.ask('open', { url: database.url, connections: BARE_CONNECTIONS, shape })
  await child.ask('run', { seconds: 1 })
  const spent: number[] = []
  return {
    run: async (seconds) => {
      const before = databaseCpuMs(arena.folder)
      const { count, perSecond } = await child.ask<BareResult>('run', { seconds })
      spent.push(micros(before, databaseCpuMs(arena.folder), count))
      return perSecond
    },
    micros: spent,
    stop: child.stop,
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
  /** Processor time of each request in microseconds, which other load on the machine hardly affects. */
  cost: string
  waiting: Waiting
}

export type Loaded = { service: Service; load: Load; target: Target }

/**
 * Loads a target over the given number of connections, in turn with the bare loop. `short` rounds are for
 * additional rows.
 */
export async function measureWrites(
  arena: Arena,
  bare: Bare,
  { service, load, target }: Loaded,
  { connections, short = false }: { connections: number; short?: boolean },
): Promise<WriteReport> {
  const seconds = (arena.quick ? 2 : 5) / (short ? 2 : 1)
  const watch = watchWaiting(arena, { server: service, generator: load }, service)
  const p50s: number[] = []
  const p99s: number[] = []
  const spent = { service: [] as number[], database: [] as number[] }
  const runOurs = async () => {
    const before = await service.cpuMs()
    const databaseBefore = databaseCpuMs(arena.folder)
    const result = await watch.during(() => target.run({ connections, seconds }))
    spent.service.push(micros(before, await service.cpuMs(), result.issued))
    spent.database.push(micros(databaseBefore, databaseCpuMs(arena.folder), result.issued))
    p50s.push(result.latency.p50Ms)
    p99s.push(result.latency.p99Ms)
    return result.accepted / result.seconds
  }
  await target.run({ connections, seconds: seconds * 0.6 })
  const bareBefore = bare.micros.length
  const rounds = await alternate(arena.quick ? 2 : 5, () => bare.run(seconds), runOurs)
  return {
    ...rounds,
    p50Ms: median(p50s),
    p99Ms: median(p99s),
    cost: `processor time a request: ${medianMicros(spent.service)} in the server + ${medianMicros(spent.database)} in the database (bare: ${medianMicros(bare.micros.slice(bareBefore))})`,
    waiting: watch.read(),
  }
}

/** Describes the duration and cost of answers for a note. */
export const timesText = ({ p50Ms, p99Ms, cost }: WriteReport): string =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${cost}`
