/** The composition root: opens everything, hands each part what it needs, and closes it again. */
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { EVENTS, endpoints, JOB_KINDS } from './catalog.ts'
import type { Config } from './config.ts'
import { systemClock } from './core/clock.ts'
import type { Outside } from './core/context.ts'
import { newId } from './core/ids.ts'
import { createSealer } from './core/sealing.ts'
import type { WorkSource } from './core/work.ts'
import { listenForChanges } from './database/changes.ts'
import { openDatabase } from './database/database.ts'
import { pendingMigrations } from './database/migrate.ts'
import type { DatabaseLimits } from './database/pool.ts'
import { createEgress } from './egress/egress.ts'
import { answersSource } from './http/answers-source.ts'
import { docsPage } from './http/docs-page.ts'
import { healthRoutes } from './http/health.ts'
import { createMetrics } from './http/metrics.ts'
import { openapiRoute } from './http/openapi.ts'
import { operatorCallback } from './http/operator-callback.ts'
import { createMemoryStore } from './http/rate-limit/memory-store.ts'
import { createRedisStore } from './http/rate-limit/redis-store.ts'
import { BASE_PATH, buildServer } from './http/server.ts'
import type { Log } from './log.ts'
import { windowsSource } from './modules/conversations/operations/close-windows.ts'
import { takeInUpdates } from './modules/messages/operations/intake.ts'
import { handoverSource } from './modules/messages/work/handover-source.ts'
import { updatesSource } from './modules/messages/work/updates-source.ts'
import { clockMover } from './modules/sandbox/advance-clock.ts'
import { createSimulatorStore } from './modules/sandbox/simulator-store.ts'
import { deliveriesSource } from './modules/webhooks/deliveries-source.ts'
import { eventRecorder } from './modules/webhooks/record-events.ts'
import { retentionSource } from './modules/webhooks/retention.ts'
import { createDirectory } from './modules/workspaces/directory.ts'
import { webhookChanges } from './operator/cloud/changes.ts'
import { createCloudOperator } from './operator/cloud/operator.ts'
import { readWebhookValue } from './operator/cloud/reports.ts'
import { startSimulator } from './operator/simulator/start.ts'
import { verifyWebhookSignature } from './operator/webhook-signature.ts'
import { checkWebhookAddress, webhookSender } from './webhook-sender.ts'
import { jobsSource } from './worker/jobs-source.ts'
import { startWorker } from './worker/loop.ts'

export type Parley = {
  /** Where the server listens; undefined in a process without the web role. */
  url: string | undefined
  /** Stops accepting, finishes what is under way, closes everything. */
  close(): Promise<void>
}

export type StartOptions = {
  config: Config
  databaseUrl: string
  secretKey: string
  log: Log
  /** Default DATABASE_LIMITS; tests shorten them. */
  databaseLimits?: DatabaseLimits
}

const CONNECTIONS = 12

const LIMITER_CONNECT_MS = 2_000
/** How long a stop waits for answers from the outside. */
const STOP_PATIENCE_MS = 6_000

/** A limiter that is away at the start is met like one that goes away later (spec 7.1). */
async function connectedRedis(url: string) {
  const store = createRedisStore(url)
  await Promise.race([store.connected().catch(() => {}), wait(LIMITER_CONNECT_MS)])
  return store
}

