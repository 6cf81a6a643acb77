/** Parsers of the texts of settings. A problem is a sentence for the administrator. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { toCidr } from './values/address-range.ts'
import { CELL_NAME_RULE, isCellName } from './values/cell.ts'
import { readHosts } from './values/database-hosts.ts'
import { isUuid } from './values/uuid.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
const shortestSecretKey = 32
type Problem = { problem: string }
export type Parsed<T> = { value: T } | Problem

export const parseWorkspaceId = (text: string): Parsed<string> =>
  isUuid(text) ? { value: text.toLowerCase() } : { problem: 'Must be the id of a workspace.' }

export function parseDomains(text: string): Parsed<string[]> {
  const domains = list(text.toLowerCase())
  const areDomains = domains.length > 0 && domains.every((name) => /^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/.test(name))
  return areDomains
    ? { value: domains }
    : { problem: 'Must be domains of email addresses, separated by commas, such as example.com.' }
}

export function parseSender(text: string): Parsed<string> {
  if (/^(?:[^<>\r\n]{1,200} )?<?[^\s<>@]{1,64}@[^\s<>@]{1,250}>?$/.test(text)) return { value: text }
  return {
    problem: 'Must be an email address, or a name and an address, such as Parley <parley@example.com>.',
  }
}

export function parsePort(text: string): Parsed<number> {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return { value: port }
  return { problem: `Must be a port from 1 to 65535, not "${text}".` }
}

export function parseHost(text: string): Parsed<string> {
  if (ipaddr.isValid(text) || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)) return { value: text }
  return {
    problem: `Must be an IP address or a host name, such as 0.0.0.0, not "${text}".`,
  }
}

export function parseWebAddress(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return { problem: `Must be a web address, such as https://example.com, not "${text}".` }
  if (url.username || url.password || url.search || url.hash)
    return { problem: 'Must be an address without a user, a query, or a fragment.' }
  return { value: url.href.replace(/\/+$/, '') }
}

export function parseSiteUrl(text: string): Parsed<string> {
  const parsed = parseWebAddress(text)
  if ('value' in parsed && new URL(parsed.value).pathname !== '/')
    return { problem: 'Must be an address without a path. Parley runs at the root of its site.' }
  return parsed
}

// The value may contain a password, so error messages never repeat it.
export function parseDatabaseUrl(text: string): Parsed<string> {
  const problem = 'Must be a PostgreSQL address, such as postgres://user:password@host:5432/database.'
  if (!/^postgres(ql)?:\/\//.test(text)) return { problem }
  const address = readHosts(text)
  if (address === undefined)
    return {
      problem:
        'Must list hosts like postgres://user:password@host1:5432,host2:5432/database, and connect to the one that accepts writes (target_session_attrs=read-write).',
    }
  // A socket folder as host leaves the host name empty, which URL does not accept.
  const standard = address.replace('@/', '@localhost/')
  if (!URL.canParse(standard)) return { problem }
  const { pathname, searchParams } = new URL(standard)
  if (pathname.length <= 1)
    return { problem: 'Must name a database, such as postgres://user:password@host:5432/database.' }
  // With a socket folder as host, the port is a parameter.
  const ports = searchParams.getAll('port').flatMap((list) => list.split(','))
  const isPort = ports.every((port) => 'value' in parsePort(port))
  return isPort ? { value: address } : { problem: 'Must have a port from 1 to 65535 in its query.' }
}

export function parseCell(text: string): Parsed<string> {
  if (isCellName(text)) return { value: text }
  return { problem: `${CELL_NAME_RULE}, not "${text}".` }
}

export function parseRedisUrl(text: string): Parsed<string> {
  if (/^rediss?:\/\//.test(text) && URL.canParse(text)) return { value: text }
  return { problem: 'Must be a Redis address, such as redis://host:6379.' }
}

export function parseRoles(text: string): Parsed<{ web: boolean; worker: boolean }> {
  const names = list(text)
  const unknown = names.filter((name) => name !== 'web' && name !== 'worker')
  if (unknown.length > 0 || names.length === 0)
    return { problem: `Must be web, worker, or web,worker, not "${unknown.join(', ')}".` }
  return { value: { web: names.includes('web'), worker: names.includes('worker') } }
}

const LONGEST_DAYS = 3_650
export const parseDays =
  (least: number) =>
  (text: string): Parsed<number> => {
    const days = Number(text)
    if (/^\d+$/.test(text) && days >= least && days <= LONGEST_DAYS) return { value: days }
    return { problem: `Must be a number of days from ${least} to ${LONGEST_DAYS}, not "${text}".` }
  }

export function parseOnOff(text: string): Parsed<boolean> {
  if (text === 'on' || text === 'off') return { value: text === 'on' }
  return { problem: `Must be on or off, not "${text}".` }
}

export function parseSecretKey(text: string): Parsed<string> {
  if (text.length >= shortestSecretKey) return { value: text }
  return { problem: `Must have at least ${shortestSecretKey} random characters.` }
}

export function parseRanges(text: string): Parsed<string[]> {
  const ranges = list(text)
  const wrong = ranges.filter((range) => toCidr(range) === undefined)
  if (wrong.length === 0) return { value: ranges.flatMap((range) => toCidr(range) ?? []) }
  return { problem: `Must be address ranges, such as 10.0.0.0/8,::1/128, not ${wrong.join(', ')}.` }
}

// The variable names a file, but PARLEY_EGRESS_CA_FILE may name the certificates directly; then `text` already contains them.
export function parseAuthorities(text: string, cwd: string): Parsed<string> {
  let pem = text
  try {
    if (!text.startsWith('-----BEGIN')) pem = readFileSync(resolve(cwd, text), 'utf8')
  } catch (error) {
    return { problem: `${text} can't be read (${(error as NodeJS.ErrnoException).code}).` }
  }
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  try {
    for (const certificate of certificates) new X509Certificate(certificate)
  } catch {
    return { problem: "Contains a certificate that can't be read." }
  }
  return certificates.length > 0 ? { value: pem } : { problem: 'Must contain a certificate in PEM format.' }
}

export function parseContact(text: string): Parsed<string> {
  if (/^[^\s<>@:]{1,64}@[^\s<>@]{1,250}$/.test(text)) return { value: `mailto:${text}` }
  if (/^(?:https:\/\/|mailto:|tel:)\S+$/.test(text) && URL.canParse(text)) return { value: text }
  return {
    problem: `Must be an email address, or an address that starts with https:, mailto:, or tel:, not "${text}".`,
  }
}

export function parseLogLevel(text: string): Parsed<LogLevel> {
  const level = logLevels.find((known) => known === text.toLowerCase())
  return level ? { value: level } : { problem: `Must be one of ${logLevels.join(', ')}, not "${text}".` }
}

export const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
