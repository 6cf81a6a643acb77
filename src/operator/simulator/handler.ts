import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type Director, plainDirector } from './behavior.ts'
import type { Calls, SimulatedCall } from './call.ts'
import { accountCalls } from './calls/accounts.ts'
import { blockCalls } from './calls/block.ts'
import { flowCalls } from './calls/flows.ts'
import { mediaCalls } from './calls/media.ts'
import { messageCalls } from './calls/messages.ts'
import { numberCalls } from './calls/numbers.ts'
import { paymentCalls } from './calls/payments.ts'
import { phoneAppCalls } from './calls/phone-app.ts'
import { profileCalls } from './calls/profile.ts'
import { templateCalls } from './calls/templates.ts'
import { uploadCalls } from './calls/uploads.ts'
import { playWithExpansions } from './field-expansion.ts'
import {
  type GraphAnswer,
  invalidToken,
  notSimulated,
  serviceUnavailable,
  unknownObject,
} from './graph-errors.ts'
import { type Parameters, readParameters } from './request-body.ts'
import { findObject } from './samples.ts'
import { hasToken, type SimulatedNumber, type SimulatedObject, type SimulatorStore } from './store.ts'

/** Called with internal errors; never for a caller's mistake. */
export type SimulatorLog = (message: string, error: unknown) => void

/** The simulated calls, from the files in calls/. */
const calls: Calls = {
  ...messageCalls,
  ...numberCalls,
  ...paymentCalls,
  ...phoneAppCalls,
  ...profileCalls,
  ...blockCalls,
  ...accountCalls,
  ...flowCalls,
  ...mediaCalls,
  ...templateCalls,
  ...uploadCalls,
}

/** A received call, over a connection or from inside the process. */
export type IncomingCall = {
  method: string
  /** Its path with the query. */
  target: string
  headers: IncomingHttpHeaders
  /** Reads its parameters from the address and the body. */
  read(query: URLSearchParams, options: { known: boolean; raw: boolean }): Promise<Parameters> | Parameters
  /** Returns whether the call arrived completely. */
  isWhole(): boolean
}

/** The parts of a simulated operator. */
export type SimulatorSetup = { store: SimulatorStore; director?: Director; log?: SimulatorLog }

/**
 * Returns a node:http handler that simulates the operator's HTTP API for the store's numbers (docs/formats.md
 * section 16). The version prefix is optional; the token is in `Authorization: Bearer|OAuth` or
 * `access_token`.
 */
export function createSimulatorHandler(
  options: SimulatorSetup & {
    /** Collects the responses that never get an answer, so that the server can end them. */
    hanging?: Set<ServerResponse>
  },
): (req: IncomingMessage, res: ServerResponse) => void {
  const { log, hanging } = options
  return (req, res) => {
    const { method = 'GET', url: target = '/', headers } = req
    const read: IncomingCall['read'] = (...args) => readParameters(req, ...args)
    answerCall(options, { method, target, headers, read, isWhole: () => req.complete })
      .then((answer) => {
        if (answer.ending === 'close') res.destroy()
        else if (answer.ending === 'hang') hanging?.add(res.on('close', () => hanging.delete(res)))
        else writeAnswer(res, answer, readTarget(target).version)
      })
      .catch((error) => {
        log?.('simulator: writing a response failed', error)
        res.destroy()
      })
  }
}

/** Returns the simulated operator's answer to a call; service unavailable after an internal error. */
export async function answerCall(
  { store, director = plainDirector, log }: SimulatorSetup,
  call: IncomingCall,
): Promise<GraphAnswer> {
  try {
    return await playCall(store, director, call)
  } catch (error) {
    // A caller who disconnected is not an error of the simulator.
    if (call.isWhole()) log?.('simulator: request failed', error)
    return serviceUnavailable()
  }
}

