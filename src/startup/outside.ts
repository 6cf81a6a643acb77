/** Provides the calls to the outside that operations may use. */
import { setTimeout as wait } from 'node:timers/promises'
import { addressCaller } from '../adapters/address-caller.ts'
import { assistantChecker } from '../adapters/assistant.ts'
import { fileDownloader } from '../adapters/file-downloader.ts'
import { fileFetcher } from '../adapters/file-fetcher.ts'
import { fileStreamer } from '../adapters/file-streamer.ts'
import { fileLinker } from '../adapters/media-links.ts'
import { gatewayOpener } from '../adapters/payment-gateway.ts'
import { announcePresence } from '../adapters/presence.ts'
import { shopOpener } from '../adapters/shops.ts'
import { paymentSimulator } from '../adapters/simulated-payments.ts'
import { newSocialAccount } from '../adapters/social-profile.ts'
import { watchedOperator } from '../adapters/watched-operator.ts'
import { webhookCaller } from '../adapters/webhook-caller.ts'
import { checkWebhookAddress, refuseWebhookAddress, webhookSender } from '../adapters/webhook-sender.ts'
import { chatCompletions, textWriter } from '../assistant/chat-completions.ts'
import { createChatwoot } from '../chatwoot/chatwoot.ts'
import type { Outside } from '../core/context.ts'
import type { WorkSource } from '../core/work.ts'
import { findAssistant } from '../modules/automating/integrations/operations/find-assistant.ts'
import { CLOCK_LIMITS, clockMover } from '../modules/automating/sandbox/advance-clock.ts'
import { updateApplier } from '../modules/messaging/messages/intake/apply-update.ts'
import { UPDATES } from '../modules/messaging/messages/intake/operations/intake.ts'
import { isSessionOpen } from '../modules/platform/access/operations/read-session.ts'
import { isConnectedElsewhere } from '../modules/platform/workspaces/operations/connect-cloud-number.ts'
import { createRazorpay } from '../payment-gateway/razorpay/gateway.ts'
import { createShops } from '../shop/shops.ts'
import { createPushService } from '../web-push/send-push.ts'
import type { BackgroundOptions } from './background-options.ts'
import type { OutboundConnections } from './outbound-connections.ts'

/** Milliseconds between checks for the customer's payment link, which is created a moment after the request. */
const PAYMENT_POLL_MS = 100

/** `sources` may be filled later: moving a sandbox's clock, and waiting for an update, run due work. */
export function outsideOf(
  options: BackgroundOptions,
  connections: OutboundConnections,
  sources: WorkSource[],
): Outside {
  const { config, clock, database, directory, sealer, onFault } = options
  const { egress, mediaStore, spool, social, simulators } = connections
  const gateway = createRazorpay({ egress: connections.gatewayEgress })
  const updates = () => sources.find(({ name }) => name === UPDATES)
  return {
    operator: watchedOperator(connections.operator, {
      database,
      clock,
      onError: (error) => onFault('number-states', error),
    }),
    operatorNumber: connections.operatorNumber,
    operatorSignup: connections.operatorSignup,
    isConnectedElsewhere: (workspaceId, number) => isConnectedElsewhere(database.query, workspaceId, number),
    socialNetwork: social.socialNetwork,
    socialAccount: social.socialAccount,
    checkSocialToken: (networkId, token) =>
      social.socialNetwork.findProfile({ ...newSocialAccount(config, networkId), token }),
    gateway,
    gatewayConnection: gatewayOpener({
      config,
      query: database.query,
      sealer,
      simulatorUrl: simulators.gatewayUrl,
      workspace: directory.workspace,
    }),
    checkGatewayKey: (keyId, keySecret) =>
      gateway.checkAccount({ baseUrl: config.razorpayUrl, keyId, keySecret }),
    simulatePayment: paymentSimulator({
      database,
      clock,
      sealer,
      directory,
      pause: () => wait(PAYMENT_POLL_MS),
    }),
    shop: createShops({ egress, deploymentEgress: connections.gatewayEgress, shopifyUrl: config.shopifyUrl }),
    shopConnection: shopOpener({ query: database.query, sealer, siteUrl: config.siteUrl }),
    chatwoot: createChatwoot({ egress, spool, clock, pause: (ms) => wait(ms) }),
    checkAssistant: assistantChecker(egress),
    askAssistant: chatCompletions(egress, options.assistantTimeoutMs),
    writeText: textWriter(egress, options.assistantTimeoutMs),
    assistantConnection:
      options.findAssistant ??
      ((workspaceId) => findAssistant({ query: database.query, sealer }, workspaceId)),
    mediaStore,
    spool,
    linkToFile: fileLinker({ store: mediaStore, tokens: options.fileTokens, siteUrl: config.siteUrl }),
    mailer: connections.mailer,
    identityProvider: connections.identityProvider,
    dashboardBuild: options.dashboardBuild,
    renderPdf: connections.pdf.render,
    announcePresence: (report) => announcePresence(database.query, report),
    refuseWebhookAddress: (url, field) =>
      refuseWebhookAddress({ egress, siteUrl: config.siteUrl }, url, field),
    checkWebhookAddress: ({ id }, url, field) =>
      checkWebhookAddress({ egress, siteUrl: config.siteUrl }, id, url, field),
    callWebhook: webhookCaller({ send: webhookSender(egress), sealer, clock }),
    callAddress: addressCaller(egress),
    fetchFile: fileFetcher(egress),
    ...createPushService({ egress, sealer, siteUrl: config.siteUrl, clock }),
    isSessionOpen: (id) => isSessionOpen(database.query, id, clock.now()),
    downloadFile: fileDownloader({ egress, spool }),
    streamFile: fileStreamer(egress),
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
      onError: (error) => onFault('sandbox-inbound', error),
    }),
  }
}
