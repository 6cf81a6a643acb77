// Checks how a webhook receiver behaves when deliveries are repeated, late, forged, big, or in disorder.

import type { Selectable } from 'kysely'
import { webhookSender } from '../adapters/webhook-sender.ts'
import { EVENTS } from '../catalog.ts'
import { systemClock } from '../core/clock.ts'
import type { Tables } from '../database/sql/tables.ts'
import { createEgress } from '../egress/egress.ts'
import { EgressFault } from '../egress/faults.ts'
import { type Answer, SLOW_READ_MS, type Tools } from './chaos/chaos-checks.ts'
import { type ChaosRequest, exampleEvent } from './chaos/chaos-deliveries.ts'
import { ANSWER_LIMIT_MS, runChecks } from './chaos/run-checks.ts'
import { type CommandContext, command } from './command.ts'
import { id, required } from './flags.ts'
import { inDatabase } from './installation.ts'

type Endpoint = {
  url: string
  events: string[] | null
  sandbox: boolean
  secret: string
  oldSecret: string | null
}

type EndpointRow = Pick<
  Selectable<Tables['webhookEndpoints']>,
  'url' | 'events' | 'secretSealed' | 'oldSecretSealed'
> &
  Pick<Selectable<Tables['workspaces']>, 'sandbox'>

/** Reads the endpoint with its secrets; the old one only if its 24 hours are over. */
const readEndpoint = (context: CommandContext, endpointId: string): Promise<Endpoint> =>
  inDatabase(context, async (database, sealer) => {
    const [row] = await database.query<EndpointRow>(
      `select p.url, p.events, w.sandbox, p.secret_sealed,
              case when p.old_secret_expires_at <= $2::timestamptz + w.clock_offset_ms * interval '1 millisecond'
                   then p.old_secret_sealed end as old_secret_sealed
       from webhook_endpoints p join workspaces w on w.id = p.workspace_id where p.id = $1`,
      [endpointId, systemClock.now()],
    )
    if (!row) throw new Error(`Webhook endpoint ${endpointId} not found. See GET /webhooks.`)
    const { url, events, sandbox, secretSealed, oldSecretSealed } = row
    return {
      url,
      events,
      sandbox,
      secret: sealer.open(secretSealed),
      oldSecret: oldSecretSealed && sealer.open(oldSecretSealed),
    }
  })

export const chaosCommand = command({
  name: 'chaos',
  summary:
    'Send difficult deliveries to a webhook endpoint of a sandbox: duplicates, disorder, wrong signatures. The exit code is 1 if a must fails.',
  flags: { endpoint: required(id()) },
  async run({ endpoint: endpointId }, context) {
    const { url, events, sandbox, secret, oldSecret } = await readEndpoint(context, endpointId)
    if (!sandbox)
      throw new Error(
        `Webhook endpoint ${endpointId} belongs to a live workspace. Chaos runs only in a sandbox. Add the receiver to a sandbox first.`,
      )
    const settings = context.config()
    const egress = createEgress({
      allow: settings.egressAllow,
      ca: settings.egressCa,
      timeoutMs: ANSWER_LIMIT_MS,
    })
    const kind = EVENTS.find(({ name }) => events === null || events.includes(name)) ?? EVENTS[0]!
    const post = webhookSender(egress)
    const postSlowly = webhookSender(egress, { readAfterMs: SLOW_READ_MS })
    const send = async ({ headers, body }: ChaosRequest, slowly = false): Promise<Answer> => {
      const startedMs = systemClock.monotonicMs()
      const duration = (): number => systemClock.monotonicMs() - startedMs
      try {
        const { status } = await (slowly ? postSlowly : post)(url, headers, body)
        return { status, ms: duration(), fault: null }
      } catch (error) {
        if (!(error instanceof EgressFault)) throw error
        return { status: null, ms: duration(), fault: error.message }
      }
    }
    const tools: Tools = {
      secret,
      oldSecret,
      currentTime: systemClock.now,
      event: (change) => exampleEvent(kind, systemClock.now(), change),
      send,
    }
    try {
      const checks = await runChecks(tools, systemClock.monotonicMs)
      return { ok: checks.every(({ need, result }) => need === 'should' || result === 'passed'), checks }
    } finally {
      await egress.close()
    }
  },
})
