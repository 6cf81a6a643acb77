/**
 * Applies the callbacks that arrived while their workspace moved: here, if it stayed or arrived, or in its new cell
 * (docs/decisions/workspace-moves.md). A callback may be delivered twice, like a repetition by its sender.
 */
import { type Clock, DAY_MS, later, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import {
  claimKeptCallbacks,
  type DueCallback,
  deleteFailedCallbacks,
  deleteKeptCallback,
  handOnKeptCallback,
  setBackKeptCallback,
} from '../queries/kept-callbacks.ts'

export const KEPT_CALLBACKS = 'kept-callbacks'

/** A callback to send again, as it arrived. */
export type KeptCall = Pick<DueCallback, 'method' | 'path' | 'headers' | 'body' | 'sender'>

export type KeptCallbacksOptions = {
  database: Pick<Database, 'query'>
  clock: Clock
  /** Lets this process receive the call again, and returns the status of the answer. */
  replayCallback(call: KeptCall): Promise<number>
  /** Sends the call to another installation, and returns the status of the answer. */
  forwardCallback(address: string, call: KeptCall): Promise<number>
  onError(error: unknown): void
}

const MAX_AT_ONCE = 20
const LEASE_MS = 2 * MINUTE_MS
const FIRST_WAIT_MS = SECOND_MS
const MAX_WAIT_MS = 10 * MINUTE_MS
/** After this time, a callback that no receiver accepts is set aside. */
const TRIED_FOR_MS = DAY_MS
const KEPT_DAYS = 7

/** The receiver has the call, or would answer any repetition in the same way. */
const isSettled = (status: number): boolean => status < 400 || [400, 413, 415, 422].includes(status)

export function keptCallbacksSource(options: KeptCallbacksOptions): WorkSource {
  const { database, clock } = options
  const { query } = database

  const deliver = async (call: DueCallback): Promise<void> => {
    if (call.movedTo?.local) {
      await handOnKeptCallback(query, call, call.movedTo.cell)
      return
    }
    const status = call.movedTo
      ? await options.forwardCallback(call.movedTo.address!, call)
      : await options.replayCallback(call)
    if (!isSettled(status)) throw new Error(`the receiver answered ${status}`)
    await deleteKeptCallback(query, call)
  }

  const setBack = async (call: DueCallback, error: unknown): Promise<void> => {
    options.onError(error)
    const now = clock.now()
    const isOver = later(call.receivedAt, TRIED_FOR_MS) <= now
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** call.attempts)
    const reason = error instanceof Error ? error.message : String(error)
    await setBackKeptCallback(query, call, {
      error: reason,
      runAt: later(now, waitMs),
      failedAt: isOver ? now : null,
    })
  }

  return {
    name: KEPT_CALLBACKS,
    pollMs: SECOND_MS,
    async runDue({ workspaceId }) {
      // They arrived from outside, in real time.
      if (workspaceId !== undefined) return 0
      const now = clock.now()
      const due = await claimKeptCallbacks(query, { now, until: later(now, LEASE_MS), limit: MAX_AT_ONCE })
      // One after the other, in the order of their arrival.
      for (const call of due) await deliver(call).catch((error: unknown) => setBack(call, error))
      if (due.length === 0) await deleteFailedCallbacks(query, later(now, -KEPT_DAYS * DAY_MS), MAX_AT_ONCE)
      return due.length
    },
  }
}
