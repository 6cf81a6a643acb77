/** Runs only the processing of the operator's updates, composed as in the service. */
import { postSplitter } from '../../src/adapters/operator-intake.ts'
import { EVENTS } from '../../src/catalog.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type OpenDatabase, openDatabase } from '../../src/database/database.ts'
import { updatesSource } from '../../src/modules/messaging/messages/work/updates-source.ts'
import { eventRecorder } from '../../src/modules/platform/webhooks/event-log/record-events.ts'
import { createDirectory } from '../../src/modules/platform/workspaces/directory.ts'
import { recordCounts } from '../../src/modules/reporting/analytics/record-counts.ts'
import { readWebhookValue } from '../../src/operator/cloud/reports.ts'
import { INBOUND_ORDER } from '../../src/startup/inbound-order.ts'
import { answerParent } from '../ground/answers.ts'
import { beginProfile, endProfile } from '../ground/self-time.ts'

export type IntakeOpening = { databaseUrl: string }
/** `cpuMs`: milliseconds of this process's processor time. */
export type Applied = { seconds: number; cpuMs: number; rows: number; errors: string[] }

const CONNECTIONS = 12

let database: OpenDatabase
let source: ReturnType<typeof updatesSource>
const errors: string[] = []

answerParent({
  open: ({ databaseUrl }: IntakeOpening) => {
    const onError = (error: unknown) => errors.push(String(error))
    database = openDatabase({
      url: databaseUrl,
      connections: CONNECTIONS,
      onError,
      recordEvents: eventRecorder(systemClock, EVENTS),
      recordCounts,
      onCommit: () => {},
    })
    const directory = createDirectory(database.query, systemClock)
    directory.setListening(true)
    source = updatesSource({
      database,
      clock: systemClock,
      workspaces: directory.workspaces,
      split: postSplitter(directory, () => {}),
      read: readWebhookValue,
      applyPayments: async () => [],
      takers: INBOUND_ORDER,
      areAnswersSlow: () => false,
      handoversAreWaiting: () => false,
      onUnrecognized: () => {},
      onGroup: () => {},
      onError,
    })
  },
  /** Works until no update is due. */
  drain: async (): Promise<Applied> => {
    const startedMs = performance.now()
    const used = process.cpuUsage()
    let rows = 0
    for (let ran = await source.runDue({}); ran > 0; ran = await source.runDue({})) rows += ran
    const { user, system } = process.cpuUsage(used)
    return {
      seconds: (performance.now() - startedMs) / 1000,
      cpuMs: (user + system) / 1000,
      rows,
      errors: errors.splice(0),
    }
  },
  beginProfile,
  endProfile,
  stop: () => database.close(),
})
