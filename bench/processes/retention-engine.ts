/** Runs only the retention of messages, composed as in the service. */
import { systemClock } from '../../src/core/clock.ts'
import type { OpenDatabase } from '../../src/database/database.ts'
import { messageRetentionSource } from '../../src/modules/messaging/messages/work/message-retention-source.ts'
import { answerParent } from '../ground/answers.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'

export type Removed = { cpuMs: number; seconds: number }

let database: OpenDatabase
let source: ReturnType<typeof messageRetentionSource>

answerParent({
  open: ({ databaseUrl }: { databaseUrl: string }) => {
    database = openSilentDatabase(databaseUrl)
    source = messageRetentionSource({ database, clock: systemClock })
  },
  /** Works until no message is due. */
  remove: async (): Promise<Removed> => {
    const startedMs = performance.now()
    const used = process.cpuUsage()
    while ((await source.runDue({})) > 0) {
      // A full list is followed by the next one.
    }
    const { user, system } = process.cpuUsage(used)
    return { cpuMs: (user + system) / 1000, seconds: (performance.now() - startedMs) / 1000 }
  },
  stop: () => database.close(),
})
