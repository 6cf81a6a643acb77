/** The run that the write goals share: a bare loop over the driver and the service under load, in turn. */
import type { BareResult } from '../processes/bare-sql.ts'
import type { LoadResult, Template } from '../processes/load.ts'
import type { Arena } from './arena.ts'
import type { BareShape } from './bare-shapes.ts'
import { databaseCpuMs } from './database-use.ts'
import { alternate, type Rounds } from './rounds.ts'
import type { Load, Service } from './service.ts'
import { median } from './statistics.ts'

const BARE_CONNECTIONS = 32

export type WriteRun = {
  service: Service
  load: Load
  shape: BareShape
  templates: Template[]
  connections: number
  /** Status of an accepted request. */
  success: number
}

export type WriteReport = Rounds & {
  accepted: number
  refused: number
  lost: number
  issued: number
  p50Ms: number
  p99Ms: number
  /** Processor time of each request, in microseconds: hardly touched by what else the machine does. */
  cost: string
  oddAnswer: string | undefined
  /** Runs load that counts in the ledger but in no figure. */
  more(plan: { connections: number; seconds: number; perSecond?: number }): Promise<LoadResult>
}

const micros = (beforeMs: number | undefined, afterMs: number | undefined, count: number): number =>
  beforeMs === undefined || afterMs === undefined ? Number.NaN : ((afterMs - beforeMs) * 1000) / count
const times = (values: number[]): string => `${Math.round(median(values))} us`

/** Runs the rounds. The counts go on growing with `more`. */
export async function runWrites(arena: Arena, run: WriteRun): Promise<WriteReport> {
  const { load, service, templates } = run
  const roundSeconds = arena.quick ? 2 : 5
  const bareDatabase = await arena.database(`bare_${run.shape}`, true)
  const bare = arena.child('bare-sql')
  await bare.ask('open', { url: bareDatabase.url, connections: BARE_CONNECTIONS, shape: run.shape })

  const report = { accepted: 0, refused: 0, lost: 0, issued: 0, oddAnswer: undefined as string | undefined }
  const more: WriteReport['more'] = async (plan) => {
    const result = await load.run({ ...plan, port: service.port, templates })
    const accepted = result.statuses[run.success] ?? 0
    report.accepted += accepted
    report.lost += result.lost
    report.issued += result.issued
    report.refused += Object.values(result.statuses).reduce((sum, count) => sum + count, 0) - accepted
    report.oddAnswer ??= result.oddAnswer
    return result
  }
  const runBare = async () => {
    const before = databaseCpuMs(arena.folder)
    const { count, perSecond } = await bare.ask<BareResult>('run', { seconds: roundSeconds })
    spent.bareDatabase.push(micros(before, databaseCpuMs(arena.folder), count))
    return perSecond
  }
  const p50s: number[] = []
  const p99s: number[] = []
  const spent = { service: [] as number[], database: [] as number[], bareDatabase: [] as number[] }
  const runOurs = async () => {
    const before = (await service.use()).cpuMs
    const databaseBefore = databaseCpuMs(arena.folder)
    const result = await more({ connections: run.connections, seconds: roundSeconds })
    spent.service.push(micros(before, (await service.use()).cpuMs, result.issued))
    spent.database.push(micros(databaseBefore, databaseCpuMs(arena.folder), result.issued))
    p50s.push(result.latency.p50Ms)
    p99s.push(result.latency.p99Ms)
    return (result.statuses[run.success] ?? 0) / result.seconds
  }
  await bare.ask('run', { seconds: 1 })
  await more({ connections: run.connections, seconds: arena.quick ? 1.5 : 3 })
  const rounds = await alternate(arena.quick ? 2 : 5, runBare, runOurs)
  await bare.stop()
  return Object.assign(report, rounds, {
    p50Ms: median(p50s),
    p99Ms: median(p99s),
    cost: `processor time a request: ${times(spent.service)} in the server + ${times(spent.database)} in the database (bare: ${times(spent.bareDatabase)})`,
    more,
  })
}
