import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { addressAllowed } from './authentication.ts'

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
