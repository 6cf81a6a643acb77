/** Runs only the dispatcher of messages, composed as in the service, with an operator at `operatorUrl`. */
import { setTimeout as wait } from 'node:timers/promises'
import { numberOpener } from '../../src/adapters/operator-number.ts'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createSealer } from '../../src/core/sealing.ts'
import type { OpenDatabase } from '../../src/database/database.ts'
import { HANDOVERS_AT_ONCE } from '../../src/modules/messaging/messages/handover/lane-calls.ts'
import {
  type HandoverSource,
  handoverSource,
} from '../../src/modules/messaging/messages/work/handover-source.ts'
import { createDirectory } from '../../src/modules/platform/workspaces/directory.ts'
import { createCloudOperator } from '../../src/operator/cloud/operator.ts'
import type { Operator } from '../../src/operator/port.ts'
import { answerParent } from '../ground/answers.ts'
import { drain } from '../ground/drain.ts'
import { beginProfile, endProfile } from '../ground/self-time.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'

export type HandoverOpening = {
  databaseUrl: string
  secretKey: string
  operatorUrl: string
  journalFolder: string
}

const CONNECTIONS = 12

let database: OpenDatabase
let operator: Operator
let source: HandoverSource
let attempts = 0
const errors: string[] = []

answerParent({
  open: ({ databaseUrl, secretKey, operatorUrl, journalFolder }: HandoverOpening) => {
    const onError = (error: unknown) => errors.push(String(error))
    database = openSilentDatabase(databaseUrl, CONNECTIONS, onError)
    const directory = createDirectory(database.query, systemClock)
    directory.setListening(true)
    const sealer = createSealer(secretKey)
    const config = readConfig({ PARLEY_OPERATOR_URL: operatorUrl }, process.cwd())
    operator = createCloudOperator({ connections: HANDOVERS_AT_ONCE })
    source = handoverSource({
      database,
      clock: systemClock,
      operator: {
        send: (number, message) => {
          attempts++
          return operator.send(number, message)
        },
      },
      workspaces: directory.workspaces,
      number: numberOpener({ config, directory, sealer, simulatorUrl: operatorUrl }),
      pauseCampaign: async () => {},
      areAnswersFrequent: () => false,
      areAnswersSlow: () => false,
      setHandoversWaiting: () => {},
      pause: wait,
      onError,
      journalFolder,
      onNoJournal: onError,
    })
  },
  /** Works until `expected` messages were submitted and their outcomes are written. */
  drain: ({ expected }: { expected: number }) => drain(source, () => attempts, expected, errors),
  beginProfile,
  endProfile,
  stop: async () => {
    await source.stop()
    await operator.close()
    await database.close()
  },
})
