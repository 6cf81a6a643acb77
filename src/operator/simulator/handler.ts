import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type GraphAnswer,
  invalidToken,
  notSimulated,
  serviceUnavailable,
  unknownObject,
} from './graph-errors.ts'
import { postMessage } from './post-message.ts'
import { readParameters } from './request-body.ts'
import type { SimulatedNumber, SimulatorStore } from './store.ts'

/** Told of what goes wrong inside; never of a caller's mistake. */
export type SimulatorLog = (message: string, error: unknown) => void

type Call = (
  store: SimulatorStore,
  number: SimulatedNumber,
  values: Record<string, unknown>,
) => Promise<GraphAnswer>

/** What the simulator plays of a number's addresses. A call more is a row more. */
const calls: Record<string, Call> = {
  'POST messages': postMessage,
}

/**
 * The operator's HTTP API, played for the store's numbers (FORMATS section 16), as a handler for node:http. Any or no
 * version prefix; the token in `Authorization: Bearer|OAuth` or `access_token`.
 */
export function createSimulatorHandler(options: {
  store: SimulatorStore
  log?: SimulatorLog
}): (req: IncomingMessage, res: ServerResponse) => void {
  const { store, log } = options
  return (req, res) => {
    answerCall(store, req)
      .catch((error) => {
        // A caller who left midway is nobody's fault here.
        if (req.complete) log?.('the simulator could not answer', error)
        return serviceUnavailable()
      })
      .then((answer) => write(res, answer, versionOf(req.url)))
      .catch((error) => {
        log?.('the simulator could not write its answer', error)
        res.destroy()
      })
  }
}

async function answerCall(store: SimulatorStore, req: IncomingMessage): Promise<GraphAnswer> {
  const method = req.method ?? 'GET'
  const { id, edge, query } = readTarget(req.url ?? '/')
  // The body is read first, whatever the answer: the connection stays usable.
  const parameters = await readParameters(req, query)
  const bodyToken = parameters.ok ? parameters.values.access_token : undefined
  const token = tokenOf(req.headers.authorization) ?? query.get('access_token') ?? bodyToken
  if (typeof token !== 'string' || token === '') return invalidToken()
  const number = id === undefined ? undefined : await store.findNumber(id)
  if (number === undefined) return unknownObject(method, id ?? '')
  if (!sameSecret(token, number.token)) return invalidToken()
  const call = `${method} ${edge}`
  if (!Object.hasOwn(calls, call)) return notSimulated(call)
  return parameters.ok ? calls[call]!(store, number, parameters.values) : parameters.answer
}

// /v24.0/<id>/<edge>?query, the version optional.
function readTarget(target: string): { id: string | undefined; edge: string; query: URLSearchParams } {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const parts = path.split('/').filter((part) => part !== '')
  if (/^v\d+(\.\d+)?$/.test(parts[0] ?? '')) parts.shift()
  const [id, ...edge] = parts
  return { id, edge: edge.join('/'), query: mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1)) }
}

const versionOf = (target = ''): string => /^\/(v\d+(?:\.\d+)?)\//.exec(target)?.[1] ?? 'v24.0'

const noQuery = new URLSearchParams()

function tokenOf(authorization: string | undefined): string | undefined {
  return /^(?:Bearer|OAuth)\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1]
}

function sameSecret(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function write(res: ServerResponse, { status, body }: GraphAnswer, version: string): void {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
    'facebook-api-version': version,
    'x-fb-trace-id': randomUUID(),
  })
  res.end(text)
}
