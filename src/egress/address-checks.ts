/**
 * Runs the lookups that check an address before it is stored. They are separate from the lookups for due
 * calls, so a caller who names dead hosts delays neither deliveries nor other callers' checks.
 */
import { faultOf } from './faults.ts'
import { type Places, placesInTurn, unlessAborted, withinTime } from './places.ts'

/**
 * The number of concurrent checks (one for each caller), and of waiting ones in total and for each caller. No
 * check takes longer than `limitMs`.
 */
export type CheckPlaces = { atOnce: number; waiting: number; waitingOfEach: number; limitMs: number }

export const CHECK_PLACES = { atOnce: 8, waiting: 512, waitingOfEach: 32 }

type Asker = { turn: Places; checks: number }

/**
 * Runs `check` in its turn. Rejects with the fault `busy` if too many wait, and `dns` if it runs out of time.
 */
export type RunCheck = <T>(asker: string, check: () => Promise<T>) => Promise<T>

export function fairChecks({ atOnce, waiting, waitingOfEach, limitMs }: CheckPlaces): RunCheck {
  const places = placesInTurn(atOnce)
  const askers = new Map<string, Asker>()
  let checks = 0

  const runInPlace = async <T>(turn: Places, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (!(await turn.take(signal))) throw faultOf('dns')
    return work().finally(turn.free)
  }

  return async (askerId, check) => {
    const asker = askers.get(askerId) ?? { turn: placesInTurn(1), checks: 0 }
    if (asker.checks > waitingOfEach || checks >= atOnce + waiting) throw faultOf('busy')
    askers.set(askerId, asker)
    asker.checks++
    checks++
    try {
      return await withinTime(limitMs, (signal) =>
        runInPlace(asker.turn, signal, () =>
          runInPlace(places, signal, () => unlessAborted(check(), signal, () => faultOf('dns'))),
        ),
      )
    } finally {
      checks--
      asker.checks--
      if (asker.checks === 0) askers.delete(askerId)
    }
  }
}
