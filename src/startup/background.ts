/** Everything that falls due, and the ways to the outside that it goes. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileDownloader } from '../adapters/file-downloader.ts'
import { fileFetcher } from '../adapters/file-fetcher.ts'
import { fileLinker } from '../adapters/media-links.ts'
import { postSplitter } from '../adapters/operator-intake.ts'
import { numberOpener } from '../adapters/operator-number.ts'
import { gatewayOpener, openGatewayEgress } from '../adapters/payment-gateway.ts'
import { readReports } from '../adapters/social-intake.ts'
import { openSocialNetwork } from '../adapters/social-network.ts'
import { watchedOperator } from '../adapters/watched-operator.ts'
import { checkWebhookAddress, webhookSender } from '../adapters/webhook-sender.ts'
import { JOB_KINDS, WORK_SOURCES } from '../catalog.ts'
import type { Config } from '../config.ts'
import type { AnswerTimes } from '../core/answer-times.ts'
import type { Clock } from '../core/clock.ts'
import type { Database, Outside } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { WorkSource } from '../core/work.ts'
import { createEgress } from '../egress/egress.ts'
import type { FileTokens } from '../http/file-tokens.ts'
import type { Log } from '../logging/log.ts'
import { createSmtpMailer } from '../mail/smtp.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import { createSpool } from '../media-store/spool.ts'
import { HANDOVERS_AT_ONCE } from '../modules/messages/handover/lane-calls.ts'
import { updateApplier } from '../modules/messages/intake/apply-update.ts'
import { UPDATES } from '../modules/messages/intake/operations/intake.ts'
import { applyOperatorReports } from '../modules/payments/operations/operator-reports.ts'
import { clockMover } from '../modules/sandbox/advance-clock.ts'
import { createGatewayStore } from '../modules/sandbox/gateway-store.ts'
import { faultDirector } from '../modules/sandbox/operator-faults.ts'
import { createSimulatorStore } from '../modules/sandbox/simulator-store.ts'
import type { StripWatch } from '../modules/webhooks/delivery/strip-watch.ts'
import type { Directory } from '../modules/workspaces/directory.ts'
import { createCloudOperator } from '../operator/cloud/operator.ts'
import { readWebhookValue } from '../operator/cloud/reports.ts'
import { startSimulator } from '../operator/simulator/start.ts'
import { readGatewayEvent } from '../payment-gateway/razorpay/events.ts'
import { createRazorpay } from '../payment-gateway/razorpay/gateway.ts'
import { startGatewaySimulator } from '../payment-gateway/simulator/start.ts'

export type Background = {
  sources: WorkSource[]
  outside: Outside
  /** Ends what is under way, `stopLoops` first, then the ways out. */
  close(stopLoops: () => Promise<void> | undefined): Promise<void>
}

export type BackgroundOptions = {
  config: Config
  log: Log
  clock: Clock
  database: Database
  directory: Directory
  strips: StripWatch
  sealer: Sealer
  fileTokens: FileTokens
  /** How long the answers of this process take. */
  answers: AnswerTimes
  /** Default the machine's. */
  nameServers?: readonly string[] | undefined
  onFault(source: string, error: unknown): void
}

/** How long a stop waits for answers from the outside. */
const STOP_PATIENCE_MS = 5_000
/** Connections to the operator beside those of hand-overs: files, templates, marks of what was read. */
const OTHER_CALLS_AT_ONCE = 128

