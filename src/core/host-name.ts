/** Which host names DNS can hold (RFC 1035): labels of 1 to 63 octets, 253 in all, and the characters that names are made of. */

const MAX_NAME = 253
/** Underscores are no part of host names by the letter, and of some that are dialed. */
const LABEL = /^[a-z0-9_-]{1,63}$/i

export const IMPOSSIBLE_HOST =
  'Must have a valid host name: parts of 1 to 63 letters, digits, hyphens, or underscores, and at most 253 characters in all.'

/** Whether a host of a parsed URL is an IP address, or a name that DNS can hold. A dot at the end is none of the name. */
export function isPossibleHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = hostname.replace(/\.$/, '')
  return name.length <= MAX_NAME && name.split('.').every((label) => LABEL.test(label))
}
