/** Sends push messages to push services through the checked egress. */
import type { Clock } from '../core/clock.ts'
import type { Outside } from '../core/context.ts'
import { invalid } from '../core/errors.ts'
import type { Sealer } from '../core/sealing.ts'
import type { Egress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import { encryptPush } from './encrypt.ts'
import { pushKeysOf, vapidHeader } from './vapid.ts'

const TIMEOUT_MS = 10_000
/** The subscription is unknown, or belongs to another installation: neither changes by a retry. */
const GONE = new Set([401, 403, 404, 410])

type Options = { egress: Egress; sealer: Sealer; siteUrl: string; clock: Clock }

/** Push services want a way to reach the sender; a site without https gives a name. */
const contactOf = (siteUrl: string): string =>
  siteUrl.startsWith('https:') ? siteUrl : `mailto:parley@${new URL(siteUrl).hostname}`

export function createPushService({
  egress,
  sealer,
  siteUrl,
  clock,
}: Options): Pick<Outside, 'sendPush' | 'refusePushAddress'> {
  // Not stored: a restored backup with the same secret key keeps its subscriptions.
  const keys = pushKeysOf(sealer)
  return {
    sendPush: async ({ target, payload, topic, ttlSeconds }) => {
      const { status } = await egress.post({
        target: egress.prepareTarget(target.endpoint),
        headers: {
          authorization: vapidHeader(keys, {
            endpoint: target.endpoint,
            contact: contactOf(siteUrl),
            now: clock.now(),
          }),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(ttlSeconds),
          topic,
          urgency: 'high',
        },
        body: encryptPush(payload, target),
        timeoutMs: TIMEOUT_MS,
      })
      if (GONE.has(status)) return 'gone'
      if (status < 200 || status >= 300) throw new Error(`the push service answered with status ${status}`)
      return 'sent'
    },
    refusePushAddress: (url, field) => {
      try {
        egress.prepareTarget(url)
      } catch (error) {
        if (error instanceof EgressFault) throw invalid([{ path: field, message: error.message }])
        throw error
      }
    },
  }
}