/** Opens the sources of background work with the simulator, the operator and the way out to receivers. */
export async function openBackground(options: BackgroundOptions): Promise<Background> {
  const { config, log, clock, database, directory, sealer, onFault } = options
  const { workspaces } = directory
  const egress = createEgress({
    allow: config.egressAllow,
    ca: config.egressCa,
    nameServers: options.nameServers,
  })
  const simulator = await startSimulator({
    store: createSimulatorStore({ database, clock, sealer, directory }),
    director: faultDirector({ query: database.query, clock, directory }),
    host: '127.0.0.1',
    port: 0,
    log: (message, error) => log.error({ err: error }, message),
  })
  const operator = createCloudOperator({
    connections: HANDOVERS_AT_ONCE + OTHER_CALLS_AT_ONCE,
    otherHosts: (url, call) => egress.open({ target: egress.prepareTarget(url), ...call }),
  })
  const mediaStore = await openMediaStore(config, clock)
  // Without it files wait; everything else goes on.
  mediaStore.check().catch((error: unknown) => log.error({ err: error }, 'the store of files cannot be used'))
  const gatewaySimulator = await startGatewaySimulator({
    store: createGatewayStore({ database, clock, sealer, workspace: directory.workspace }),
    settings: () => ({ uniqueReferences: true, payPage: 'https://pay.example/i' }),
    log: (message, error) => log.error({ err: error }, message),
  })
  const gatewayEgress = openGatewayEgress(config)
  const operatorNumber = numberOpener({ config, directory, sealer, simulatorUrl: simulator.url })
  const social = await openSocialNetwork({
    config,
    clock,
    database,
    sealer,
    onError: (error) => onFault('social-network', error),
  })
  const spool = createSpool(join(config.dataDir, 'spool'))
  const mailer = config.mail ? createSmtpMailer({ ...config.mail, ca: config.egressCa }) : null
  const sources: WorkSource[] = []
  const updates = () => sources.find(({ name }) => name === UPDATES)
  const outside: Outside = {
    operator: watchedOperator(operator, {
      database,
      clock,
      onError: (error) => onFault('number-states', error),
    }),
    operatorNumber,
    socialNetwork: social.socialNetwork,
    socialAccount: social.socialAccount,
    gateway: createRazorpay({ egress: gatewayEgress }),
    gatewayConnection: gatewayOpener({
      config,
      query: database.query,
      sealer,
      simulatorUrl: gatewaySimulator.url,
    }),
    mediaStore,
    spool,
    linkToFile: fileLinker({ store: mediaStore, tokens: options.fileTokens, siteUrl: config.siteUrl }),
    mailer,
    checkWebhookAddress: ({ id }, url, field) =>
      checkWebhookAddress({ egress, siteUrl: config.siteUrl }, id, url, field),
    fetchFile: fileFetcher(egress),
    downloadFile: fileDownloader({ egress, spool }),
    advanceClock: clockMover({ database, clock, directory, sources, pause: wait }),
    applyUpdate: updateApplier({
      database,
      runUpdates: async (workspaceId) => (await updates()?.runDue({ workspaceId })) ?? 0,
      pause: (ms, signal) => wait(ms, undefined, { signal }),
    }),
  }
  const tools = {
    database,
    clock,
    sealer,
    workspaces,
    operator,
    number: operatorNumber,
    send: webhookSender(egress),
    strips: options.strips,
    split: postSplitter(directory),
    read: readWebhookValue,
    applyPayments: applyOperatorReports,
    readGatewayEvent,
    onUnrecognised: (workspaceId: string, field: string) =>
      log.info({ workspaceId, field }, 'an update from outside is not acted on'),
    network: social.socialNetwork,
    openAccount: social.open,
    readReports,
    onUnknownReport: (workspaceId: string, field: string) =>
      log.info({ workspaceId, field }, 'a report of the photo network is not acted on'),
    pause: (ms: number) => wait(ms, undefined, { ref: false }),
    areAnswersSlow: options.answers.areSlow,
    kinds: JOB_KINDS,
    outside,
    onJobFault: onFault,
    ...config.retention,
  }
  for (const [name, open] of Object.entries(WORK_SOURCES)) {
    const source = open({ ...tools, onError: (error: unknown) => onFault(name, error) })
    // It is woken by the name that it has itself.
    if (source.name !== name)
      throw new Error(`the work source ${source.name} stands in the catalog as ${name}`)
    sources.push(source)
  }
  return {
    sources,
    outside,
    close: async (stopLoops) => {
      // Calls to the outside may hang longer than whoever stops us waits. What is cut off counts as
      // what a lost connection does: a delivery is tried again, a hand-over is decided by its receipt.
      const underWay = Promise.all([stopLoops(), ...sources.map((source) => source.stop?.())])
      await Promise.race([underWay, wait(STOP_PATIENCE_MS, undefined, { ref: false })])
      await operator.close()
      await social.close()
      mailer?.close()
      await egress.close()
      await gatewayEgress.close()
      await mediaStore.close()
      await underWay
      await Promise.all([simulator.close(), gatewaySimulator.close()])
    },
  }
}