/** Starts the roles that `config` names over a migrated database. */
export async function startParley(options: StartOptions): Promise<Parley> {
  const { config, log } = options
  const clock = systemClock
  const metrics = createMetrics()
  // A request's line holds only names that we chose; looking through it for secrets would cost as much as writing it.
  const requests = log.child({}, { redact: [] })
  const sealer = createSealer(options.secretKey)
  const database = openDatabase({
    url: options.databaseUrl,
    connections: CONNECTIONS,
    limits: options.databaseLimits,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
    recordEvents: eventRecorder(clock),
    onCommit: (wakes) => worker?.wake(wakes),
  })
  const directory = createDirectory(database.query, clock)
  const changes = listenForChanges({
    url: options.databaseUrl,
    onChange: (workspaceId) => directory.forget(workspaceId),
    onLine: (up) => {
      directory.setListening(up)
      directory.forget()
    },
  })
  const limiter = config.redisUrl ? await connectedRedis(config.redisUrl) : createMemoryStore()
  const onFault = (source: string, error: unknown) => {
    metrics.countFault(source)
    log.error({ err: error, source }, 'background work failed')
  }

  const { workspaces } = directory
  const egress = createEgress({ allow: config.egressAllow, ca: config.egressCa })
  const simulator = await startSimulator({
    store: createSimulatorStore({ database, clock, sealer, directory }),
    host: '127.0.0.1',
    port: 0,
    log: (message, error) => log.error({ err: error }, message),
  })
  const operator = createCloudOperator()
  const deliveries = deliveriesSource({
    database,
    clock,
    sealer,
    send: webhookSender(egress),
    onError: (error) => onFault('deliveries', error),
  })
  const sources: WorkSource[] = [
    handoverSource({
      database,
      clock,
      operator,
      workspaces,
      number: async (workspaceId, phoneNumberId) => {
        const number = (await directory.numbers(workspaceId)).find((one) => one.id === phoneNumberId)
        if (!number) return undefined
        const baseUrl = number.operator === 'simulator' ? simulator.url : config.operatorUrl
        return { ...number, baseUrl, token: sealer.open(number.tokenSealed) }
      },
    }),
    updatesSource({
      database,
      clock,
      workspaces,
      read: readWebhookValue,
      onUnrecognised: (workspaceId, field) =>
        log.info({ workspaceId, field }, 'an update of the operator is not acted on'),
      onError: (error) => onFault('updates', error),
    }),
    windowsSource({ database, clock, workspaces }),
    deliveries,
    jobsSource({ database, clock, kinds: JOB_KINDS, workspaces, onError: onFault }),
    retentionSource({ database, clock }),
    answersSource({ database, clock }),
  ]
  const outside: Outside = {
    checkWebhookAddress: (url, field) => checkWebhookAddress(egress, url, field),
    advanceClock: clockMover({ database, clock, directory, sources, pause: wait }),
  }
  const worker = config.roles.worker ? startWorker({ sources, onError: onFault }) : undefined

  const served = endpoints(sealer)
  const app = buildServer({
    database,
    directory,
    clock,
    sealer,
    outside,
    limiter,
    siteUrl: config.siteUrl,
    trustProxy: config.trustProxy,
    endpoints: served,
    onError: (error, value) =>
      log.error({ err: error, route: `${value.method} ${value.path}` }, 'a request failed'),
    onRequest: (line) => {
      metrics.countRequest(line)
      requests.info(line, 'request')
    },
    plugins: [
      operatorCallback({
        directory,
        sealer,
        verify: verifyWebhookSignature,
        changesOf: webhookChanges,
        takeIn: (workspaceId, changes) =>
          database.tenantIds([workspaceId], (unit) =>
            takeInUpdates(
              unit,
              changes.map(({ phoneNumberId, field, value }) => ({
                workspaceId,
                id: newId(),
                phoneNumberId,
                body: { field, value },
                reference: null,
                runAt: clock.now(),
                receivedAt: clock.now(),
              })),
            ),
          ),
      }),
      healthRoutes(
        {
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
      ),
      openapiRoute(BASE_PATH, {
        endpoints: served,
        events: EVENTS,
        serverUrl: config.siteUrl + BASE_PATH,
      }),
      docsPage,
    ],
  })
  if (config.roles.web) await app.listen({ port: config.port, host: config.host })
  const address = app.server.address() as AddressInfo | null

  return {
    url: address ? `http://${config.host}:${address.port}` : undefined,
    close: async () => {
      await app.close()
      // Calls to the outside may hang longer than whoever stops us waits. What is cut off counts as
      // what a lost connection does: a delivery is tried again, a hand-over is decided by its receipt.
      const underWay = Promise.all([worker?.stop(), deliveries.stop()])
      await Promise.race([underWay, wait(STOP_PATIENCE_MS, undefined, { ref: false })])
      await operator.close()
      await egress.close()
      await underWay
      await simulator.close()
      await changes.close()
      await limiter.close()
      await database.close()
    },
  }
}
