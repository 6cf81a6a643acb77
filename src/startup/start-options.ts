import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Outside } from '../core/context.ts'
import type { DatabaseLimits } from '../database/pool.ts'
import type { ConnectionLimits } from '../http/connection-bounds.ts'
import type { Log } from '../logging/log.ts'
import type { ClockLimits } from '../modules/sandbox/advance-clock.ts'

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
  /** Where builds of the dashboard lie, or `live`: it is made from its sources. Default: where they are put. */
  pages?: string
  /** Default CLOCK_LIMITS; tests shorten them. */
  clockLimits?: ClockLimits
  /** How long an assistant may take; default ASK_TIMEOUT_MS; tests shorten it. */
  assistantTimeoutMs?: number | undefined
  /** The assistant of a workspace; default: none has one. */
  findAssistant?: Outside['assistantConnection'] | undefined
}

/** What background work and requests report of their faults, by the source. */
export type OnFault = (source: string, error: unknown) => void
