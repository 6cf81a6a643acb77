import { isIP } from 'node:net'
import { IMPOSSIBLE_HOST, isPossibleHost } from '../core/values/host-name.ts'
import { REWRITTEN_IN_URLS } from '../core/values/text.ts'
import type { Cidr } from './address.ts'
import { mayReach } from './address.ts'
import { EgressFault } from './faults.ts'

/** An address parsed once for many calls. */
export type Target = {
  /** Scheme, host and port. */
  origin: string
  /** Path and query, starting with `/`. */
  path: string
  /** The host name without brackets or a trailing dot. */
  hostname: string
}

const MAX_URL_CHARACTERS = 2048
const METADATA_NAMES = /^(metadata|instance-data)(\..*)?$|\.metadata\.internal$/
const LOCAL_NAMES = /(^|\.)(localhost|internal|localdomain|ip6-localhost|ip6-loopback)$/
const LOCAL_REFUSAL = 'The host must be a public name, not a local one.'

/**
 * Parses an address and checks everything that needs no name server. Local names pass only with an allow
 * list; then their resolved address decides. Throws `EgressFault` (`refused_address`).
 */
export function parseTarget(url: string, requireHttps: boolean, allow: readonly Cidr[]): Target {
  if (url.length > MAX_URL_CHARACTERS)
    refuse(`The address must have at most ${MAX_URL_CHARACTERS} characters.`)
  if (REWRITTEN_IN_URLS.test(url))
    refuse('The address must not contain white space, control characters, or backslashes.')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    refuse('The address must be a complete http or https URL.')
  const parsed = new URL(url)
  if (requireHttps && parsed.protocol !== 'https:') refuse('The address must start with https://.')
  if (parsed.username !== '' || parsed.password !== '')
    refuse('The address must not contain a user name or a password.')
  const host = parsed.hostname.replace(/\.$/, '')
  const hostname = host.replace(/^\[|\]$/g, '')
  if (hostname === '') refuse('The address must have a host.')
  if (!isPossibleHost(parsed.hostname)) refuse(IMPOSSIBLE_HOST.replace('Must', 'The address must'))
  refuseHost(hostname, allow)
  const port = parsed.port === '' ? '' : `:${parsed.port}`
  return { origin: `${parsed.protocol}//${host}${port}`, path: parsed.pathname + parsed.search, hostname }
}

function refuseHost(hostname: string, allow: readonly Cidr[]): void {
  if (isIP(hostname) !== 0) {
    if (!mayReach(hostname, allow)) refuseAddress()
    return
  }
  if (METADATA_NAMES.test(hostname)) refuse('The host must not be a metadata service.')
  if (allow.length === 0 && LOCAL_NAMES.test(hostname)) refuse(LOCAL_REFUSAL)
}

/** Rejects a name that no name server knows and that is not a public internet name. */
export function refuseUnknownLocalName(hostname: string): void {
  if (LOCAL_NAMES.test(hostname) || !hostname.includes('.')) refuse(LOCAL_REFUSAL)
}

/** Rejects a host that is, or resolves to, a forbidden address. The message does not say which. */
export function refuseAddress(): never {
  return refuse('The host must be on the public internet.')
}

function refuse(message: string): never {
  throw new EgressFault('refused_address', message)
}
