/**
 * Looks names up so that those whose name servers are dead hold nobody up. The system looks up on threads that the whole
 * process shares (docs/decisions/looking-names-up.md), and keeps one for many seconds over a name that nobody answers for.
 */
import type { Resolve, ResolvedAddress } from './connect.ts'

/** How many lookups run at once: of names that are answered soon, and of those that were not, last time or so far. */
export type LookupPlaces = { quick: number; slow: number; slowAfterMs: number }

export const LOOKUP_PLACES: LookupPlaces = { quick: 24, slow: 24, slowAfterMs: 1_000 }

const MAX_SLOW_NAMES = 10_000

/** Lookups of one name that run or wait at the same time are one lookup; its answer is not remembered beyond that. */
export function fairLookups(resolve: Resolve, { quick, slow, slowAfterMs }: LookupPlaces): Resolve {
  const underWay = new Map<string, Promise<ResolvedAddress[]>>()
  const slowNames = new Set<string>()
  const quickPlaces = openPlaces(quick)
  const slowPlaces = openPlaces(slow)

  const lookUp = async (hostname: string): Promise<ResolvedAddress[]> => {
    let places = slowNames.has(hostname) ? slowPlaces : quickPlaces
    await places.take()
    slowNames.delete(hostname)
    const turnsSlow = setTimeout(() => {
      slowNames.add(hostname)
      if (slowNames.size > MAX_SLOW_NAMES) slowNames.delete(slowNames.values().next().value as string)
      if (places === slowPlaces || !slowPlaces.takeNow()) return
      places.free()
      places = slowPlaces
    }, slowAfterMs)
    try {
      return await resolve(hostname)
    } finally {
      clearTimeout(turnsSlow)
      places.free()
    }
  }

  return (hostname) => {
    const known = underWay.get(hostname)
    if (known !== undefined) return known
    const started = lookUp(hostname).finally(() => underWay.delete(hostname))
    underWay.set(hostname, started)
    return started
  }
}

/** Places that are taken in turn. */
function openPlaces(max: number) {
  let taken = 0
  const waiting: (() => void)[] = []
  const takeNow = (): boolean => {
    if (taken >= max) return false
    taken++
    return true
  }
  return {
    takeNow,
    take: (): Promise<void> | undefined =>
      takeNow() ? undefined : new Promise((resolve) => waiting.push(resolve)),
    /** Hands the place to whoever waits longest. */
    free: (): void => {
      const next = waiting.shift()
      if (next) next()
      else taken--
    },
  }
}
