/** The run that the write goals share: a bare loop over the driver and the service under load, in turn. */
import type { BareResult } from '../processes/bare-sql.ts'
import type { LoadResult, Template } from '../processes/load.ts'
import type { Arena } from './arena.ts'
import type { BareShape } from './bare-shapes.ts'
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
  /** Processor time of the server while it was under load, in percent of one core. */
  cpuPercent: number
  oddAnswer: string | undefined
  /** Runs load that counts in the ledger but in no figure. */
  more(plan: { connections: number; seconds: number; perSecond?: number }): Promise<LoadResult>
}

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
  const runBare = async () => (await bare.ask<BareResult>('run', { seconds: roundSeconds })).perSecond
  const p50s: number[] = []
  const p99s: number[] = []
  const cpu: number[] = []
  const runOurs = async () => {
    const before = await service.use()
    const result = await more({ connections: run.connections, seconds: roundSeconds })
    cpu.push(((await service.use()).cpuMs - before.cpuMs) / (result.seconds * 10))
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
    cpuPercent: median(cpu),
    more,
  })
}
