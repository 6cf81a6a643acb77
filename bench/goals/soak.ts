import { watchMemory } from '../ground/memory-watch.ts'
import type { Service } from '../ground/service.ts'
import type { WriteReport } from '../ground/writes.ts'
import type { Figure } from '../report.ts'

const CONNECTIONS = 64

/** G1 at a steady pace for `minutes`: does memory grow, does work pile up? The first third may warm the process up. */
export async function soak(
  service: Service,
  report: WriteReport,
  perSecond: number,
  minutes: number,
): Promise<Figure[]> {
  const seconds = minutes * 60
  await service.tidy()
  const memory = watchMemory(service.use, 1_000, Math.min(30 * 60, seconds / 3))
  const result = await report.more({ connections: CONNECTIONS, seconds, perSecond })
  const used = memory.end()
  return [
    {
      goal: 'soak',
      what: `RSS slope over ${minutes} min at ${Math.round(perSecond)} sends/s`,
      ours: used.slopeMbPerHour,
      unit: 'MB/h',
      target: '<= 1 MB/h',
      met: used.slopeMbPerHour <= 1,
      notes: [`most ${Math.round(used.mostMb)} MB, at the end ${Math.round(used.lastMb)} MB`],
    },
    {
      goal: 'soak',
      what: 'answered late at the end (wanted minus done)',
      ours: Math.round(perSecond * seconds) - result.issued,
      unit: 'sends',
      target: '<= 1 s of load',
      met: perSecond * seconds - result.issued <= perSecond,
      notes: [`p50 ${result.latency.p50Ms.toFixed(1)} ms, p99 ${result.latency.p99Ms.toFixed(1)} ms`],
    },
  ]
}
