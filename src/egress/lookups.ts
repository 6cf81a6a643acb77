/** Looks up names so that dead name servers delay no other lookups (docs/decisions/outbound-calls.md). */
import type { Resolve, ResolvedAddress } from './connect.ts'
import { faultOf } from './faults.ts'
import { type Places, placesInTurn, renewableTime, unlessAborted, withinTime } from './places.ts'

/**
 * The number of concurrent lookups: for names that answer quickly, and for names that were slow last time. A
 * lookup longer than `slowAfterMs` frees its place for the next. No caller waits longer than `limitMs` for a
 * place or for an answer.
 */
export type LookupPlaces = { quick: number; slow: number; slowAfterMs: number; limitMs: number }

export const LOOKUP_PLACES = { quick: 1_000, slow: 256, slowAfterMs: 1_000 }

const MAX_SLOW_NAMES = 10_000

type Lookup = {
  answer: Promise<ResolvedAddress[]>
  /** Restarts its time limit while it waits, because another caller needs it too. */
  renew(): void
}

/** Limits lookups. Concurrent lookups of one name are a single lookup; its answer is not cached. */
export function fairLookups(resolve: Resolve, { quick, slow, slowAfterMs, limitMs }: LookupPlaces): Resolve {
  const underWay = new Map<string, Lookup>()
  const slowNames = new Set<string>()
  const quickPlaces = placesInTurn(quick)
  const slowPlaces = placesInTurn(slow)

  /** Looks up a name in a taken place, then frees the place. */
  const lookUp = async (hostname: string, firstPlaces: Places): Promise<ResolvedAddress[]> => {
    let places = firstPlaces
    slowNames.delete(hostname)
    const turnsSlow = setTimeout(() => {
      slowNames.add(hostname)
      if (slowNames.size > MAX_SLOW_NAMES) slowNames.delete(slowNames.values().next().value as string)
      if (places === slowPlaces) return
      slowPlaces.takeOver()
      quickPlaces.free()
      places = slowPlaces
    }, slowAfterMs)
    try {
      return await withinTime(limitMs, (signal) =>
        unlessAborted(resolve(hostname), signal, () => faultOf('dns')),
      )
    } finally {
      clearTimeout(turnsSlow)
      places.free()
    }
  }

  const begin = (hostname: string): Lookup => {
    const places = slowNames.has(hostname) ? slowPlaces : quickPlaces
    if (places.takeNow()) return { answer: lookUp(hostname, places), renew: () => {} }
    const patience = renewableTime(limitMs)
    const answer = places.take(patience.over).then((hasPlace) => {
      patience.end()
      if (!hasPlace) throw faultOf('dns')
      return lookUp(hostname, places)
    })
    return { answer, renew: patience.renew }
  }

  return (hostname) => {
    const existing = underWay.get(hostname)
    if (existing !== undefined) {
      existing.renew()
      return existing.answer
    }
    const lookup = begin(hostname)
    const answer = lookup.answer.finally(() => underWay.delete(hostname))
    underWay.set(hostname, { ...lookup, answer })
    return answer
  }
}
