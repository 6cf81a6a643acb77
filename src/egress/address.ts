import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A parsed range of addresses. */
export type Cidr = [Address, number]

/** Parses `10.0.0.0/8` or a single address. Throws on any other text. */
export function parseCidr(text: string): Cidr {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const GLOBAL_V6: Cidr = ipaddr.parseCIDR('2000::/3')
const NAT64: Cidr = ipaddr.parseCIDR('64:ff9b::/96')
const SIX_TO_FOUR: Cidr = ipaddr.parseCIDR('2002::/16')

/**
 * Returns whether a call may go to this address: it is clearly public, or inside `allow`. An IPv6 address
 * that represents an IPv4 address (mapped, NAT64, 6to4) is judged by the IPv4 address.
 */
export function mayReach(address: string, allow: readonly Cidr[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.parse(address)
  const embedded = embeddedV4(ip)
  const judged = embedded ?? ip
  if (allow.some((range) => isInside(ip, range) || isInside(judged, range))) return true
  if (judged.range() !== 'unicast') return false
  return judged.kind() === 'ipv4' || isInside(judged, GLOBAL_V6)
}

function isInside(ip: Address, [network, bits]: Cidr): boolean {
  return (
    ip.kind() === network.kind() && ip.match([network, bits] as [ipaddr.IPv4, number] & [ipaddr.IPv6, number])
  )
}

function embeddedV4(ip: Address): Address | undefined {
  if (!('parts' in ip)) return undefined
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address()
  const bytes = ip.toByteArray()
  if (isInside(ip, NAT64)) return ipaddr.fromByteArray(bytes.slice(12))
  if (isInside(ip, SIX_TO_FOUR)) return ipaddr.fromByteArray(bytes.slice(2, 6))
  return undefined
}
