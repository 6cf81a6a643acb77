// The only way out. Every call to the outside is checked (where to), pinned (to what was checked), timed and capped.

import { isIP } from 'node:net'
import { Client } from 'undici'
import { parseCidr } from './address.ts'
import { CHECK_PLACES, fairChecks } from './address-checks.ts'
import { countOpen, makeConnector, type Resolve, resolveChecked } from './connect.ts'
import { openConnections } from './connections.ts'
import { type EgressAnswer, type Exchange, exchange } from './exchange.ts'
import { EgressFault } from './faults.ts'
import { passOverInterim } from './interim-answers.ts'
import { fairLookups, LOOKUP_PLACES } from './lookups.ts'
import { openResolver } from './resolver.ts'
import { openStream, type StreamedAnswer, type StreamedCall } from './stream.ts'
import { parseTarget, refuseUnknownLocalName, type Target } from './target.ts'

/** A call: where to, and what. `timeoutMs` and `maxBodyBytes` override those of `createEgress`. */
export type EgressRequest = Pick<Exchange, 'target' | 'headers' | 'body'> & {
  timeoutMs?: number
  maxBodyBytes?: number
}

/** Plain http is refused unless `requireHttps` is false. */
export type TargetOptions = { requireHttps?: boolean }

export type Egress = {
  /** Parses an address once for many calls. Throws `EgressFault` (`refused_address`). */
  prepareTarget(url: string, options?: TargetOptions): Target
  /**
   * Rejects with `EgressFault` unless every address that the host resolves to may be reached now. A public name that
   * resolves to none passes: it is looked at again at each call. One check of each asker runs at a time; where too many wait the
   * fault is `busy`.
   */
  checkAddress(url: string, asker: string, options?: TargetOptions): Promise<void>
  post(request: EgressRequest): Promise<EgressAnswer>
  get(request: Omit<EgressRequest, 'body'>): Promise<EgressAnswer>
  /** For the verbs that `post` and `get` do not cover. */
  send(method: Exchange['method'], request: EgressRequest): Promise<EgressAnswer>
  /** Asks for a body that is read as it arrives, such as a file. */
  open(call: Omit<StreamedCall, 'origin' | 'path'> & { target: Target }): Promise<StreamedAnswer>
  /** Ends all connections; calls under way fail. */
  close(): Promise<void>
}

/**
 * `allow` holds CIDRs that may be reached although they are not public. `ca` is PEM text of further authorities.
 * Times are in milliseconds; `timeoutMs` is the whole call by the wall clock.
 */
export type EgressOptions = {
  allow: readonly string[]
  ca?: string
  /** `address:port` of each name server; those of the machine unless given. */
  nameServers?: readonly string[] | undefined
  /** Takes the place of all lookups. */
  resolve?: Resolve
  connectTimeoutMs?: number
  timeoutMs?: number
  maxBodyBytes?: number
  connectionsPerOrigin?: number
  /** Open connections from which on those that are idle are closed sooner. */
  crowdedAt?: number
}

// Below the 5 s after which many servers drop an idle connection: a call is not sent into one that is closing.
const IDLE_CONNECTION_MS = 4000
// Each open TLS connection holds some 50 KB: where many origins are served, what is not needed soon is not kept.
const IDLE_AMONG_MANY_MS = 500
// A connection in steady use is still renewed, and its name resolved and checked again, after this long.
const CONNECTION_LIFETIME_MS = 60_000
const MAX_HEADER_BYTES = 16 * 1024

/** Opens the way out. Connections are kept alive per origin, at most `connectionsPerOrigin`. */
export function createEgress(options: EgressOptions): Egress {
  const {
    connectTimeoutMs = 5000,
    timeoutMs = 15_000,
    maxBodyBytes = 16 * 1024,
    connectionsPerOrigin = 32,
    crowdedAt = 256,
  } = options
  const allow = options.allow.map(parseCidr)
  const names = options.resolve
    ? { resolve: options.resolve, close: () => {} }
    : openResolver({
        limitMs: connectTimeoutMs,
        askSystem: allow.length > 0,
        nameServers: options.nameServers,
      })
  const resolve = fairLookups(names.resolve, { ...LOOKUP_PLACES, limitMs: connectTimeoutMs })
  const runCheck = fairChecks({ ...CHECK_PLACES, limitMs: connectTimeoutMs })
  const { connect, openNow } = countOpen(
    passOverInterim(makeConnector({ allow, resolve, connectTimeoutMs, ca: options.ca })),
  )
  const connections = openConnections({
    connection: (origin) => {
      const idleMs = openNow() < crowdedAt ? IDLE_CONNECTION_MS : IDLE_AMONG_MANY_MS
      return new Client(origin, {
        connect,
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: idleMs,
        pipelining: 1,
        allowH2: false,
        maxHeaderSize: MAX_HEADER_BYTES,
        // The wall clock of each call bounds both.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
    },
    perOrigin: connectionsPerOrigin,
    lifetimeMs: CONNECTION_LIFETIME_MS,
  })
  const prepareTarget = (url: string, { requireHttps = true }: TargetOptions = {}) =>
    parseTarget(url, requireHttps, allow)

  const send = (method: Exchange['method'], request: EgressRequest) =>
    exchange(connections.dispatcher, {
      method,
      target: request.target,
      headers: request.headers,
      body: request.body,
      timeoutMs: request.timeoutMs ?? timeoutMs,
      maxBodyBytes: request.maxBodyBytes ?? maxBodyBytes,
    })

  return {
    prepareTarget,
    checkAddress: async (url, asker, targetOptions) => {
      const { hostname } = prepareTarget(url, targetOptions)
      if (isIP(hostname) !== 0) return
      await runCheck(asker, () => resolveChecked(hostname, names.resolve, allow)).catch((fault: unknown) => {
        if (!(fault instanceof EgressFault) || fault.reason !== 'dns') throw fault
        refuseUnknownLocalName(hostname)
      })
    },
    send,
    post: (request) => send('POST', request),
    get: (request) => send('GET', request),
    open: ({ target, ...call }) =>
      openStream(connections.dispatcher, { ...call, origin: target.origin, path: target.path }),
    close: async () => {
      names.close()
      await connections.destroy()
    },
  }
}
