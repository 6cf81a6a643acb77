/**
 * Runs only the webhook engine, composed as in the service. This is the only way to post to a plain http
 * address: the service itself sends webhooks only to https.
 */
import { webhookSender } from '../../src/adapters/webhook-sender.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createSealer } from '../../src/core/sealing.ts'
import type { OpenDatabase } from '../../src/database/database.ts'
import { createEgress, type Egress } from '../../src/egress/egress.ts'
import type { SendWebhook } from '../../src/modules/platform/webhooks/delivery/send-webhook.ts'
import {
  type DeliveriesSource,
  deliveriesSource,
} from '../../src/modules/platform/webhooks/work/deliveries-source.ts'
import { openWorker, type Worker } from '../../src/worker/loop.ts'
import { answerParent } from '../ground/answers.ts'
import { drain } from '../ground/drain.ts'
import { beginProfile, endProfile } from '../ground/self-time.ts'
import { openSilentDatabase } from '../ground/silent-database.ts'

export type EngineOpening = { databaseUrl: string; secretKey: string; ca?: string }

const CONNECTIONS = 12

let database: OpenDatabase
let egress: Egress
let source: DeliveriesSource
let attempts = 0
let running: Worker | undefined
const errors: string[] = []

function plainSender(egress: Egress): SendWebhook {
  const targets = new Map<string, ReturnType<Egress['prepareTarget']>>()
  return (url, headers, body) => {
    const target = targets.get(url) ?? egress.prepareTarget(url, { requireHttps: false })
    targets.set(url, target)
    return egress.post({ target, headers, body })
  }
}

answerParent({
  open: ({ databaseUrl, secretKey, ca }: EngineOpening) => {
    const onError = (error: unknown) => errors.push(String(error))
    database = openSilentDatabase(databaseUrl, CONNECTIONS, onError)
    egress = createEgress({ allow: ['127.0.0.0/8'], ca })
    const post = ca ? webhookSender(egress) : plainSender(egress)
    const send: SendWebhook = (url, headers, body) => {
      attempts++
      return post(url, headers, body)
    }
    source = deliveriesSource({
      database,
      send,
      clock: systemClock,
      sealer: createSealer(secretKey),
      strips: { mayBeStale: () => false },
      onError,
    })
  },
  /** Works until `expected` attempts were made and their results are written. */
  drain: ({ expected }: { expected: number }) => drain(source, () => attempts, expected, errors),
  /** Starts working. */
  begin: () => {
    running = openWorker({ sources: [source], onError: (_, error) => errors.push(String(error)) })
    running.start()
    running.wake([source.name])
  },
  /** Stops new attempts. Attempts in flight continue; `errors` are the errors reported meanwhile. */
  end: async (): Promise<{ errors: string[] }> => {
    await running?.stop()
    return { errors: errors.splice(0) }
  },
  beginProfile,
  endProfile,
  stop: async () => {
    await source.stop()
    await egress.close()
    await database.close()
  },
})
