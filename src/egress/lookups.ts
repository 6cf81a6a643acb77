/** Looks names up so that those whose name servers are dead hold nobody up (docs/decisions/outbound-calls.md). */
import type { Resolve, ResolvedAddress } from './connect.ts'
import { faultOf } from './faults.ts'
import { type Places, placesInTurn, renewableTime, unlessLate, withinTime } from './places.ts'

/**
 * How many lookups run at once: of names that are answered soon, and of those that were not last time. A lookup that takes
 * longer than `slowAfterMs` makes room for the next. Nobody waits for a place, nor for an answer, longer than `limitMs`.
 */
export type LookupPlaces = { quick: number; slow: number; slowAfterMs: number; limitMs: number }

export const LOOKUP_PLACES = { quick: 1_000, slow: 256, slowAfterMs: 1_000 }

const MAX_SLOW_NAMES = 10_000

type Lookup = {
  answer: Promise<ResolvedAddress[]>
  /** Gives it its time anew while it waits: somebody else wants it too. */
  renew(): void
}

/** Lookups of one name that run or wait at the same time are one lookup; its answer is not remembered beyond that. */
export function fairLookups(resolve: Resolve, { quick, slow, slowAfterMs, limitMs }: LookupPlaces): Resolve {
  const underWay = new Map<string, Lookup>()
  const slowNames = new Set<string>()
  const quickPlaces = placesInTurn(quick)
  const slowPlaces = placesInTurn(slow)

  /** Looks up in a place that is taken, and gives it back. */
  const lookUp = async (hostname: string, taken: Places): Promise<ResolvedAddress[]> => {
    let places = taken
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
      return await withinTime(limitMs, (late) => unlessLate(resolve(hostname), late, () => faultOf('dns')))
    } finally {
      clearTimeout(turnsSlow)
      places.free()
    }
  }

  const begin = (hostname: string): Lookup => {
    const places = slowNames.has(hostname) ? slowPlaces : quickPlaces
    if (places.takeNow()) return { answer: lookUp(hostname, places), renew: () => {} }
    const patience = renewableTime(limitMs)
    const answer = places.take(patience.over).then((got) => {
      patience.end()
      if (!got) throw faultOf('dns')
      return lookUp(hostname, places)
    })
    return { answer, renew: patience.renew }
  }

  return (hostname) => {
    const known = underWay.get(hostname)
    if (known !== undefined) {
      known.renew()
      return known.answer
    }
    const lookup = begin(hostname)
    const answer = lookup.answer.finally(() => underWay.delete(hostname))
    underWay.set(hostname, { ...lookup, answer })
    return answer
  }
}
