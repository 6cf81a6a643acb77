/**
 * `POST /mcp`: the Model Context Protocol for assistants, with an API key (docs/decisions/assistants.md). Each call of a tool is a
 * request of the API in the same process, so every rule of the API applies.
 */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  InjectOptions,
  LightMyRequestResponse,
} from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '../../core/endpoint.ts'
import { Refusal, refuse } from '../../core/errors.ts'
import { type AuthenticationOptions, admit, mayCall } from '../auth/authentication.ts'
import type { Site } from '../auth/site.ts'
import { hasNoBody, refuseCompressed } from '../endpoint/body-headers.ts'
import { readIdempotencyKey } from '../endpoint/idempotency.ts'
import { asBodyRefusal } from '../endpoint/request-parts.ts'
import { challengeOf } from '../oauth/metadata.ts'
import { limit } from '../rate-limit/limits.ts'
import type { RateLimitStore } from '../rate-limit/port.ts'
import { sendRefusal } from '../wire/answer.ts'
import type { Caller } from '../wire/caller.ts'
import { parseJsonBody } from '../wire/json-body.ts'
import { trustedAddress } from '../wire/trusted-address.ts'
import { isPart } from './json-schemas.ts'
import type { Protocol, ProtocolCaller } from './protocol.ts'
import type { ToolRequest } from './tool-input.ts'
import type { ApiAnswer } from './tool-result.ts'

export type McpOptions = AuthenticationOptions & {
  endpoints: readonly Endpoint[]
  limiter: RateLimitStore
  site: Site
  trustProxy: readonly string[]
  docsFolder: string
  onError(error: unknown): void
}

const MCP_PATH = '/mcp'
/** The body of an operation and the frame around it. */
const BODY_LIMIT_BYTES = 256 * 1024

/** Each message needs a key, and costs a read; the request of a tool then costs what it costs in the API. */
const MESSAGE: Endpoint = {
  kind: 'unmounted',
  name: 'answerAssistant',
  method: 'POST',
  path: MCP_PATH,
  summary: 'Answer a message of an assistant.',
  tag: 'Reference',
  section: '4.10',
  scope: null,
  role: 'viewer',
  bucket: 'reads',
  params: z.object({}),
  query: z.object({}),
  body: null,
  replies: {},
  refuses: [],
}

/** Headers by which the API finds the address of the client and the site. */
const PASSED_HEADERS = ['authorization', 'host', 'x-forwarded-for', 'x-forwarded-proto', 'user-agent']

const headersOf = (request: FastifyRequest, names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )

/** Fastify's code for a request without a connection that arrives during the shutdown. */
const CLOSING = 'FST_ERR_REOPENED_CLOSE_SERVER'

const injected = (app: FastifyInstance, request: InjectOptions): Promise<LightMyRequestResponse> =>
  app.inject(request).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== CLOSING) throw error
    return refuse('service_unavailable', 'Parley is restarting. Try again shortly.', {
      retryAfterSeconds: 1,
    })
  })

/** Sends a request of a tool through the server's own steps, without a connection. */
async function sendToApi(
  app: FastifyInstance,
  request: FastifyRequest,
  call: ToolRequest,
): Promise<ApiAnswer> {
  const answer = await injected(app, {
    method: call.method,
    url: call.url,
    remoteAddress: request.raw.socket.remoteAddress ?? '',
    headers: {
      ...headersOf(request, PASSED_HEADERS),
      'x-request-id': request.id,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
    },
    ...(call.body === undefined ? {} : { payload: call.body }),
  })
  const retryAfter = answer.headers['retry-after']
  return {
    status: answer.statusCode,
    contentType: String(answer.headers['content-type'] ?? ''),
    text: answer.body,
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
  }
}

function readMessage(request: FastifyRequest): unknown {
  try {
    return parseJsonBody(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
  } catch (error) {
    throw asBodyRefusal(error)
  }
}

const callerOf = (
  app: FastifyInstance,
  request: FastifyRequest,
  fail: (error: unknown) => void,
): ProtocolCaller => ({
  mayCall: (value) => mayCall(value, request.caller as Caller),
  send: (call) => sendToApi(app, request, call),
  idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
  fail,
})

/** Headers that the protocol reads. */
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/** The answer to a list of messages. A list could make one request cost as much as thousands. */
const NO_LISTS = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_600, message: 'Send one message in each request.' },
}

async function answerMessage(
  protocol: Protocol,
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const message = readMessage(request)
  reply.header('cache-control', 'no-store')
  if (!isPart(message)) return reply.code(400).send(NO_LISTS)
  const faults: unknown[] = []
  const answer = await protocol.answer(
    new Request(`http://localhost${MCP_PATH}`, {
      method: 'POST',
      headers: headersOf(request, PROTOCOL_HEADERS),
    }),
    message,
    callerOf(app, request, (error) => faults.push(error)),
  )
  // The answer is complete after one message: no tool reports progress.
  const text = await answer.text()
  if (faults.length > 0) throw faults[0]
  const type = answer.headers.get('content-type')
  if (type !== null) reply.header('content-type', type)
  return reply.code(answer.status).send(text)
}

/** Registers the route. The protocol is loaded with the first message. */
export const mcpRoute =
  (options: McpOptions) =>
  (app: FastifyInstance): void => {
    let opened: Promise<Protocol> | undefined
    const open = async (): Promise<Protocol> => (await import('./protocol.ts')).openProtocol(options)
    app.route({
      method: 'POST',
      url: MCP_PATH,
      bodyLimit: BODY_LIMIT_BYTES,
      onRequest: async (request, reply) => {
        request.endpointValue = MESSAGE
        options.site.requireNoForeignPage(request.headers)
        if (hasNoBody(request)) delete request.headers['content-type']
        // A 401 tells apps where they find out how to get a key.
        reply.header('www-authenticate', challengeOf(options.siteUrl))
        const entry = await admit(options, MESSAGE, {
          authorization: request.headers.authorization,
          address: trustedAddress(request.raw, options.trustProxy),
        })
        reply.removeHeader('www-authenticate')
        request.caller = entry.caller
        await limit(options.limiter, MESSAGE, entry, options.clock.monotonicMs(), reply)
        refuseCompressed(request)
      },
      handler: async (request, reply) => {
        opened ??= open().catch((error: unknown) => {
          opened = undefined
          throw error
        })
        return answerMessage(await opened, app, request, reply)
      },
    })
    // Clients of earlier versions ask for a stream or end a session; there is neither.
    app.route({
      method: ['GET', 'HEAD', 'DELETE'],
      url: MCP_PATH,
      handler: (request, reply) => {
        request.refusedWith = 'method_not_allowed'
        reply.header('allow', 'POST')
        return sendRefusal(
          reply,
          new Refusal('method_not_allowed', `${MCP_PATH} doesn't support ${request.method}. Use POST.`),
        )
      },
    })
  }
