/** Everything that falls due, and the ways to the outside that it goes. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileFetcher } from '../adapters/file-fetcher.ts'
import { fileLinker } from '../adapters/media-links.ts'
import { postSplitter } from '../adapters/operator-intake.ts'
import { numberOpener } from '../adapters/operator-number.ts'
import { watchedOperator } from '../adapters/watched-operator.ts'
import { checkWebhookAddress, webhookSender } from '../adapters/webhook-sender.ts'
import { JOB_KINDS } from '../catalog.ts'
import type { Config } from '../config.ts'
import type { AnswerTimes } from '../core/answer-times.ts'
import type { Clock } from '../core/clock.ts'
import type { Database, Outside } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { WorkSource } from '../core/work.ts'
import { createEgress } from '../egress/egress.ts'
import { answersSource } from '../http/answers-source.ts'
import type { FileTokens } from '../http/file-tokens.ts'
import type { Log } from '../logging/log.ts'
import { createSmtpMailer } from '../mail/smtp.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import { createSpool } from '../media-store/spool.ts'
import { countsSource } from '../modules/analytics/work/counts-source.ts'
import { fanOutSource } from '../modules/broadcasts/work/fan-out-source.ts'
import { talliesSource } from '../modules/broadcasts/work/tallies-source.ts'
import { windowsSource } from '../modules/conversations/work/windows-source.ts'
import { leadCountsSource } from '../modules/crm/work/lead-counts-source.ts'
import { submissionRetention } from '../modules/crm/work/submission-retention-source.ts'
import { HANDOVERS_AT_ONCE } from '../modules/messages/handover/lane-calls.ts'
import { updateApplier } from '../modules/messages/intake/apply-update.ts'
import { handoverSource } from '../modules/messages/work/handover-source.ts'
import { intakeRetentionSource } from '../modules/messages/work/intake-retention-source.ts'
import { messageRetention } from '../modules/messages/work/message-retention-source.ts'
import { updatesSource } from '../modules/messages/work/updates-source.ts'
import { clockMover } from '../modules/sandbox/advance-clock.ts'
import { createSimulatorStore } from '../modules/sandbox/simulator-store.ts'
import { logDaysSource } from '../modules/webhooks/event-log/log-days.ts'
import { deliveriesSource } from '../modules/webhooks/work/deliveries-source.ts'
import type { Directory } from '../modules/workspaces/directory.ts'
import { activityRetention } from '../modules/workspaces/work/activity-retention-source.ts'
import { numberChecksSource } from '../modules/workspaces/work/number-checks-source.ts'
import { createCloudOperator } from '../operator/cloud/operator.ts'
import { readWebhookValue } from '../operator/cloud/reports.ts'
import { startSimulator } from '../operator/simulator/start.ts'
import { jobsSource } from '../worker/jobs-source.ts'
import { outsideJobsSource } from '../worker/outside-jobs-source.ts'

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
  sealer: Sealer
  fileTokens: FileTokens
  /** How long the answers of this process take. */
  answers: AnswerTimes
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
  const egress = createEgress({ allow: config.egressAllow, ca: config.egressCa })
  const simulator = await startSimulator({
    store: createSimulatorStore({ database, clock, sealer, directory }),
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
  const operatorNumber = numberOpener({ config, directory, sealer, simulatorUrl: simulator.url })
  const deliveries = deliveriesSource({
    database,
    clock,
    sealer,
    send: webhookSender(egress),
    onError: (error) => onFault('deliveries', error),
  })
  const handover = handoverSource({
    database,
    clock,
    operator,
    workspaces,
    number: operatorNumber,
    onError: (error) => onFault('handover', error),
  })
  const updates = updatesSource({
    database,
    clock,
    workspaces,
    split: postSplitter(directory),
    read: readWebhookValue,
    onUnrecognised: (workspaceId, field) =>
      log.info({ workspaceId, field }, 'an update of the operator is not acted on'),
    onError: (error) => onFault('updates', error),
  })
  const mailer = config.mail ? createSmtpMailer({ ...config.mail, ca: config.egressCa }) : null
  const sources: WorkSource[] = []
  const outside: Outside = {
    operator: watchedOperator(operator, {
      database,
      clock,
      onError: (error) => onFault('number-states', error),
    }),
    operatorNumber,
    mediaStore,
    spool: createSpool(join(config.dataDir, 'spool')),
    linkToFile: fileLinker({ store: mediaStore, tokens: options.fileTokens, siteUrl: config.siteUrl }),
    mailer,
    checkWebhookAddress: (url, field) => checkWebhookAddress(egress, config.siteUrl, url, field),
    fetchFile: fileFetcher(egress),
    advanceClock: clockMover({ database, clock, directory, sources, pause: wait }),
    applyUpdate: updateApplier({
      database,
      updates,
      pause: (ms, signal) => wait(ms, undefined, { signal }),
    }),
  }
  const jobs = { database, clock, kinds: JOB_KINDS, workspaces, onError: onFault }
  const outsideJobs = outsideJobsSource({ ...jobs, outside })
  sources.push(
    handover,
    numberChecksSource({ database, clock, operator, number: operatorNumber }),
    updates,
    fanOutSource({
      database,
      clock,
      workspaces,
      onError: (error) => onFault('broadcasts', error),
      areAnswersSlow: options.answers.areSlow,
    }),
    windowsSource({ database, clock, workspaces }),
    deliveries,
    jobsSource(jobs),
    outsideJobs,
    logDaysSource({ database, clock }),
    intakeRetentionSource({ database, clock, days: config.retention.operatorDays }),
    messageRetention({ database, clock }),
    countsSource({ database }),
    talliesSource({ database }),
    leadCountsSource({ database }),
    submissionRetention({ database, clock }),
    activityRetention({ database, clock, days: config.retention.activityDays }),
    answersSource({ database, clock }),
  )
  return {
    sources,
    outside,
    close: async (stopLoops) => {
      // Calls to the outside may hang longer than whoever stops us waits. What is cut off counts as
      // what a lost connection does: a delivery is tried again, a hand-over is decided by its receipt.
      const underWay = Promise.all([stopLoops(), handover.stop(), deliveries.stop(), outsideJobs.stop()])
      await Promise.race([underWay, wait(STOP_PATIENCE_MS, undefined, { ref: false })])
      await operator.close()
      mailer?.close()
      await egress.close()
      await mediaStore.close()
      await underWay
      await simulator.close()
    },
  }
}
