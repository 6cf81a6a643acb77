/**
 * Addresses with several hosts, as libpq reads them: `postgres://user:password@db1:5432,db2:5432/parley`. New connections go
 * to the host that accepts writes (docs/high-availability.md).
 */

export type Host = { host: string; port: number }

const DEFAULT_PORT = '5432'
const MAX_PORT = 65_535
const ADDRESS = /^(postgres(?:ql)?:\/\/)((?:[^@/?]*@)?)([^/?]*)(\/[^?]*)?(?:\?(.*))?$/
/** A name, an IPv4 address, or an IPv6 address in brackets; then perhaps a port. */
const ONE_HOST = /^(\[[0-9a-f:.%]+\]|[^:[\],\s]+)(?::(\d+))?$/i
/** The values of `target_session_attrs` for a connection that can write. */
const WRITABLE_TARGETS = ['read-write', 'primary', 'any']

const isPort = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT

/**
 * Rewrites an address with several hosts to the form that URL can read: the first host, and all of them in the parameters
 * `host` and `port`. Returns an address with one host unchanged, and undefined if the hosts are invalid.
 */
export function readHosts(address: string): string | undefined {
  const [, scheme, user, authority = '', path = '', query = ''] = ADDRESS.exec(address) ?? []
  if (scheme === undefined) return undefined
  const parameters = new URLSearchParams(query)
  const target = parameters.get('target_session_attrs')
  if (target !== null && !WRITABLE_TARGETS.includes(target)) return undefined
  const named = parameters.get('host')
  const isFolder = named?.startsWith('/')
  const list = named !== null && !isFolder ? named : authority
  if (isFolder || !list.includes(',')) return address
  const hosts = list.split(',').map((text) => ONE_HOST.exec(text))
  const ports = portsOf(hosts, parameters.get('port'))
  if (!ports?.every(isPort)) return undefined
  parameters.delete('target_session_attrs')
  parameters.set('host', hosts.map((match) => match![1]).join(','))
  parameters.set('port', ports.join(','))
  return `${scheme}${user}${hosts[0]![1]}:${ports[0]}${path}?${parameters}`
}

/** Reads `host:port`; undefined if it is none. */
export function parseHost(text: string): Host | undefined {
  const [, host, port] = ONE_HOST.exec(text) ?? []
  return host !== undefined && port !== undefined && isPort(port)
    ? { host: host.replace(/^\[(.+)\]$/, '$1'), port: Number(port) }
    : undefined
}

/** Returns the port of each host: its own, that of the parameter `port`, or the default. */
function portsOf(hosts: (RegExpExecArray | null)[], parameter: string | null): string[] | undefined {
  if (hosts.includes(null)) return undefined
  const shared = parameter?.split(',') ?? []
  if (shared.length > 1 && shared.length !== hosts.length) return undefined
  return hosts.map((match, i) => match![2] ?? (shared.length > 1 ? shared[i]! : (shared[0] ?? DEFAULT_PORT)))
}

/** Returns the hosts of an address that `readHosts` has rewritten; an empty list if it has one host. */
export function hostsOf(address: string): Host[] {
  if (!URL.canParse(address)) return []
  const { searchParams } = new URL(address)
  const hosts = searchParams.get('host')?.split(',') ?? []
  if (hosts.length < 2) return []
  const ports = searchParams.get('port')?.split(',') ?? []
  return hosts.map((host, i) => ({ host: host.replace(/^\[(.+)\]$/, '$1'), port: Number(ports[i]) }))
}
