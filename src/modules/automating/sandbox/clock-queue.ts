import type { Clock } from '../../../core/clock.ts'
import { refuse } from '../../../core/errors.ts'

/**
 * The limits of a call's wait for its turn: until `giveUpAt` (`monotonicMs`), or until its caller
 * disconnects.
 */
export type Patience = { callerLeft: AbortSignal; giveUpAt: number }

type WaitingTurn = {
  clock: Clock
  /** Waits in real time; rejects when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<unknown>
}

const RETRY_SECONDS = 5

/** Refuses a call that did not get its turn in time. */
export const refuseTurn = (): never =>
  refuse('rate_limited', 'Other requests are moving this clock. Try again when they have finished.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

/**
 * Runs the calls of one workspace one after the other, and those of all workspaces `maxAtOnce` at a time, in
 * order of arrival. A call that waits too long fails and delays no other.
 */
export function clockTurns({ clock, pause }: WaitingTurn, maxAtOnce: number) {
  const lastOf = new Map<string, Promise<void>>()
  const queue: (() => void)[] = []
  let freeTurns = maxAtOnce

  const nextPlace = (): Promise<void> => {
    if (freeTurns > 0) {
      freeTurns--
      return Promise.resolve()
    }
    return new Promise((resolve) => queue.push(resolve))
  }
  const givePlaceBack = (): void => {
    const next = queue.shift()
    if (next) next()
    else freeTurns++
  }

  const waitFor = async (turn: Promise<void>, { callerLeft, giveUpAt }: Patience): Promise<void> => {
    const turnStarted = new AbortController()
    const timeout = pause(
      Math.max(0, giveUpAt - clock.monotonicMs()),
      AbortSignal.any([turnStarted.signal, callerLeft]),
    )
    const isInTime = await Promise.race([
      turn.then(() => true),
      timeout.then(
        () => false,
        () => false,
      ),
    ])
    turnStarted.abort()
    if (!isInTime) refuseTurn()
  }

  return async <T>(workspaceId: string, patience: Patience, work: () => Promise<T>): Promise<T> => {
    const before = lastOf.get(workspaceId) ?? Promise.resolve()
    const { promise: turnEnd, resolve: end } = Promise.withResolvers<void>()
    const last = before.then(() => turnEnd)
    lastOf.set(workspaceId, last)
    void last.then(() => {
      if (lastOf.get(workspaceId) === last) lastOf.delete(workspaceId)
    })
    try {
      await waitFor(before, patience)
      const place = nextPlace()
      try {
        await waitFor(place, patience)
        return await work()
      } finally {
        // Also a turn that is granted only after its caller was refused.
        void place.then(givePlaceBack)
      }
    } finally {
      end()
    }
  }
}
