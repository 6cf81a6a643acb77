/** The parts that work sources take by name, and the function that opens all sources. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { callbackForwarder } from '../adapters/kept-callbacks.ts'
import { postSplitter } from '../adapters/operator-intake.ts'
import { readReports, splitReports } from '../adapters/social-intake.ts'
import { webhookSender } from '../adapters/webhook-sender.ts'
import { JOB_KINDS, WORK_SOURCES } from '../catalog.ts'
import type { Outside } from '../core/context.ts'
import type { WorkSource } from '../core/work.ts'
import { pauseRefused } from '../modules/messaging/broadcasts/work/pause-refused.ts'
import { applyOperatorReports } from '../modules/selling/payments/operations/operator-reports.ts'
import { readWebhookValue } from '../operator/cloud/reports.ts'
import { readGatewayEvent } from '../payment-gateway/razorpay/events.ts'
import { readShopOrder } from '../shop/formats.ts'
import type { BackgroundOptions } from './background-options.ts'
import { INBOUND_ORDER } from './inbound-order.ts'
import type { OutboundConnections } from './outbound-connections.ts'

/** The sources' further parts; `sources` is the list of the sources themselves. */
type Background = { outside: Outside; sources: WorkSource[] }

function workTools(
  options: BackgroundOptions,
  connections: OutboundConnections,
  { outside, sources }: Background,
) {
  const { config, log, clock, database, directory, sealer } = options
  const send = webhookSender(connections.egress)
  let areHandoversWaiting = false
  /** The workspaces whose groups are already in the log. */
  const loggedWorkspaceIds = new Set<string>()
  return {
    database,
    clock,
    sources,
    sealer,
    workspaces: directory.workspaces,
    operator: connections.operator,
    number: connections.operatorNumber,
    pauseCampaign: pauseRefused,
    traceStep: options.tracing?.traceStep,
    send: options.tracing?.sendWebhook(send) ?? send,
    strips: options.strips,
    split: postSplitter(directory, (workspaceId, operatorId) =>
      log.warn(
        { workspaceId, operatorId },
        'operator report ignored: number not connected to this workspace',
      ),
    ),
    read: readWebhookValue,
    applyPayments: applyOperatorReports,
    takers: INBOUND_ORDER,
    readGatewayEvent,
    readShopOrder,
    onUnrecognized: (workspaceId: string, field: string) =>
      log.info({ workspaceId, field }, 'operator report ignored: field not used'),
    onGroup: (workspaceId: string, field: string) => {
      options.countGroupReport(field)
      if (loggedWorkspaceIds.has(workspaceId)) return
      loggedWorkspaceIds.add(workspaceId)
      log.info({ workspaceId, field }, "operator report ignored: group messages aren't stored")
    },
    network: connections.social.socialNetwork,
    openAccount: connections.social.open,
    readReports,
    splitReports,
    onUnknownReport: (workspaceId: string, field: string) =>
      log.info({ workspaceId, field }, 'photo network report ignored: field not used'),
    pause: (ms: number) => wait(ms, undefined, { ref: false }),
    areAnswersFrequent: options.answers.areFrequent,
    areAnswersSlow: options.answers.areSlow,
    setHandoversWaiting: (wait: boolean) => {
      areHandoversWaiting = wait
    },
    handoversAreWaiting: () => areHandoversWaiting,
    kinds: JOB_KINDS,
    outside,
    replayCallback: options.replayCallback,
    forwardCallback: callbackForwarder(connections.gatewayEgress),
    onJobFault: options.onFault,
    journalFolder: join(config.dataDir, 'hand-over'),
    onNoJournal: (error: unknown) =>
      log.warn(
        { err: error },
        "hand-over journal can't be written: messages in flight stay unconfirmed if the process is killed",
      ),
    ...config.retention,
  }
}

/** Fills `background.sources`. */
export function openSources(
  options: BackgroundOptions,
  connections: OutboundConnections,
  background: Background,
): void {
  const tools = workTools(options, connections, background)
  for (const [name, open] of Object.entries(WORK_SOURCES)) {
    const source = open({ ...tools, onError: (error: unknown) => options.onFault(name, error) })
    // A source is woken by its own name.
    if (source.name !== name) throw new Error(`the work source ${source.name} is in the catalog as ${name}`)
    background.sources.push(source)
  }
}
