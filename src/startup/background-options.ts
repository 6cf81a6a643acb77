import type { Tracing } from '../adapters/tracing/tracing.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { AnswerTimes } from '../core/values/answer-times.ts'
import type { FileTokens } from '../http/auth/file-tokens.ts'
import type { Log } from '../logging/log.ts'
import type { ClockLimits } from '../modules/automating/sandbox/advance-clock.ts'
import type { StripWatch } from '../modules/platform/webhooks/delivery/stripped-events.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'
import type { KeptCall } from '../modules/platform/workspaces/work/kept-callbacks-source.ts'
import type { OnFault, StartOptions } from './start-options.ts'

export type BackgroundOptions = {
  config: Config
  log: Log
  clock: Clock
  database: Database
  directory: Directory
  strips: StripWatch
  sealer: Sealer
  /** Returns the build of the pages that this process serves, or null. */
  dashboardBuild(): string | null
  fileTokens: FileTokens
  /** Response times of this process. */
  answers: AnswerTimes
  /** Default: the machine's. */
  nameServers?: readonly string[] | undefined
  /** Default: CLOCK_LIMITS. */
  clockLimits?: ClockLimits | undefined
  findAssistant?: StartOptions['findAssistant']
  assistantTimeoutMs?: StartOptions['assistantTimeoutMs']
  onFault: OnFault
  /** Lets this process receive a kept call again, and returns the status of the answer. */
  replayCallback(call: KeptCall): Promise<number>
  /** Undefined in a process that exports no traces. */
  tracing: Tracing | undefined
  /** Counts the operator's reports about groups of customers, which are not stored. */
  countGroupReport(field: string): void
}
