import { Agent } from 'undici'
import { SECOND_MS } from '../../core/clock.ts'
import type { Handover, Operator, OperatorNumber, OutboundMessage } from '../port.ts'
import { messageEnvelope } from './envelope.ts'
import { handoverOf } from './handover.ts'
import { type JsonPost, postJson } from './post-json.ts'

/** Settings of the operator's HTTP API. */
export type CloudOperatorOptions = {
  /** Version segment of every address. Default v24.0. */
  version?: string
  /** Longest wait for one answer, queueing and connecting included. Default 30 s. */
  timeoutMs?: number
  /** Longest wait for a connection. Default 5 s. */
  connectTimeoutMs?: number
  /** Connections kept to one address. Default 64. */
  connections?: number
}

/**
 * Speaks the operator's HTTP API (FORMATS sections 1 to 4) over one bounded set of kept-alive connections. The base
 * address comes with each number and is the deployment's own setting. `send` posts exactly once and never rejects.
 */
export function createCloudOperator(options: CloudOperatorOptions = {}): Operator {
  const { version = 'v24.0', timeoutMs = 30 * SECOND_MS } = options
  const { connectTimeoutMs = 5 * SECOND_MS, connections = 64 } = options
  const agent = new Agent({
    connections,
    // One request at a time on a connection: what was queued behind a broken one was never written.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: connectTimeoutMs },
    // The deadline of each post covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Idle connections are dropped before the operator drops them under a request.
    keepAliveTimeout: 4 * SECOND_MS,
  })
  const bases = new Map<string, Base>()

  function baseOf(baseUrl: string): Base | undefined {
    const known = bases.get(baseUrl)
    if (known !== undefined) return known
    const base = parseBase(baseUrl)
    if (base !== undefined && bases.size < maxBases) bases.set(baseUrl, base)
    return base
  }

  async function send(number: OperatorNumber, message: OutboundMessage): Promise<Handover> {
    const base = baseOf(number.baseUrl)
    if (base === undefined) return { kind: 'not_sent', reason: `not an http address: ${number.baseUrl}` }
    const post: JsonPost = {
      origin: base.origin,
      path: `${base.prefix}/${version}/${encodeURIComponent(number.operatorId)}/messages`,
      headers: {
        authorization: `Bearer ${number.token}`,
        'content-type': 'application/json',
        'user-agent': 'parley',
      },
      body: messageEnvelope(message),
    }
    return handoverOf(await postJson(agent, post, timeoutMs))
  }

  return { send, close: () => agent.destroy() }
}

type Base = { origin: string; prefix: string }

// A deployment has one or two; the bound only keeps a mistake from growing.
const maxBases = 1000

function parseBase(baseUrl: string): Base | undefined {
  const url = URL.parse(baseUrl)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}
