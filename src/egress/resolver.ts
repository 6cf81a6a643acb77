/**
 * Finds the addresses of a host. Names with dots go directly to the machine's name servers: that uses no
 * thread and can be canceled. The system looks up the machine's own names (docs/decisions/outbound-calls.md).
 */
import { lookup, Resolver } from 'node:dns/promises'
import { statSync } from 'node:fs'
import { MINUTE_MS, SECOND_MS, systemClock } from '../core/clock.ts'
import type { Resolve, ResolvedAddress } from './connect.ts'
import { faultOf } from './faults.ts'
import { HOSTS_FILE, hostsFile } from './hosts-file.ts'
import { placesInTurn, unlessAborted, withinTime } from './places.ts'

export type ResolverOptions = {
  /** Longest wait for a place among the system lookups, in milliseconds. */
  limitMs: number
  /**
   * True if the system looks up names that no name server knows: it may know the names of a private network.
   */
  askSystem: boolean
  /** `address:port` of each name server. Default: the machine's. */
  nameServers?: readonly string[] | undefined
  /** Default: the machine's. */
  hostsFile?: string | undefined
}

export type NameResolver = {
  resolve: Resolve
  /** Closes the resolver; lookups in flight fail. */
  close(): void
}

/**
 * Each system lookup blocks a thread until the system gives up, and other work of the process needs threads.
 */
const MAX_SYSTEM_LOOKUPS = 24
/** After this long without an answer the same name server is asked again, then the next one. */
const TRY_MS = SECOND_MS
const TRIES = 3
/** The time that the addresses of one family wait for those of the other. */
const OTHER_FAMILY_MS = 500
const SETTINGS_FILE = '/etc/resolv.conf'
const CLIENT_LIFETIME_MS = MINUTE_MS

type FamilyResult = { addresses: ResolvedAddress[]; fault: string | null }

const NOTHING: FamilyResult = { addresses: [], fault: null }

export function openResolver(options: ResolverOptions): NameResolver {
  const servers = nameServerClient(options.nameServers)
  const isInHostsFile = hostsFile(options.hostsFile ?? HOSTS_FILE)
  const systemPlaces = placesInTurn(MAX_SYSTEM_LOOKUPS)
  let closed = false

  const bySystem: Resolve = async (hostname) => {
    if (!(await withinTime(options.limitMs, systemPlaces.take))) throw faultOf('dns')
    return lookup(hostname, { all: true }).finally(systemPlaces.free)
  }

  return {
    resolve: async (hostname) => {
      if (!hostname.includes('.') || (await isInHostsFile(hostname))) return bySystem(hostname)
      if (closed) throw faultOf('dns')
      const { addresses, fault } = await byNameServers(servers.current(), hostname)
      if (addresses.length > 0) return addresses
      if (fault === null && options.askSystem) return bySystem(hostname)
      throw faultOf('dns', fault)
    },
    close: () => {
      closed = true
      servers.close()
    },
  }
}

/** Returns all addresses of a name; none, without a fault, if the name is unknown. */
async function byNameServers(client: Resolver, hostname: string): Promise<FamilyResult> {
  const families = [familyOf(client.resolve4(hostname), 4), familyOf(client.resolve6(hostname), 6)]
  const first = await Promise.race(families)
  const results = Promise.all(families)
  // Some name servers do not answer IPv6 queries.
  const found =
    first.addresses.length === 0
      ? await results
      : await withinTime(OTHER_FAMILY_MS, (signal) =>
          unlessAborted(results, signal, () => faultOf('dns')),
        ).catch(() => [first, NOTHING])
  return {
    addresses: found.flatMap((result) => result.addresses),
    fault: found.find((result) => result.fault !== null)?.fault ?? null,
  }
}

const familyOf = (lookup: Promise<string[]>, family: number): Promise<FamilyResult> =>
  lookup.then(
    (addresses) => ({ addresses: addresses.map((address) => ({ address, family })), fault: null }),
    ({ code }: { code: string }) =>
      code === 'ENOTFOUND' || code === 'ENODATA' ? NOTHING : { addresses: [], fault: code },
  )

/**
 * Returns one client for all lookups, because it learns which name servers answer. Creates a new client when
 * the machine's settings change.
 */
function nameServerClient(servers: readonly string[] | undefined) {
  let client: Resolver | undefined
  let madeFor = ''
  return {
    current: (): Resolver => {
      const settings = servers?.join() ?? settingsVersion()
      if (client !== undefined && madeFor === settings) return client
      client = new Resolver({ timeout: TRY_MS, tries: TRIES })
      if (servers !== undefined) client.setServers(servers)
      madeFor = settings
      return client
    },
    close: (): void => client?.cancel(),
  }
}

function settingsVersion(): string {
  const { mtimeMs } = statSync(SETTINGS_FILE, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  // With settings in another place, no change is reported.
  return `${mtimeMs} ${Math.floor(systemClock.monotonicMs() / CLIENT_LIFETIME_MS)}`
}
