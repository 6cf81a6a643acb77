// The only way to call the outside. Every call is checked (where it goes), pinned (to the checked address),
// timed, and limited in size.

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

/** A call: its target and content. `timeoutMs` and `maxBodyBytes` override those of `createEgress`. */
export type EgressRequest = Pick<Exchange, 'target' | 'headers' | 'body' | 'readAfterMs'> & {
  timeoutMs?: number
  maxBodyBytes?: number
}

/** Plain http is rejected unless `requireHttps` is false. */
export type TargetOptions = { requireHttps?: boolean }

export type Egress = {
  /** Parses an address once for many calls. Throws `EgressFault` (`refused_address`). */
  prepareTarget(url: string, options?: TargetOptions): Target
  /**
   * Rejects with `EgressFault` unless calls may go to every address of the host. A public name without
   * addresses passes: each call looks it up again. Runs one check for each `asker` at a time; the fault is
   * `busy` if too many wait.
   */
  checkAddress(url: string, asker: string, options?: TargetOptions): Promise<void>
  post(request: EgressRequest): Promise<EgressAnswer>
  get(request: Omit<EgressRequest, 'body'>): Promise<EgressAnswer>
  /** Sends a request with a method other than `post` and `get`. */
  send(method: Exchange['method'], request: EgressRequest): Promise<EgressAnswer>
  /** Requests a body to read as it arrives, such as a file. */
  open(call: Omit<StreamedCall, 'origin' | 'path'> & { target: Target }): Promise<StreamedAnswer>
  /** Closes all connections; calls in flight fail. */
  close(): Promise<void>
}

/**
 * `allow` lists CIDRs that calls may reach although they are not public. `ca` is PEM text of further
 * authorities. Times are in milliseconds; `timeoutMs` covers the whole call by the wall clock.
 */
export type EgressOptions = {
  allow: readonly string[]
  ca?: string
  /** `address:port` of each name server. Default: the machine's. */
  nameServers?: readonly string[] | undefined
  /** Replaces all lookups. */
  resolve?: Resolve
  connectTimeoutMs?: number
  timeoutMs?: number
  maxBodyBytes?: number
  connectionsPerOrigin?: number
  /** With more open connections than this, idle ones are closed sooner. */
  crowdedAt?: number
}

// Less than the 5 s after which many servers close an idle connection, so that no call is sent into a closing
// one.
const IDLE_CONNECTION_MS = 4000
// Each open TLS connection uses about 50 KB, so with many origins an idle connection is closed soon.
const IDLE_AMONG_MANY_MS = 500
// After this long, even a connection in steady use is renewed, so its name is resolved and checked again.
const CONNECTION_LIFETIME_MS = 60_000
const MAX_HEADER_BYTES = 16 * 1024

/** Creates the egress. Keeps at most `connectionsPerOrigin` connections alive for each origin. */
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
        // The wall clock of each call limits both.
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
      readAfterMs: request.readAfterMs,
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
