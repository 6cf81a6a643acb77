/** The composition root: opens everything, hands each part what it needs, and closes it again. */
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { formCapture } from '../adapters/form-capture.ts'
import { gatewayIntake } from '../adapters/gateway-intake.ts'
import { fileServing } from '../adapters/media-links.ts'
import { operatorIntake } from '../adapters/operator-intake.ts'
import { socialIntake } from '../adapters/social-intake.ts'
import { EVENTS, endpoints } from '../catalog.ts'
import type { Config } from '../config.ts'
import { answerTimes } from '../core/answer-times.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { createSealer, erasureKeyOf } from '../core/sealing.ts'
import { listenForChanges } from '../database/changes.ts'
import { openDatabase } from '../database/database.ts'
import { pendingMigrations } from '../database/migrate.ts'
import type { DatabaseLimits } from '../database/pool.ts'
import { requireNamedStatements, requirePoolerSettings } from '../database/pooler-settings.ts'
import { bodyBudget } from '../http/callbacks/body-budget.ts'
import { refusedCallbacks } from '../http/callbacks/refused-callbacks.ts'
import type { CallbackGuard } from '../http/callbacks/signed-callback.ts'
import { type ConnectionLimits, connectionLimits } from '../http/connection-bounds.ts'
import { docsPage } from '../http/docs-page.ts'
import { fileDownloads } from '../http/file-downloads.ts'
import { createFileTokens } from '../http/file-tokens.ts'
import { gatewayCallback } from '../http/gateway-callback.ts'
import { gracefulShutdown } from '../http/graceful-shutdown.ts'
import { healthRoutes } from '../http/health.ts'
import { leadCapture } from '../http/lead-capture.ts'
import { type AddressLimits, limitedByAddress } from '../http/limits.ts'
import { createMetrics } from '../http/metrics.ts'
import { openapiRoute } from '../http/openapi.ts'
import { operatorCallback } from '../http/operator-callback.ts'
import { createMemoryStore } from '../http/rate-limit/memory-store.ts'
import { BASE_PATH, buildServer } from '../http/server.ts'
import { socialCallback } from '../http/social-callback.ts'
import type { Log } from '../logging/log.ts'
import { recordCounts } from '../modules/analytics/record-counts.ts'
import { recordTallies } from '../modules/broadcasts/work/record-tallies.ts'
import { HONEYPOT, REDIRECT } from '../modules/crm/capture-fields.ts'
import { checkOpenPaymentsSoon } from '../modules/payments/operations/check-soon.ts'
import { followMessages } from '../modules/payments/operations/follow-messages.ts'
import { watchStrips } from '../modules/webhooks/delivery/strip-watch.ts'
import { makeLogDays } from '../modules/webhooks/event-log/log-days.ts'
import { eventRecorder } from '../modules/webhooks/event-log/record-events.ts'
import { createDirectory } from '../modules/workspaces/directory.ts'
import { startWorker } from '../worker/loop.ts'
import { openBackground } from './background.ts'

export type Parley = {
  /** Where the server listens; in a process without the web role it serves its health only. */
  url: string
  /** Resolves once this process goes by every setting, key and number that was committed before the call. */
  caughtUp(): Promise<void>
  /** Stops accepting, finishes what is under way, closes everything; `gently` sends those who keep connections away first. */
  close(how?: { gently: boolean }): Promise<void>
}

export type StartOptions = {
  config: Config
  databaseUrl: string
  secretKey: string
  log: Log
  /** Default DATABASE_LIMITS; tests shorten them. */
  databaseLimits?: Partial<DatabaseLimits>
  /** Default the system's; tests move it. */
  clock?: Clock
  /** `address:port` of each; default the machine's. Tests have their own. */
  nameServers?: readonly string[]
  /** Default `connectionLimits()`; tests shorten them. */
  connections?: Partial<ConnectionLimits>
}

const CONNECTIONS = 12

const LIMITER_CONNECT_MS = 2_000
/** How long a stop waits for bodies of requests. */
const CUT_MS = 5_500

/** A limiter that is away at the start is met like one that goes away later (spec 7.1). */
async function connectedRedis(url: string) {
  // Loaded only where it is used: so is its client.
  const { createRedisStore } = await import('../http/rate-limit/redis-store.ts')
  const store = createRedisStore(url)
  await Promise.race([store.connected().catch(() => {}), wait(LIMITER_CONNECT_MS)])
  return store
}

