/** Builds the server for the roles of a process: the API with its other routes, or health checks only. */
import type { FastifyInstance } from 'fastify'
import { scimDirectory } from '../adapters/scim-directory.ts'
import { DASHBOARD_ENDPOINTS, ENDPOINTS, EVENTS } from '../catalog.ts'
import { MINUTE_MS } from '../core/clock.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { databaseFaults, schemaDifferences } from '../database/schema-parts.ts'
import type { ServerOptions } from '../http/endpoint/server-options.ts'
import { docsSite } from '../http/files/docs-site.ts'
import { mcpRoute } from '../http/mcp/mcp-route.ts'
import { openapiRoute } from '../http/openapi/openapi.ts'
import { limitedByAddress } from '../http/rate-limit/limits.ts'
import { scimRoutes } from '../http/scim/scim-routes.ts'
import { healthRoutes, type ReadyChecks, throttleCheck } from '../http/server/health.ts'
import { buildServer } from '../http/server/server.ts'
import { fieldsOf } from '../http/wire/request-line.ts'
import { BASE_PATH } from '../http/wire/routes.ts'
import { infoLines } from '../logging/log.ts'
import { keylessRoutes, type Plugin, replayRoutes } from './keyless-routes.ts'
import { messageFilesPlugin, streamPlugin } from './page-fetches.ts'
import { siteFilesPlugin } from './public-pages.ts'
import type { ServiceParts } from './server-parts.ts'

function readyChecks({ shutdown, database, worker, clock, knownDifferences }: ServiceParts): ReadyChecks {
  // Compares thousands of parts, which takes 40 ms of processor time.
  const readDifferences = throttleCheck(
    clock,
    MINUTE_MS,
    () => schemaDifferences(database.query),
    knownDifferences,
  )
  return {
    process: shutdown.check,
    database: database.ping,
    migrations: async () => {
      const faults = await databaseFaults(database.query, readDifferences)
      if (faults.length > 0) throw new Error(faults.join('. '))
    },
    worker: async () => {
      if (worker && !worker.healthy())
        throw new Error('background work is failing. See the log for the reason')
    },
  }
}

const assistantsPlugin = ({ config, log, ...parts }: ServiceParts): Plugin =>
  mcpRoute({
    ...parts,
    endpoints: ENDPOINTS,
    siteUrl: config.siteUrl,
    trustProxy: config.trustProxy,
    onError: (error) => log.info({ err: error }, 'a message of an assistant was refused'),
  })

const provisioningPlugin = ({ config, log, ...parts }: ServiceParts): Plugin =>
  scimRoutes({
    ...parts,
    scim: scimDirectory(parts),
    siteUrl: config.siteUrl,
    trustProxy: config.trustProxy,
    onError: (error) => log.error({ err: error }, 'a request of an identity provider failed'),
  })

function plugins(parts: ServiceParts): Plugin[] {
  const { metrics, clock, config } = parts
  const limited = limitedByAddress(parts.byAddress, 'keyless')
  const commonPlugins = [
    parts.shutdown.plugin,
    healthRoutes({ checks: readyChecks(parts), metrics, clock, limited }),
  ]
  if (!config.roles.web) return commonPlugins
  const apiDescription = { endpoints: ENDPOINTS, events: EVENTS, serverUrl: config.siteUrl + BASE_PATH }
  return [
    ...(parts.telemetry?.tracing ? [parts.telemetry.tracing.requests] : []),
    ...keylessRoutes(parts),
    ...commonPlugins,
    openapiRoute(BASE_PATH, apiDescription, limited),
    docsSite({ folder: parts.docsFolder, limited }),
    assistantsPlugin(parts),
    provisioningPlugin(parts),
    streamPlugin(parts),
    messageFilesPlugin(parts),
    siteFilesPlugin(parts, limited),
    parts.pages.plugin,
  ]
}

/** The options that the service's server and the server for kept calls share. */
function commonOptions(parts: ServiceParts) {
  const { config, log } = parts
  return {
    hold: parts.shutdown.hold,
    database: parts.database,
    directory: parts.directory,
    clock: parts.clock,
    sealer: parts.sealer,
    checkReplies: parts.checkReplies,
    outside: parts.outside,
    limiter: parts.limiter,
    siteUrl: config.siteUrl,
    site: parts.site,
    sessions: parts.sessions,
    unknownSessions: parts.unknownSessions,
    trustProxy: config.trustProxy,
    connections: parts.connections,
    onError: (error: unknown, value: Endpoint) =>
      log.error({ err: error, route: `${value.method} ${value.path}` }, 'request failed'),
  }
}

/** Builds the server; the caller makes it listen. */
export function buildServiceServer(parts: ServiceParts): FastifyInstance {
  const { config, log, metrics, answers } = parts
  const logLine = infoLines(log)
  const onRequest: ServerOptions['onRequest'] = (line) => {
    metrics.countRequest(line)
    answers.note(line.ms)
    logLine(fieldsOf(line), 'request')
  }
  return buildServer({
    ...commonOptions(parts),
    endpoints: config.roles.web ? [...ENDPOINTS, ...DASHBOARD_ENDPOINTS] : [],
    onBatch: metrics.countBatch,
    onRequest: parts.telemetry?.onRequest(parts, logLine) ?? onRequest,
    traceBatches: parts.telemetry?.tracing?.traceBatches,
    onTurnedAway: (connections) => {
      metrics.countTurnedAway(connections)
      log.warn(
        { connections, maxConnections: parts.connections.maxConnections },
        'connections closed: connection limit reached',
      )
    },
    plugins: plugins(parts),
    page: config.roles.web ? parts.pages.page : undefined,
  })
}

/**
 * Builds a server that never listens: background work of any process sends kept calls to it
 * (docs/decisions/workspace-moves.md).
 */
export const buildReplayServer = (parts: ServiceParts): FastifyInstance =>
  buildServer({
    ...commonOptions(parts),
    endpoints: [],
    onBatch: () => {},
    onRequest: () => {},
    onTurnedAway: () => {},
    plugins: replayRoutes(parts),
    page: undefined,
  })
