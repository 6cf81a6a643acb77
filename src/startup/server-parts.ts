import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Outside } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { AnswerTimes } from '../core/values/answer-times.ts'
import type { OpenDatabase } from '../database/database.ts'
import type { SchemaDifference } from '../database/schema-parts.ts'
import type { FileTokens } from '../http/auth/file-tokens.ts'
import type { Site } from '../http/auth/site.ts'
import type { Dashboard } from '../http/files/dashboard-files.ts'
import type { LiveHub } from '../http/live/hub.ts'
import type { AddressLimits } from '../http/rate-limit/limits.ts'
import type { RateLimitStore } from '../http/rate-limit/port.ts'
import type { RefusedSenders } from '../http/rate-limit/refused-senders.ts'
import type { GracefulShutdown } from '../http/server/graceful-shutdown.ts'
import type { Metrics } from '../http/server/metrics.ts'
import type { ConnectionLimits } from '../http/wire/connection-bounds.ts'
import type { Log } from '../logging/log.ts'
import type { SessionDirectory } from '../modules/platform/access/session-directory.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'
import type { Worker } from '../worker/loop.ts'
import type { Telemetry } from './open-telemetry.ts'

/** The open parts that the server is built from. */
export type ServiceParts = {
  config: Config
  log: Log
  clock: Clock
  database: OpenDatabase
  directory: Directory
  sessions: SessionDirectory
  unknownSessions: RefusedSenders
  site: Site
  sealer: Sealer
  checkReplies: boolean
  fileTokens: FileTokens
  limiter: RateLimitStore
  /** The rate limits of callers without a key. */
  byAddress: AddressLimits
  connections: ConnectionLimits
  outside: Outside
  metrics: Metrics
  /** Response times of this process. */
  answers: AnswerTimes
  shutdown: GracefulShutdown
  pages: Dashboard
  /** The folder of the documentation site's builds. */
  docsFolder: string
  live: LiveHub
  /** Undefined in a process without the worker role. */
  worker: Worker | undefined
  /** Undefined in a process that exports nothing. */
  telemetry: Telemetry | undefined
  /** The differences that the start found, so that readiness does not compare the tables again. */
  knownDifferences: SchemaDifference[] | undefined
}
