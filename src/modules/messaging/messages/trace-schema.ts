/** The shape of the lines of `messages.trace`, without customers' data (src/modules/reporting/message-trace/DECISIONS.md). */
import { SECOND_MS } from '../../../core/clock.ts'
import type { OperatorError } from '../../../operator/port.ts'
import type { SkipReason } from './schema.ts'

/**
 * The length of the lease that a call begins with. At the operator, a call takes at most 30 seconds, and its receipt is awaited
 * for one minute; the rest is time to write the outcome. The simulator's messages of a lost worker are soon tried again.
 */
export const LEASE_MS = { cloud: 95 * SECOND_MS, simulator: 12 * SECOND_MS }

/** Why a message waited although it was due. */
export type LateReason =
  | 'order'
  | 'recipient_pace'
  | 'pace'
  | 'campaign'
  | 'worker'
  | 'backing_off'
  | 'restricted'
/** Why a message waits after a call. */
export type AgainReason =
  | 'message'
  | 'pair'
  | 'throttle'
  | 'quality'
  | 'unreachable'
  | 'disconnected'
  | 'campaign_paused'

/** A wait of more than a second before a call; times in milliseconds. */
type Wait = { for: LateReason; from: number; to: number }
export type Fault = Pick<OperatorError, 'code' | 'message'>

/** One line; times are in milliseconds. */
export type TraceLine =
  /**
   * A call. `call`: when its lease was written; `after`: the milliseconds until it started; `ms`: its duration; `next`: when the
   * message is due again.
   */
  | {
      call: number
      after: number
      ms: number
      result: 'accepted' | 'refused' | 'not_sent' | 'unknown'
      http?: number | undefined
      error?: Fault | undefined
      reason?: string | undefined
      next?: number | undefined
      hold?: AgainReason | undefined
      waits?: Wait[] | undefined
    }
  /**
   * A report of the operator arrived, or Parley ended the message, while a call had no recorded answer; the time is the end of
   * its lease.
   */
  | { open: number }
  /** A wait whose end was known when it began. */
  | { put: LateReason; at: number; until: number }
  /** The operator's report; `own`: its own time. */
  | { report: string; at: number; own: number; error?: Fault | undefined }
  /** Parley ended the message. */
  | { ended: 'failed'; at: number; error?: Fault | undefined }
  | { skipped: SkipReason; at: number }

/** The stored length after which only the newest of the repeated lines remains besides the first ones. */
export const TRACE_MAX = 4_000

/** Returns whether the trace ends with a call whose outcome is unknown, or that is known to be open. */
export function hasOpenCall(trace: string): boolean {
  const last = trace.slice(trace.lastIndexOf('\n') + 1)
  return last.includes('"result":"unknown"') || last.includes('{"open":')
}