/** Starts the roles that `config` names over a migrated database. */
export async function startParley(options: StartOptions): Promise<Parley> {
  const { config, log } = options
  const clock = options.clock ?? systemClock
  const metrics = createMetrics()
  // A request's line holds only names that we chose; looking through it for secrets would cost as much as writing it.
  const requests = log.child({}, { redact: [] })
  const sealer = createSealer(options.secretKey)
  const database = openDatabase({
    url: options.databaseUrl,
    connections: CONNECTIONS,
    limits: options.databaseLimits,
    pooler: config.pooler,
    erasureKey: erasureKeyOf(options.secretKey),
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
    recordEvents: eventRecorder(clock, EVENTS),
    recordCounts: (unit) => Promise.all([recordCounts(unit), recordTallies(unit), followMessages(unit)]),
    onCommit: (wakes) => worker?.wake(wakes),
  })
  if (config.pooler?.namedStatements) await requireNamedStatements(options.databaseUrl)
  if (config.pooler) await requirePoolerSettings(database.query)
  const directory = createDirectory(database.query, clock)
  const strips = watchStrips(clock)
  const changes = listenForChanges({
    url: config.pooler?.listenUrl ?? options.databaseUrl,
    onChange: (workspaceId) => {
      directory.forget(workspaceId)
      // The workspace itself may be gone, and its events with it.
      strips.heard(workspaceId)
    },
    onStrip: strips.heard,
    onLine: (up) => {
      directory.setListening(up)
      directory.forget()
      strips.setListening(up)
    },
  })
  const limiter = config.redisUrl ? await connectedRedis(config.redisUrl) : createMemoryStore()
  const onFault = (source: string, error: unknown) => {
    metrics.countFault(source)
    log.error({ err: error, source }, 'background work failed')
  }

  const answers = answerTimes(clock)
  const fileTokens = createFileTokens(options.secretKey)
  // Whatever keeps the days from being made keeps nobody from starting: the worker tries again.
  await makeLogDays(database, clock.now()).catch((error: unknown) => onFault('log-days', error))
  const background = await openBackground({
    config,
    log,
    clock,
    database,
    directory,
    strips,
    sealer,
    fileTokens,
    answers,
    nameServers: options.nameServers,
    onFault,
  })
  if (config.roles.worker)
    await checkOpenPaymentsSoon(database.query, clock).catch((error: unknown) => onFault('payments', error))
  const worker = config.roles.worker
    ? startWorker({ sources: background.sources, onError: onFault })
    : undefined

  const connections = { ...connectionLimits(), ...options.connections }
  const callbackGuard: CallbackGuard = {
    budget: bodyBudget(connections.heldBodyBytes),
    refused: refusedCallbacks(clock, config.trustProxy),
    onError: (error) => log.error({ err: error }, 'a callback could not be taken in'),
  }
  const leaving = gracefulShutdown()
  const byAddress: AddressLimits = { limiter, clock, trustProxy: config.trustProxy }
  const keyless = limitedByAddress(byAddress, 'keyless')
  const health = healthRoutes({
    checks: {
      process: leaving.check,
      database: database.ping,
      migrations: async () => {
        const pending = await pendingMigrations(database.query)
        if (pending.length > 0) throw new Error(`waiting for ${pending.join(', ')}`)
      },
      worker: async () => {
        if (worker && !worker.healthy()) throw new Error('background work is failing; the log says why')
      },
    },
    metrics,
    clock,
    limited: keyless,
  })
  const served = config.roles.web ? endpoints(sealer) : []
  const app = buildServer({
    hold: leaving.hold,
    database,
    directory,
    clock,
    sealer,
    outside: background.outside,
    limiter,
    siteUrl: config.siteUrl,
    trustProxy: config.trustProxy,
    connections,
    endpoints: served,
    onError: (error, value) =>
      log.error({ err: error, route: `${value.method} ${value.path}` }, 'a request failed'),
    onRequest: (line) => {
      metrics.countRequest(line)
      answers.note(line.ms)
      requests.info(line, 'request')
    },
    plugins: !config.roles.web
      ? [leaving.plugin, health]
      : [
          operatorCallback(callbackGuard, operatorIntake({ database, directory, sealer, clock })),
          socialCallback(callbackGuard, socialIntake({ database, sealer, clock })),
          gatewayCallback(
            callbackGuard,
            gatewayIntake({ database, clock, connection: background.outside.gatewayConnection }),
          ),
          leadCapture({
            ...byAddress,
            directory,
            budget: callbackGuard.budget,
            siteUrl: config.siteUrl,
            fields: { honeypot: HONEYPOT, redirect: REDIRECT },
            capture: formCapture(database, clock),
            onError: (error) => log.error({ err: error }, 'an enquiry could not be taken in'),
          }),
          fileDownloads(
            fileServing({
              database,
              directory,
              clock,
              store: background.outside.mediaStore,
              tokens: fileTokens,
              onError: (error) => log.error({ err: error }, 'a file could not be served'),
            }),
            keyless,
          ),
          leaving.plugin,
          health,
          openapiRoute(
            BASE_PATH,
            {
              endpoints: served,
              events: EVENTS,
              serverUrl: config.siteUrl + BASE_PATH,
            },
            keyless,
          ),
          docsPage(keyless),
        ],
  })
  await app.listen({ port: config.port, host: config.host })
  const { port } = app.server.address() as AddressInfo

  return {
    url: `http://${config.host}:${port}`,
    caughtUp: changes.caughtUp,
    close: async (how) => {
      if (how?.gently) await leaving.leave(app)
      // A request may wait for the outside too: what is cut off there ends it with an answer. Bodies that are still
      // coming are cut off themselves.
      const closed = app.close()
      const cut = setTimeout(() => app.server.closeAllConnections(), CUT_MS)
      await background.close(async () => {
        await Promise.all([closed, leaving.settled(app), worker?.stop()])
      })
      clearTimeout(cut)
      await changes.close()
      await limiter.close()
      await database.close()
    },
  }
}
