/** Checks host names against the limits of DNS (RFC 1035): labels of 1 to 63 octets, 253 in all, and the allowed characters. */

const MAX_NAME = 253
/** The standard forbids underscores in host names, but some reachable hosts have them. */
const LABEL = /^[a-z0-9_-]{1,63}$/i

export const IMPOSSIBLE_HOST =
  'Must have a valid host name: parts of 1 to 63 letters, digits, hyphens, or underscores, and at most 253 characters in all.'

/**
 * Whether the host of a parsed URL is an IP address or a possible DNS name. A dot at the end does not count as part of the
 * name.
 */
export function isPossibleHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = hostname.replace(/\.$/, '')
  return name.length <= MAX_NAME && name.split('.').every((label) => LABEL.test(label))
}
