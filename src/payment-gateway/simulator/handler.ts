import type { IncomingMessage, ServerResponse } from 'node:http'
import { sameSecret } from '../../core/values/api-key.ts'
import { isObject } from '../../core/values/storable.ts'
import { type GatewayHttpAnswer, gatewayError } from './answers.ts'
import type { Call, GatewaySettings } from './call.ts'
import { cancelLink, createLink, findLink, listLinks } from './links.ts'
import {
  createOrder,
  findOrder,
  findPayment,
  listOrderPayments,
  listOrders,
  listPayments,
  listRefunds,
  refund,
} from './payment-calls.ts'
import type { GatewayStore, SimulatedAccount } from './store.ts'

/** The calls of the gateway's API; `:id` is the one id in the path. To add a call, add a row. */
const calls: Record<string, (call: Call) => Promise<GatewayHttpAnswer>> = {
  'POST payment_links': createLink,
  'GET payment_links': listLinks,
  'GET payment_links/:id': findLink,
  'POST payment_links/:id/cancel': cancelLink,
  'POST orders': createOrder,
  'GET orders': listOrders,
  'GET orders/:id': findOrder,
  'GET orders/:id/payments': listOrderPayments,
  'GET payments': listPayments,
  'GET payments/:id': findPayment,
  'GET payments/:id/refunds': listRefunds,
  'POST payments/:id/refund': refund,
}

const MAX_BODY_BYTES = 256 * 1024

export type GatewayHandlerOptions = {
  store: GatewayStore
  settings: () => GatewaySettings
  /** The path before the calls, such as `/v1`. */
  prefix: string
  log?: (message: string, error: unknown) => void
}

/**
 * Returns a node:http handler that simulates the gateway's HTTP API for the store's accounts (docs/formats.md
 * section 15).
 */
export function createGatewayHandler(options: GatewayHandlerOptions) {
  return (req: IncomingMessage, res: ServerResponse): void => {
    answerCall(options, req)
      .catch((error: unknown) => {
        // A caller who disconnected is not an error of the simulator.
        if (req.complete) options.log?.('simulated gateway: request failed', error)
        return gatewayError(500, 'We are facing some trouble completing your request at the moment.')
      })
      .then((answer) => {
        if (answer === 'none') res.destroy()
        else {
          res.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' })
          res.end(JSON.stringify(answer.body))
        }
      })
      .catch(() => res.destroy())
  }
}

async function answerCall(
  { store, settings, prefix }: GatewayHandlerOptions,
  req: IncomingMessage,
): Promise<GatewayHttpAnswer> {
  const url = new URL(req.url ?? '/', 'http://localhost')
  // The body is read before any answer, so that the connection stays usable.
  const values = await readBody(req)
  const account = await accountOf(store, req.headers.authorization)
  if (!account) return gatewayError(401, 'Authentication failed')
  const [first = '', id = '', edge] = url.pathname.slice(prefix.length).split('/').filter(Boolean)
  const name = `${req.method} ${first}${id && '/:id'}${edge === undefined ? '' : `/${edge}`}`
  if (!Object.hasOwn(calls, name)) return gatewayError(404, 'The requested URL was not found on the server.')
  if (values === undefined) return gatewayError(400, 'The request body is not a JSON object.')
  const fault = await store.takeFault(account, name)
  if (fault === 'refuse')
    return gatewayError(400, 'The request was refused, as it was asked to be.', { code: 'BAD_REQUEST_ERROR' })
  const call: Call = { store, settings: settings(), account, id, query: url.searchParams, values }
  const answer = await calls[name]!(call)
  return fault === 'no-answer' ? 'none' : answer
}

async function accountOf(
  store: GatewayStore,
  authorization: string | undefined,
): Promise<SimulatedAccount | undefined> {
  const basic = /^Basic\s+([\w+/=]+)\s*$/i.exec(authorization ?? '')?.[1]
  const [keyId = '', ...secret] = Buffer.from(basic ?? '', 'base64')
    .toString('utf8')
    .split(':')
  const account = keyId === '' ? undefined : await store.findAccount(keyId)
  return account && sameSecret(account.keySecret, secret.join(':')) ? account : undefined
}

/** Reads the JSON object of the body, an empty object if there is no body; undefined for anything else. */
export async function readBody(req: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req) {
    bytes += (chunk as Buffer).length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk as Buffer)
  }
  if (bytes === 0) return {}
  try {
    const value: unknown =
      bytes > MAX_BODY_BYTES ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
