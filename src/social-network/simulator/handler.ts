import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type GraphAnswer,
  graphError,
  invalidToken,
  notSimulated,
  serviceUnavailable,
  unknownObject,
} from '../../operator/simulator/graph-errors.ts'
import { readParameters } from '../../operator/simulator/request-body.ts'
import type { Calls, SimulatedCall } from './call.ts'
import { accountCalls } from './calls/accounts.ts'
import { chatCalls } from './calls/chats.ts'
import { commentCalls } from './calls/comments.ts'
import { postCalls } from './calls/posts.ts'
import { publishingCalls } from './calls/publishing.ts'
import type { FaultKind, SimulatedAccount, SimulatedObject, SocialStore } from './store.ts'

/** Called with internal errors; never for a caller's mistake. */
export type SimulatorLog = (message: string, error: unknown) => void

/** The simulated calls, from the files in calls/. */
const calls: Calls = { ...accountCalls, ...chatCalls, ...commentCalls, ...publishingCalls, ...postCalls }

/**
 * Returns a node:http handler that simulates the photo network's HTTP API for the store's accounts
 * (docs/formats.md sections 14 and 16). The version prefix is optional; the token is in `Authorization:
 * Bearer|OAuth` or `access_token`.
 */
export function createSimulatorHandler(options: {
  store: SocialStore
  log?: SimulatorLog
  /** Returns whether a photo or video can be fetched at its address; not checked unless given. */
  canFetch?: ((url: string) => Promise<boolean>) | undefined
}): (req: IncomingMessage, res: ServerResponse) => void {
  const { store, log, canFetch = async () => true } = options
  return (req, res) => {
    answerCall({ store, canFetch }, req)
      .catch((error: unknown) => {
        // A caller who disconnected is not an error of the simulator.
        if (req.complete) log?.('photo network simulator: request failed', error)
        return serviceUnavailable()
      })
      .then((answer) => (answer.ending === 'close' ? void res.destroy() : write(res, answer)))
      .catch((error: unknown) => {
        log?.('photo network simulator: writing a response failed', error)
        res.destroy()
      })
  }
}

type Addressed = { kind: string; account: SimulatedAccount | undefined; object: SimulatedObject | undefined }

async function answerCall(
  { store, canFetch }: Pick<SimulatedCall, 'store' | 'canFetch'>,
  req: IncomingMessage,
): Promise<GraphAnswer> {
  const method = req.method ?? 'GET'
  const { id, edge, query, version, path } = readTarget(req.url ?? '/')
  const parameters = await readParameters(req, query)
  const token =
    /^(?:Bearer|OAuth)\s+(\S+)\s*$/i.exec(req.headers.authorization ?? '')?.[1] ??
    (parameters.ok ? parameters.values.access_token : undefined)
  const account = typeof token === 'string' ? await store.findAccountByToken(token) : undefined
  if (!account) return invalidToken()
  const addressed = await findAddressed(store, id, account)
  if (addressed?.account?.networkId !== account.networkId) return unknownObject(method, id)
  const name = `${addressed.kind} ${method} ${edge}`.trimEnd()
  const play = Object.hasOwn(calls, name) ? calls[name] : undefined
  if (!play) return notSimulated(`${method} ${edge || addressed.kind}`)
  if (!parameters.ok) return parameters.answer
  const fault = await store.takeFault(account, faultsOf(method))
  if (fault === 'token-expired') return tokenExpired()
  if (fault === 'refuse')
    return graphError(368, 'The action attempted has been deemed abusive or is otherwise disallowed')
  const call: SimulatedCall = {
    store,
    account,
    object: addressed.object,
    values: parameters.values,
    canFetch,
    token: token as string,
    version,
    path,
    url: `http://${req.headers.host ?? 'localhost'}`,
  }
  const answer = await play(call)
  return fault === 'no-answer' ? { ...answer, ending: 'close' } : answer
}

/** Reads are only affected by expired tokens: the other faults target the account's writes. */
const faultsOf = (method: string): FaultKind[] =>
  method === 'POST' ? ['token-expired', 'refuse', 'no-answer'] : ['token-expired']

const tokenExpired = (): GraphAnswer =>
  graphError(190, 'Error validating access token: Session has expired', { status: 401, subcode: 463 })

/** Finds the app, the account itself (also as `me`), or an object of the account. */
async function findAddressed(
  store: SocialStore,
  id: string,
  account: SimulatedAccount,
): Promise<Addressed | undefined> {
  // An address without an id is the app: `/refresh_access_token`.
  if (id === '') return { kind: 'app', account, object: undefined }
  if (id === 'me' || id === account.networkId) return { kind: 'account', account, object: undefined }
  const object = await store.find(id)
  return object && { kind: object.kind, account: await store.findAccount(object.accountId), object }
}

/** The version of an address without a version. */
const VERSION = 'v24.0'
const APP_EDGES = new Set(['refresh_access_token'])

// Addresses are /v24.0/<id>/<edge>?query, the version optional.
function readTarget(target: string) {
  const url = new URL(target, 'http://localhost')
  const parts = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(plain)
  const version = /^v\d+(\.\d+)?$/.test(parts[0] ?? '') ? (parts.shift() as string) : VERSION
  const [first = '', ...rest] = parts
  const place = { query: url.searchParams, version, path: `/${parts.join('/')}` }
  return APP_EDGES.has(first)
    ? { id: '', edge: first, ...place }
    : { id: first, edge: rest.join('/'), ...place }
}

function write(res: ServerResponse, answer: GraphAnswer): void {
  const payload = Buffer.from(JSON.stringify(answer.body))
  res.writeHead(answer.status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': payload.byteLength,
    'facebook-api-version': VERSION,
    'x-fb-trace-id': randomUUID(),
    ...answer.headers,
  })
  res.end(payload)
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
