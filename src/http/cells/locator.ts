/**
 * Reads from a request which cell it is for, without its body: a proxy asks before it has one. A key names its cell; everything
 * else is a locator, which the cells look up (docs/cells.md).
 */
import type { IncomingHttpHeaders } from 'node:http'
import { hashToken } from '../../core/session.ts'
import { cellOfApiKey, hashApiKey, looksLikeApiKey } from '../../core/values/api-key.ts'
import { UUID_BYTES, uuidFromBytes } from '../../core/values/uuid-bytes.ts'

/** The kinds of values by which a request is found to belong to a cell. Secrets are given as their hashes, in hexadecimal. */
export const LOCATOR_KINDS = [
  /** The hash of an API key. */
  'key',
  /** The hash of a session's token. */
  'session',
  /** The id of a workspace. */
  'workspace',
  /** The token of a lead-capture link. */
  'capture',
  /** The token of a shop's address. */
  'shop',
  /** The name and token of a public page: `i/TOKEN`. */
  'page',
  /** The hash of the token of a sign-in link, an invitation, or a reset. */
  'link',
  /** The email address of an account. */
  'email',
] as const
export type LocatorKind = (typeof LOCATOR_KINDS)[number]
export type Locator = { kind: LocatorKind; value: string }

/** `cell` is the cell to look in first. Without a locator, any cell can answer. */
export type Destination = { locator?: Locator; cell?: string }

/** A request as a proxy describes it. `address` is its path and query. */
export type ProxiedRequest = { address: string; headers: IncomingHttpHeaders }

/** The header in which the pages repeat the email address or the token of a body, so that a proxy can route it. */
export const ACCOUNT_HINT_HEADER = 'parley-account-hint'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MAX_VALUE_LENGTH = 320

const hexOf = (bytes: Buffer): string => bytes.toString('hex')

/** Returns the workspace in the token of a file link, which begins with it. */
function workspaceOfFile(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= UUID_BYTES) return undefined
  return uuidFromBytes(bytes.subarray(0, UUID_BYTES))
}

const workspaceLocator = (id: string | null | undefined): Locator | undefined =>
  id && UUID.test(id) ? { kind: 'workspace', value: id.toLowerCase() } : undefined

/** Reads the paths whose addresses say where they lead, without a key and without a session. */
function locatorOfPath(path: string, pageNames: readonly string[]): Locator | undefined {
  const [first = '', second = '', third = '', fourth = ''] = path.split('/').slice(1)
  if (first === 'api' && ['operator', 'social', 'gateway'].includes(second)) return workspaceLocator(third)
  if (path.startsWith('/api/leads/capture/') && fourth) return { kind: 'capture', value: fourth }
  if (first === 'in' && second) return { kind: 'shop', value: second }
  if (first === 'media' && second) return workspaceLocator(workspaceOfFile(second))
  if (first === 'sign-in' && second) return { kind: 'link', value: hexOf(hashToken(second)) }
  if (pageNames.includes(first) && second) return { kind: 'page', value: `${first}/${second}` }
  return undefined
}

/** Reads the email address or the token that the pages repeat from a body. */
function locatorOfHint(hint: unknown): Locator | undefined {
  if (typeof hint !== 'string' || hint === '') return undefined
  let value: string
  try {
    value = decodeURIComponent(hint)
  } catch {
    return undefined
  }
  return value.includes('@') ? { kind: 'email', value } : { kind: 'link', value: hexOf(hashToken(value)) }
}

/** Reads the destination of an API key: its cell, and its hash in case the workspace moved to another cell. */
export function destinationOfKey(authorization: string | undefined): Destination | undefined {
  const key = /^Bearer (.*)$/i.exec(authorization ?? '')?.[1]?.trim()
  if (key === undefined || !looksLikeApiKey(key)) return undefined
  return { locator: { kind: 'key', value: hexOf(hashApiKey(key)) }, cell: cellOfApiKey(key) }
}

/** Returns where a request belongs: by its address, its key, its workspace, its session, or the account that it names. */
export function readDestination(
  { address, headers }: ProxiedRequest,
  options: { pageNames: readonly string[]; sessionIn(cookies: string | undefined): string | undefined },
): Destination {
  const end = address.indexOf('?')
  const path = end === -1 ? address : address.slice(0, end)
  const byPath = locatorOfPath(path, options.pageNames)
  if (byPath) return bounded(byPath)
  const byKey = destinationOfKey(headers.authorization)
  if (byKey) return byKey
  const session = options.sessionIn(headers.cookie)
  if (session) return { locator: { kind: 'session', value: hexOf(hashToken(session)) } }
  const byHint = locatorOfHint(headers[ACCOUNT_HINT_HEADER])
  return byHint ? bounded(byHint) : {}
}

const bounded = (locator: Locator): Destination =>
  locator.value.length > MAX_VALUE_LENGTH ? {} : { locator }
