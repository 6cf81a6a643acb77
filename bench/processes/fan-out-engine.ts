/** Runs only the fan-out, composed as in the service: no process submits the queued messages. */
import { systemClock } from '../../src/core/clock.ts'
import type { Database } from '../../src/core/context.ts'
import type { OpenDatabase } from '../../src/database/database.ts'
import { fanOutSource } from '../../src/modules/messaging/broadcasts/work/fan-out-source.ts'
import { createDirectory } from '../../src/modules/platform/workspaces/directory.ts'
import { answerParent } from '../ground/answers.ts'
import { beginProfile, endProfile } from '../ground/self-time.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'
import { durations, type Latency } from '../ground/statistics.ts'

/** `steps`: the durations of the transactions. */
export type FannedOut = { seconds: number; cpuMs: number; steps: Latency; errors: string[] }

let database: OpenDatabase
let source: ReturnType<typeof fanOutSource>
let steps = durations()
const errors: string[] = []

const withTimings = (inner: Database): Database => ({
  ...inner,
  tenant: async (workspaces, work) => {
    const startedMs = performance.now()
    try {
      return await inner.tenant(workspaces, work)
    } finally {
      steps.add(performance.now() - startedMs)
    }
  },
})

answerParent({
  open: ({ databaseUrl }: { databaseUrl: string }) => {
    const onError = (error: unknown) => errors.push(String(error))
    database = openSilentDatabase(databaseUrl, 4, onError)
    const directory = createDirectory(database.query, systemClock)
    directory.setListening(true)
    source = fanOutSource({
      database: withTimings(database),
      clock: systemClock,
      workspaces: directory.workspaces,
      onError,
    })
  },
  /** Works until no row is due. */
  fanOut: async (): Promise<FannedOut> => {
    steps = durations()
    const startedMs = performance.now()
    const used = process.cpuUsage()
    while ((await source.runDue({})) > 0);
    const { user, system } = process.cpuUsage(used)
    const seconds = (performance.now() - startedMs) / 1000
    return { seconds, cpuMs: (user + system) / 1000, steps: steps.read(), errors: errors.splice(0) }
  },
  beginProfile,
  endProfile,
  stop: () => database.close(),
})
