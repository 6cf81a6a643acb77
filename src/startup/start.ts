/** The composition root: opens all parts, connects them, and closes them again. */
import { type AddressInfo, isIPv6 } from 'node:net'
import { callbackReplay } from '../adapters/kept-callbacks.ts'
import { systemClock } from '../core/clock.ts'
import { createSealer } from '../core/sealing.ts'
import { answerTimes } from '../core/values/answer-times.ts'
import type { Recording } from '../database/tenant-transactions.ts'
import { createFileTokens } from '../http/auth/file-tokens.ts'
import { siteOf } from '../http/auth/site.ts'
import { refusedSenders } from '../http/rate-limit/refused-senders.ts'
import { gracefulShutdown } from '../http/server/graceful-shutdown.ts'
import { createMetrics } from '../http/server/metrics.ts'
import { connectionLimits } from '../http/wire/connection-bounds.ts'
import { changedAutomations, createListeners } from '../modules/automating/automations/listeners.ts'
import { makeLogDays } from '../modules/platform/webhooks/event-log/log-days.ts'
import { checkOpenPaymentsSoon } from '../modules/selling/payments/operations/check-soon.ts'
import { openWorker, type Worker } from '../worker/loop.ts'
import { openBackground } from './background.ts'
import { buildReplayServer, buildServiceServer } from './build-server.ts'
import { closeServer } from './close-server.ts'
import { reportFaults } from './fault-reports.ts'
import { followChanges } from './follow-changes.ts'
import { openLimiter } from './open-limiter.ts'
import { DOCS_BUILDS, openPages } from './open-pages.ts'
import { openServiceDatabase } from './open-pools.ts'
import { openTelemetry } from './open-telemetry.ts'
import { openLive } from './page-fetches.ts'
import type { StartOptions } from './start-options.ts'

export type Parley = {
  /** The server's address; a process without the web role serves only health checks. */
  url: string
  /** Resolves when this process uses every setting, key, and number committed before the call. */
  caughtUp(): Promise<void>
  /**
   * Makes background work check for due work now instead of at its next poll, because the clock was moved.
   */
  wake(): void
  /**
   * Stops accepting, finishes running work, closes everything; `gently` first disconnects clients with
   * long-lived connections.
   */
  close(options?: { gently: boolean }): Promise<void>
}

/** Returns a function that calls both. */
const inTurn =
  <Value>(first: (value: Value) => void, second: (value: Value) => void) =>
  (value: Value): void => {
    first(value)
    second(value)
  }

/** Starts the roles in `config` over a migrated database. */
export async function startParley(options: StartOptions): Promise<Parley> {
  const { config, log, clock = systemClock } = options
  const metrics = createMetrics()
  const telemetry = await openTelemetry(config, log, metrics)
  const tracing = telemetry?.tracing
  const onFault = reportFaults({ log, metrics, clock })
  let worker: Worker | undefined
  const listeners = createListeners((text, parameters) => database.query(text, parameters))
  const onEvents: Recording['onEvents'] = (events) => {
    live.wake(events)
    for (const id of changedAutomations(events)) listeners.forget(id)
  }
  const database = await openServiceDatabase({ ...options, tracing }, clock, listeners, {
    onCommit: (wakes) => worker?.wake(wakes),
    onEvents: tracing ? inTurn(onEvents, tracing.events) : onEvents,
  })
  const live = openLive(database, clock, onFault)
  const listenUrl = config.pooler?.listenUrl ?? options.databaseUrl
  const { directory, sessions, strips, changes } = followChanges(database, clock, {
    url: listenUrl,
    listeners,
    onPresence: (report) => live.hearPresence(JSON.parse(report)),
  })
  const limiter = await openLimiter(config.redisUrl, clock, log)
  // A failure to create the daily partitions does not stop the start: the worker tries again.
  await makeLogDays(database, clock.now()).catch((error: unknown) => onFault('log-days', error))
  const core = { config, log, clock, database, directory, sealer: createSealer(options.secretKey) }
  const fileTokens = createFileTokens(options.secretKey)
  const answers = answerTimes(clock)
  const { nameServers, clockLimits, findAssistant, assistantTimeoutMs } = options
  const byAddress = { limiter, clock, trustProxy: config.trustProxy }
  const pages = await openPages(options.pages, config.siteUrl, byAddress)
  const background = await openBackground({
    ...core,
    strips,
    fileTokens,
    answers,
    nameServers,
    clockLimits,
    findAssistant,
    assistantTimeoutMs,
    onFault,
    tracing,
    replayCallback: (call) => replay.receive(call),
    countGroupReport: metrics.countGroupReport,
    dashboardBuild: () => pages.build() ?? null,
  })
  if (config.roles.worker) {
    await checkOpenPaymentsSoon(database.query, clock).catch((error: unknown) => onFault('payments', error))
    const sources = tracing ? background.sources.map(tracing.source) : background.sources
    worker = openWorker({ sources, onError: onFault })
  }
  const shutdown = gracefulShutdown()
  const unknownSessions = refusedSenders(clock, config.trustProxy)
  const parts = {
    ...core,
    sessions,
    unknownSessions,
    site: siteOf(config.siteUrl),
    fileTokens,
    limiter,
    byAddress,
    checkReplies: options.checkReplies ?? false,
    live,
    pages,
    docsFolder: options.docsFolder ?? DOCS_BUILDS,
    connections: { ...connectionLimits(), ...options.connections },
    outside: background.outside,
    metrics,
    answers,
    shutdown,
    worker,
    telemetry,
    knownDifferences: options.knownDifferences,
  }
  const app = buildServiceServer(parts)
  const replay = callbackReplay(() => buildReplayServer(parts))
  await app.listen({ port: config.port, host: config.host })
  // Its first turns send dozens of new statements, so the server answers first.
  worker?.start()
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}:${port}`,
    caughtUp: changes.caughtUp,
    wake: () => worker?.wake(background.sources.map(({ name }) => name)),
    close: async (options) => {
      const leaving = options?.gently ? shutdown.leave(app) : undefined
      // Listening streams are closed without waiting.
      live.close()
      await leaving
      await replay.close()
      await closeServer({ app, background, shutdown, worker })
      await changes.close()
      await limiter.close()
      await database.close()
      await telemetry?.close()
    },
  }
}
