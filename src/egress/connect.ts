import { isIP } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import { buildConnector } from 'undici'
import type { Cidr } from './address.ts'
import { mayReach } from './address.ts'
import { EgressFault, faultFrom } from './faults.ts'
import { refuseAddress } from './target.ts'

/** One address of a host name. `family` is 4 or 6. */
export type ResolvedAddress = { address: string; family: number }

/** Finds all addresses of a host name. Rejects with a DNS error code. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>

/**
 * Resolves a name and returns its addresses only if calls may go to all of them. Rejects with `EgressFault`.
 */
export async function resolveChecked(
  hostname: string,
  resolve: Resolve,
  allow: readonly Cidr[],
): Promise<ResolvedAddress[]> {
  const addresses = await resolve(hostname).catch((error: unknown) => {
    throw faultFrom(error)
  })
  if (addresses.length === 0)
    throw new EgressFault('dns', 'The host name has no address. Check its DNS records.')
  if (!addresses.every(({ address }) => mayReach(address, allow))) refuseAddress()
  return addresses
}

/** The options of a connection. `ca` is PEM text of authorities to trust in addition to the usual ones. */
export type ConnectOptions = {
  allow: readonly Cidr[]
  resolve: Resolve
  connectTimeoutMs: number
  ca?: string
}

/**
 * Returns the function that opens every connection. It resolves the name each time and connects to exactly
 * the addresses that were checked, so DNS rebinding has no effect. Certificate and SNI stay those of the
 * name.
 */
export function makeConnector(options: ConnectOptions): buildConnector.connector {
  const { allow, resolve, connectTimeoutMs, ca } = options
  const dial = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    // Created once: parsing the root certificates for each connection would cost more than the handshake.
    secureContext: createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
    autoSelectFamilyAttemptTimeout: 1000,
    lookup: (hostname, { all }, answer) => {
      resolveChecked(hostname, resolve, allow).then(
        (addresses) => {
          if (all) answer(null, addresses)
          else answer(null, addresses[0]!.address, addresses[0]!.family)
        },
        (fault: Error) => answer(fault, ''),
      )
    },
  })
  return (connectOptions, callback) => {
    // A literal address is connected to without a lookup, so it is checked here.
    if (isIP(connectOptions.hostname) !== 0 && !mayReach(connectOptions.hostname, allow)) {
      const fault = new EgressFault('refused_address', 'The host must be on the public internet.')
      queueMicrotask(() => callback(fault, null))
      return
    }
    dial(connectOptions, callback)
  }
}

/** Wraps a connector to count its open connections. */
export function countOpen(connector: buildConnector.connector): {
  connect: buildConnector.connector
  openNow(): number
} {
  let open = 0
  const connect: buildConnector.connector = (connectOptions, callback) =>
    connector(connectOptions, (...result) => {
      const [, socket] = result
      if (socket) {
        open++
        socket.once('close', () => open--)
      }
      callback(...result)
    })
  return { connect, openNow: () => open }
}
