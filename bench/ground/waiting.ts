/**
 * Records the use of the machine by the parts of a run during a measurement: which worked, and which waited.
 */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { request } from 'undici'
import type { Arena } from './arena.ts'
import { databaseCpuMs } from './database-use.ts'

export type Waiting = {
  /**
   * Percent of each core's idle time; `disk` is the part of it during which a process waited for the disk.
   */
  cores: { idle: number; disk: number }[]
  /** Percent of one core's time used by each part of the run. */
  parts: Record<string, number>
  batches?: BatchUse | undefined
}

/** The batches of requests: calls in one batch, calls in flight, and how long a call waited for its batch. */
export type BatchUse = { calls: number; inFlight: number; waitMs: number; roundTrips?: number | undefined }

/** Totals since the machine started, in any unit. */
export type CoreTimes = { all: number; idle: number; disk: number }

/** Reads the cores' lines of /proc/stat: user nice system idle iowait irq softirq steal. */
export function readCoreTimes(stat: string): CoreTimes[] {
  return [...stat.matchAll(/^cpu\d+ (.+)$/gm)].map(([, line]) => {
    const times = line!.split(' ').slice(0, 8).map(Number)
    const [, , , idle = 0, disk = 0] = times
    return { all: times.reduce((sum, time) => sum + time, 0), idle: idle + disk, disk }
  })
}

function coreTimes(): CoreTimes[] {
  try {
    return readCoreTimes(readFileSync('/proc/stat', 'utf8'))
  } catch {
    // Only Linux reports waiting for the disk.
    return cpus().map(({ times }) => ({
      all: times.idle + times.user + times.nice + times.sys + times.irq,
      idle: times.idle,
      disk: 0,
    }))
  }
}

/** Totals of all routes since the process started. */
export type BatchTotals = { batches: number; calls: number; waitSeconds: number; seconds: number }

/** Reads the batches from the text of `GET /metrics`. */
export function readBatchTotals(metrics: string): BatchTotals {
  const total = (name: string) =>
    [...metrics.matchAll(new RegExp(`^parley_batch_${name}\\{.*\\} (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    )
  return {
    batches: total('requests_count'),
    calls: total('requests_sum'),
    waitSeconds: total('wait_seconds_total'),
    seconds: total('seconds_total'),
  }
}

type Part = { cpuMs(): Promise<number> }
/** A service that batches requests. `roundTrips` is missing if other code also uses the database. */
export type Gathering = { port: number; roundTrips?: (() => Promise<number>) | undefined }

type Moment = {
  atMs: number
  cores: CoreTimes[]
  cpuMs: Record<string, number>
  batches: BatchTotals | undefined
  roundTrips: number | undefined
}

export type WaitingWatch = {
  /** Runs work that counts. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Returns the use over all work so far. */
  read(): Waiting
}

const shareOf = (part: number, total: number): number => (total > 0 ? (part / total) * 100 : 0)

/** Watches the machine, the database, the named `parts`, and the batches of `gathering`. */
export function watchWaiting(arena: Arena, parts: Record<string, Part>, gathering?: Gathering): WaitingWatch {
  const spans: { before: Moment; after: Moment }[] = []
  const batchTotals = async (): Promise<BatchTotals | undefined> => {
    if (!gathering) return undefined
    const answer = await request(`http://127.0.0.1:${gathering.port}/metrics`)
    return readBatchTotals(await answer.body.text())
  }
  const partsCpuMs = async (): Promise<Record<string, number>> => {
    const used = await Promise.all(
      Object.entries(parts).map(async ([name, part]) => [name, await part.cpuMs()] as const),
    )
    return { ...Object.fromEntries(used), database: databaseCpuMs(arena.folder) ?? Number.NaN }
  }
  const readMoment = async (): Promise<Moment> => {
    const [batches, roundTrips] = [await batchTotals(), await gathering?.roundTrips?.()]
    return { batches, roundTrips, cpuMs: await partsCpuMs(), cores: coreTimes(), atMs: performance.now() }
  }
  /** Returns the growth of a value over all spans. */
  const growthOver = (read: (moment: Moment) => number): number =>
    spans.reduce((sum, { before, after }) => sum + read(after) - read(before), 0)

  const batchUse = (elapsedMs: number): BatchUse | undefined => {
    const batches = growthOver((moment) => moment.batches?.batches ?? 0)
    if (batches === 0) return undefined
    const calls = growthOver((moment) => moment.batches!.calls)
    return {
      calls: calls / batches,
      inFlight: (growthOver((moment) => moment.batches!.seconds) * 1_000) / elapsedMs,
      waitMs: (growthOver((moment) => moment.batches!.waitSeconds) * 1_000) / calls,
      roundTrips: gathering?.roundTrips ? growthOver((moment) => moment.roundTrips!) / batches : undefined,
    }
  }
  return {
    during: async (work) => {
      const before = await readMoment()
      try {
        return await work()
      } finally {
        spans.push({ before, after: await readMoment() })
      }
    },
    read: () => {
      const elapsedMs = growthOver((moment) => moment.atMs)
      const [first] = spans
      return {
        cores: (first?.before.cores ?? []).map((_, core) => {
          const total = growthOver((moment) => moment.cores[core]!.all)
          return {
            idle: shareOf(
              growthOver((moment) => moment.cores[core]!.idle),
              total,
            ),
            disk: shareOf(
              growthOver((moment) => moment.cores[core]!.disk),
              total,
            ),
          }
        }),
        parts: Object.fromEntries(
          Object.keys(first?.before.cpuMs ?? {}).map((name) => [
            name,
            shareOf(
              growthOver((moment) => moment.cpuMs[name]!),
              elapsedMs,
            ),
          ]),
        ),
        batches: batchUse(elapsedMs),
      }
    },
  }
}

/** This process, if it creates the load itself. */
export const thisProcess: Part = {
  cpuMs: async () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
}
