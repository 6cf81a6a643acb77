/** Sends the web requests of automations: signed like webhooks, through the same egress. */
import type { Clock } from '../core/clock.ts'
import type { Outside } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { SendWebhook } from '../modules/platform/webhooks/delivery/send-webhook.ts'
import { signedHeaders } from '../modules/platform/webhooks/delivery/signing.ts'

type Options = { send: SendWebhook; sealer: Sealer; clock: Clock }

export const webhookCaller =
  ({ send, sealer, clock }: Options): Outside['callWebhook'] =>
  async ({ url, id, body, secretSealed }) => {
    // Always real time, as for webhooks: receivers compare it with their own clock.
    const timestamp = Math.floor(clock.now().getTime() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhooks/1',
      'idempotency-key': id,
      'x-webhook-id': id,
      'webhook-id': id,
      'x-webhook-event': 'automation.called',
      ...signedHeaders([sealer.open(secretSealed)], id, timestamp, body),
    }
    const { status } = await send(url, headers, body)
    return status
  }
