import { setTimeout as wait } from 'node:timers/promises'
import type { WorkSource } from '../../src/core/work.ts'
import { openWorker } from '../../src/worker/loop.ts'

/** `cpuMs`: milliseconds of this process's processor time. */
export type Drained = { seconds: number; cpuMs: number; attempts: number; errors: string[] }

type Drainable = WorkSource & { idle(): Promise<void> }

const LOOK_MS = 5
const WITHIN_MS = 120_000

/** Runs a source until `attempts` has grown by `expected` and the results are written. Empties `errors`. */
export async function drain(
  source: Drainable,
  attempts: () => number,
  expected: number,
  errors: string[],
): Promise<Drained> {
  const before = attempts()
  const startedMs = performance.now()
  const used = process.cpuUsage()
  const worker = openWorker({ sources: [source], onError: (_, error) => errors.push(String(error)) })
  worker.start()
  worker.wake([source.name])
  while (attempts() - before < expected && performance.now() - startedMs < WITHIN_MS) await wait(LOOK_MS)
  await source.idle()
  const seconds = (performance.now() - startedMs) / 1000
  const { user, system } = process.cpuUsage(used)
  await worker.stop()
  return { seconds, cpuMs: (user + system) / 1000, attempts: attempts() - before, errors: errors.splice(0) }
}
