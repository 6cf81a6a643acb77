import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/**
 * Returns the client address: the socket's or, behind a trusted proxy, the nearest address in X-Forwarded-For
 * that isn't a trusted proxy (PARLEY_TRUST_PROXY).
 */
export function trustedAddress(request: IncomingMessage, trustProxy: readonly string[]): string {
  let address = plain(request.socket.remoteAddress ?? '')
  if (trustProxy.length === 0) return address
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  while (addressAllowed(address, trustProxy)) {
    const next = forwarded.pop()
    if (next === undefined || !ipaddr.isValid(next)) break
    address = plain(next)
  }
  return address
}

const MAPPED = '::ffff:'

/** Converts ::ffff:1.2.3.4 to 1.2.3.4, and normalizes IPv6. IPv4 addresses have only one spelling. */
const plain = (address: string): string => {
  if (!address.startsWith(MAPPED) && !address.includes(':')) return address
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

const MAPPED_BITS = 96

/** Reads an IPv4-mapped range as IPv4: ::ffff:10.0.0.0/104 is 10.0.0.0/8. */
function rangeOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [base, prefix] = entry.includes('/')
    ? ipaddr.parseCIDR(entry)
    : singleAddressRange(ipaddr.parse(entry))
  return 'isIPv4MappedAddress' in base && base.isIPv4MappedAddress() && prefix >= MAPPED_BITS
    ? [base.toIPv4Address(), prefix - MAPPED_BITS]
    : [base, prefix]
}

const singleAddressRange = (ip: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] => [
  ip,
  ip.kind() === 'ipv4' ? 32 : 128,
]

/** Returns whether `address` is in one of the CIDRs or equals one of the addresses. */
export function addressAllowed(address: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  return allowed.some((entry) => {
    const [base, prefix] = rangeOf(entry)
    return base.kind() === ip.kind() && ip.match(base, prefix)
  })
}
