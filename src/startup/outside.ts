/** What operations may ask of the outside, bound to the ways out. */
import { setTimeout as wait } from 'node:timers/promises'
import { fileDownloader } from '../adapters/file-downloader.ts'
import { fileFetcher } from '../adapters/file-fetcher.ts'
import { fileLinker } from '../adapters/media-links.ts'
import { gatewayOpener } from '../adapters/payment-gateway.ts'
import { announcePresence } from '../adapters/presence.ts'
import { watchedOperator } from '../adapters/watched-operator.ts'
import { webhookCaller } from '../adapters/webhook-caller.ts'
import { checkWebhookAddress, webhookSender } from '../adapters/webhook-sender.ts'
import type { Outside } from '../core/context.ts'
import type { WorkSource } from '../core/work.ts'
import { updateApplier } from '../modules/messages/intake/apply-update.ts'
import { UPDATES } from '../modules/messages/intake/operations/intake.ts'
import { CLOCK_LIMITS, clockMover } from '../modules/sandbox/advance-clock.ts'
import { createRazorpay } from '../payment-gateway/razorpay/gateway.ts'
import type { BackgroundOptions } from './background-options.ts'
import type { WaysOut } from './ways-out.ts'

/** `sources` may be filled later: a sandbox's clock and a wait for an update run what falls due. */
export function outsideOf(options: BackgroundOptions, ways: WaysOut, sources: WorkSource[]): Outside {
  const { config, clock, database, directory, sealer, onFault } = options
  const { egress, mediaStore, spool, social, simulators } = ways
  const updates = () => sources.find(({ name }) => name === UPDATES)
  return {
    operator: watchedOperator(ways.operator, {
      database,
      clock,
      onError: (error) => onFault('number-states', error),
    }),
    operatorNumber: ways.operatorNumber,
    socialNetwork: social.socialNetwork,
    socialAccount: social.socialAccount,
    gateway: createRazorpay({ egress: ways.gatewayEgress }),
    gatewayConnection: gatewayOpener({
      config,
      query: database.query,
      sealer,
      simulatorUrl: simulators.gatewayUrl,
    }),
    mediaStore,
    spool,
    linkToFile: fileLinker({ store: mediaStore, tokens: options.fileTokens, siteUrl: config.siteUrl }),
    mailer: ways.mailer,
    renderPdf: ways.pdf.render,
    announcePresence: (report) => announcePresence(database.query, report),
    checkWebhookAddress: ({ id }, url, field) =>
      checkWebhookAddress({ egress, siteUrl: config.siteUrl }, id, url, field),
    callWebhook: webhookCaller({ send: webhookSender(egress), sealer, clock }),
    fetchFile: fileFetcher(egress),
    downloadFile: fileDownloader({ egress, spool }),
    advanceClock: clockMover({
      database,
      clock,
      directory,
      sources,
      limits: options.clockLimits ?? CLOCK_LIMITS,
      pause: (ms, signal) => wait(ms, undefined, { signal }),
      onError: (error) => onFault('sandbox-clock', error),
    }),
    applyUpdate: updateApplier({
      database,
      runUpdates: async (workspaceId) => (await updates()?.runDue({ workspaceId })) ?? 0,
      pause: (ms, signal) => wait(ms, undefined, { signal }),
    }),
  }
}
