/** OpenTelemetry: compares the processor time of a send with exported traces with that of a send without any export. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Arena } from '../ground/arena.ts'
import { makeLoad, type Service, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import type { Figure } from '../report.ts'
import { seedSends } from './g1-sends.ts'
import type { Goal } from './goal.ts'

const CONNECTIONS = 64
const ONLY_TRACES = { OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
const sampled = (ratio: string) => ({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio })

const VARIANTS: { name: string; env: Record<string, string> }[] = [
  { name: 'traces of one message in a hundred', env: { ...ONLY_TRACES, ...sampled('0.01') } },
  { name: 'traces of all messages', env: ONLY_TRACES },
  { name: 'all traces, logs, and metrics', env: {} },
]

/** Starts a collector that accepts everything and reads nothing. */
async function startCollector() {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Measured = Figure & { ratio: number }

async function measureCost(arena: Arena): Promise<Figure[]> {
  const database = await arena.database('otel')
  const templates = await seedSends(database)
  const collector = await startCollector()
  const load = makeLoad(arena)
  const counts = { issued: 0, accepted: 0, lost: 0 }
  /** Returns microseconds of processor time of the server for each accepted send. */
  const costOfSend = async (service: Service, seconds = arena.quick ? 1 : 4): Promise<number> => {
    const before = await service.cpuMs()
    const result = await load.run({ port: service.port, connections: CONNECTIONS, seconds, templates })
    const accepted = result.statuses[200] ?? 0
    counts.issued += result.issued
    counts.accepted += accepted
    counts.lost += result.lost
    return (((await service.cpuMs()) - before) * 1_000) / accepted
  }
  const off = await startService(arena, database, { roles: 'web' })
  const variants = []
  for (const { name, env } of VARIANTS) {
    const started = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    variants.push({ name, service: await startService(arena, database, { roles: 'web', env: started }) })
  }
  const services = [off, ...variants.map(({ service }) => service)]
  for (const service of services) await costOfSend(service, arena.quick ? 1 : 3)
  const costs: number[][] = services.map(() => [])
  for (let round = 0; round < (arena.quick ? 2 : 5); round++)
    for (const [i, service] of services.entries()) costs[i]!.push(await costOfSend(service))
  for (const service of services) await service.stop()
  await load.stop()
  collector.close()
  const [bare, ...ours] = costs
  const { issued, ...parts } = counts
  return variants.map(({ name }, i): Measured => {
    const ratios = ours[i]!.map((cost, round) => cost / bare![round]!)
    return {
      goal: 'otel',
      what: `server for a send, ${name}`,
      denominator: 'the same without an export',
      bare: median(bare!),
      ours: median(ours[i]!),
      unit: 'us',
      ratio: median(ratios),
      rounds: ratios,
      target: '',
      ledgers: [{ what: 'requests', whole: issued, parts }],
    }
  })
}

export const measureOpenTelemetry: Goal = async (arena) => ({ figures: await measureCost(arena) })