async function playCall(
  store: SimulatorStore,
  director: Director,
  { method, target, headers, read }: IncomingCall,
): Promise<GraphAnswer> {
  const { version, id, edge, rest, query } = readTarget(target)
  const early = tokenOf(headers.authorization) ?? query.get('access_token') ?? undefined
  const addressed = await findAddressed(store, { id, edge }, early)
  const findCaller = (token: string | undefined) =>
    addressed?.speakers.find((number) => token !== undefined && hasToken(number, token))
  // The body is read before any answer, so that the connection stays usable. Only known callers may send
  // files.
  const parameters = await read(query, {
    known: findCaller(early) !== undefined,
    raw: addressed?.kind === 'upload',
  })
  const token = early ?? (parameters.ok ? parameters.values.access_token : undefined)
  if (typeof token !== 'string' || token === '') return invalidToken()
  if (addressed === undefined) return answerUnknownPath(store, { method, id, edge, token })
  const number = findCaller(token)
  // An object of another account is not found, even with a valid token; the answer does not say whether the
  // token is valid.
  if (number === undefined)
    return (await isKnown(store, token))
      ? answerUnknownPath(store, { method, id, edge, token })
      : invalidToken()
  const name = `${addressed.kind} ${method} ${edge}`.trimEnd()
  if (!Object.hasOwn(calls, name)) return notSimulated(`${method} ${edge || addressed.kind}`)
  if (!parameters.ok) return parameters.answer
  const call: SimulatedCall = {
    store,
    director,
    number,
    object: addressed.object,
    rest,
    values: parameters.values,
    file: parameters.file,
    bytes: parameters.bytes,
    headers,
    url: `http://${headers.host ?? 'localhost'}`,
    version,
    path: `/${id}${edge === '' ? '' : `/${edge}`}`,
    token,
  }
  const answer =
    (await director.instead(name, call)) ??
    director.after(name, call, await playWithExpansions(calls, name, call))
  return { ...answer, headers: { ...usageHeader(number.accountId), ...answer.headers } }
}

/** The used share of an account's rate limit, which the operator reports with every answer. */
const usageHeader = (accountId: string) => ({
  'x-business-use-case-usage':
    `{"${accountId}":[{"type":"whatsapp","call_count":1,"total_cputime":1,"total_time":1,` +
    '"estimated_time_to_regain_access":0}]}',
})

/** Returns whether the token belongs to any number. */
const isKnown = async (store: SimulatorStore, token: unknown): Promise<boolean> =>
  typeof token === 'string' && (await store.findNumberByToken(token)) !== undefined

/** Answers for an unknown id, the address of a deleted file, or a part of the network without an id. */
async function answerUnknownPath(
  store: SimulatorStore,
  { method, id = '', edge, token }: { method: string; id: string | undefined; edge: string; token: unknown },
): Promise<GraphAnswer> {
  const isFile = method === 'GET' && edge === 'file'
  const hasId = id === '' || /^(\d+|upload:.*)$/.test(id)
  if (hasId && !isFile) return unknownObject(method, id)
  if (!(await isKnown(store, token))) return invalidToken()
  if (isFile) return { ...unknownObject(method, id), status: 404 }
  return notSimulated(`${method} ${id}${edge === '' ? '' : `/${edge}`}`)
}

type Addressed = { kind: string; speakers: SimulatedNumber[]; object: SimulatedObject | undefined }

/**
 * Finds a number, an account, the app of the token, or an object of an account, with the numbers that may
 * access it.
 */
async function findAddressed(
  store: SimulatorStore,
  { id = '', edge }: { id?: string; edge: string },
  token: string | undefined,
): Promise<Addressed | undefined> {
  // The app's id is not checked: the token identifies the app.
  if (edge === 'uploads') {
    const own = token === undefined ? undefined : await store.findNumberByToken(token)
    return own && { kind: 'app', speakers: [own], object: undefined }
  }
  const number = await store.findNumber(id)
  if (number) return { kind: 'number', speakers: [number], object: undefined }
  const numbers = await store.listNumbers(id)
  if (numbers.length > 0) return { kind: 'account', speakers: numbers, object: undefined }
  const object = await findObject(store, id)
  const speakers = object && (await store.listNumbers(object.accountId))
  return object && speakers && speakers.length > 0 ? { kind: object.kind, speakers, object } : undefined
}

type Target = {
  version: string
  id: string | undefined
  edge: string
  rest: string[]
  query: URLSearchParams
}

/**
 * Addresses are /v24.0/<id>/<edge>?query, the version optional. These edges have an id after them in the
 * path.
 */
const LOOKED_UP = new Set(['payments'])

/** Reads the parts of an address. */
export function readTarget(target: string): Target {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const parts = path.split('/').filter((part) => part !== '')
  const version = /^v\d+(\.\d+)?$/.test(parts[0] ?? '') ? parts.shift()! : defaultVersion
  const [id, ...edge] = parts
  const named = LOOKED_UP.has(edge[0] ?? '') ? 1 : edge.length
  return {
    version,
    id,
    edge: edge.slice(0, named).join('/'),
    rest: edge.slice(named).map(decodeSegment),
    query: mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1)),
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const defaultVersion = 'v24.0'

const noQuery = new URLSearchParams()

function tokenOf(authorization: string | undefined): string | undefined {
  return /^(?:Bearer|OAuth)\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1]
}

/** Sends an answer of the operator's API. */
export function writeAnswer(res: ServerResponse, answer: GraphAnswer, version: string): void {
  const payload = answer.bytes ?? Buffer.from(JSON.stringify(answer.body))
  res.writeHead(answer.status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': payload.byteLength,
    'facebook-api-version': version,
    'x-fb-trace-id': randomUUID(),
    ...answer.headers,
  })
  res.end(payload)
}
