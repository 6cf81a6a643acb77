import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Outside } from '../core/context.ts'
import type { DatabaseLimits } from '../database/pool.ts'
import type { SchemaDifference } from '../database/schema-parts.ts'
import type { ConnectionLimits } from '../http/wire/connection-bounds.ts'
import type { Log } from '../logging/log.ts'
import type { ClockLimits } from '../modules/automating/sandbox/advance-clock.ts'

export type StartOptions = {
  config: Config
  databaseUrl: string
  secretKey: string
  log: Log
  /** The differences between the database and this version, if they were read just now. */
  knownDifferences?: SchemaDifference[] | undefined
  /** Default: DATABASE_LIMITS; tests shorten them. */
  databaseLimits?: Partial<DatabaseLimits>
  /** Default: the system's; tests move it. */
  clock?: Clock
  /** `address:port` of each name server; default: the machine's. Tests have their own. */
  nameServers?: readonly string[]
  /** Default: `connectionLimits()`; tests shorten them. */
  connections?: Partial<ConnectionLimits>
  /** The folder of dashboard builds, or `live` for the dashboard's sources. Default: the build folder. */
  pages?: string
  /** The folder of the documentation site's builds. Default: the build folder. */
  docsFolder?: string
  /** Validates answers against their schemas, so that a wrong answer is a fault. Used by tests. */
  checkReplies?: boolean
  /** Default: CLOCK_LIMITS; tests shorten them. */
  clockLimits?: ClockLimits
  /** The maximum time for an assistant's answer. Default: ASK_TIMEOUT_MS; tests shorten it. */
  assistantTimeoutMs?: number | undefined
  /** Returns the assistant of a workspace. Default: no workspace has one. */
  findAssistant?: Outside['assistantConnection'] | undefined
}

/** Called with faults of background work and requests, by source. */
export type OnFault = (source: string, error: unknown) => void
