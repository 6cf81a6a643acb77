import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns the CIDR range that the text names; a single address is a range of one. Undefined for any other text, and for an
 * address that is not written in full: `192.168/16` and `010.0.0.1` mean different ranges to different programs.
 */
export function toCidr(text: string): string | undefined {
  const [address = '', bits] = text.split('/')
  const family = isIP(address)
  if (family === 0) return undefined
  const cidr = bits === undefined ? `${address}/${family === 4 ? 32 : 128}` : text
  return ipaddr.isValidCIDR(cidr) ? cidr : undefined
}
