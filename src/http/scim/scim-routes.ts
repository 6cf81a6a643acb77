/**
 * `/scim/v2`: identity providers create, change, and remove members (SCIM 2.0, RFC 7643 and 7644; access/DECISIONS.md
 * "Provisioning"). The bearer token is an API key of the workspace.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '../../core/endpoint.ts'
import { Refusal, refuse } from '../../core/errors.ts'
import { type AuthenticationOptions, admit } from '../auth/authentication.ts'
import { hasNoBody, refuseCompressed } from '../endpoint/body-headers.ts'
import { asBodyRefusal } from '../endpoint/request-parts.ts'
import { type Entry, limit } from '../rate-limit/limits.ts'
import type { RateLimitStore } from '../rate-limit/port.ts'
import { recordRefusal } from '../wire/answer.ts'
import type { Caller } from '../wire/caller.ts'
import { drainBody } from '../wire/drain-body.ts'
import { asFrameworkRefusal } from '../wire/framework-refusals.ts'
import { parseJsonBody } from '../wire/json-body.ts'
import { trustedAddress } from '../wire/trusted-address.ts'
import type { ScimAnswer, ScimAnswers, ScimOptions } from './answers.ts'
import { sendScim, sendScimFault } from './scim-fault.ts'

export type ScimRoutesOptions = AuthenticationOptions & {
  scim: ScimOptions['directory']
  limiter: RateLimitStore
  trustProxy: readonly string[]
  onError(error: unknown): void
}

export const SCIM_PATH = '/scim/v2'
/** A group with all its members. */
const BODY_LIMIT_BYTES = 256 * 1024
const SCOPE = 'team:write'

const RIGHTS: Endpoint = {
  kind: 'unmounted',
  name: 'provisionMembers',
  method: 'GET',
  path: SCIM_PATH,
  summary: 'Answer an identity provider.',
  tag: 'Reference',
  section: '4.10',
  scope: SCOPE,
  role: 'admin',
  bucket: 'reads',
  params: z.object({}),
  query: z.object({}),
  body: null,
  replies: {},
  refuses: [],
}
const WRITE_RIGHTS: Endpoint = { ...RIGHTS, method: 'POST', bucket: 'settings-writes' }

const ROUTES = [
  'GET /ServiceProviderConfig',
  'GET /ResourceTypes',
  'GET /ResourceTypes/:id',
  'GET /Schemas',
  'GET /Schemas/:id',
  'GET /Users',
  'POST /Users',
  'GET /Users/:id',
  'PUT /Users/:id',
  'PATCH /Users/:id',
  'DELETE /Users/:id',
  'GET /Groups',
  'POST /Groups',
  'GET /Groups/:id',
  'PUT /Groups/:id',
  'PATCH /Groups/:id',
  'DELETE /Groups/:id',
] as const satisfies (keyof ScimAnswers)[]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * A key without a list of scopes can't be used: keys that were made before SCIM don't get the right to add admins, and a provider
 * doesn't need to read chats.
 */
function requireNamedScope({ caller, refusal }: Entry): Entry {
  if (refusal || caller.actor.kind !== 'key' || caller.actor.scopes !== null) return { caller, refusal }
  return {
    caller,
    refusal: new Refusal(
      'insufficient_scope',
      `SCIM requires a key that is limited to the scope ${SCOPE}. Create a key with only this scope.`,
      { required: SCOPE },
    ),
  }
}

function readBody({ body }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined
  try {
    return parseJsonBody(body)
  } catch (error) {
    throw asBodyRefusal(error)
  }
}

function send(reply: FastifyReply, { status, body, location }: ScimAnswer): FastifyReply {
  if (location !== undefined) reply.header('location', location)
  return body === undefined ? reply.code(status).send() : sendScim(reply, status, body)
}

const methodsOf = (url: string): string[] =>
  ROUTES.flatMap((route) => {
    const [method, path] = route.split(' ') as [string, string]
    return new RegExp(`^${SCIM_PATH}${path.replace(':id', '[^/]+')}$`).test(url) ? [method] : []
  })

/** Answers unknown paths, and methods that a path doesn't have. */
function refuseUnknown(request: FastifyRequest, reply: FastifyReply): never {
  const path = request.url.split('?', 1)[0]!.replace(/\/$/, '')
  const methods = methodsOf(path)
  if (methods.length === 0) refuse('not_found', 'This SCIM address does not exist. Use /Users or /Groups.')
  reply.header('allow', methods.join(', '))
  return refuse(
    'method_not_allowed',
    `This address doesn't support ${request.method}. Use ${methods.join(', ')}.`,
  )
}

/** Finds the caller, and takes a token from the bucket of reads or writes. */
const admitProvider =
  (options: ScimRoutesOptions) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const rights = request.method === 'GET' ? RIGHTS : WRITE_RIGHTS
    reply.header('cache-control', 'no-store')
    if (hasNoBody(request)) delete request.headers['content-type']
    const address = trustedAddress(request.raw, options.trustProxy)
    const entry = requireNamedScope(
      await admit(options, rights, { authorization: request.headers.authorization, address }),
    )
    request.caller = entry.caller
    await limit(options.limiter, rights, entry, options.clock.monotonicMs(), reply)
    refuseCompressed(request)
  }

/** Registers the routes. Their code is loaded with the first request. */
export const scimRoutes =
  (options: ScimRoutesOptions) =>
  (app: FastifyInstance): void => {
    let opened: Promise<ScimAnswers> | undefined
    const open = async (): Promise<ScimAnswers> =>
      (await import('./answers.ts')).scimAnswers({ directory: options.scim, siteUrl: options.siteUrl })
    app.register(async (scope) => {
      scope.addContentTypeParser('application/scim+json', { parseAs: 'buffer' }, (_request, body, done) =>
        done(null, body),
      )
      scope.setErrorHandler(async (error, request, reply) => {
        const refusal = asFrameworkRefusal(error, request.routeOptions.bodyLimit)
        recordRefusal(request, error, options.onError, refusal)
        await drainBody(request)
        return sendScimFault(reply, refusal)
      })
      scope.addHook('onRequest', admitProvider(options))
      for (const route of ROUTES) {
        const [method, path] = route.split(' ') as ['GET', string]
        scope.route({
          method,
          url: SCIM_PATH + path,
          bodyLimit: BODY_LIMIT_BYTES,
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            opened ??= open()
            const answers = await opened
            return send(
              reply,
              await answers[route]({
                caller: request.caller as Caller,
                id: (request.params as { id?: string }).id ?? '',
                query: request.query as Record<string, unknown>,
                body: readBody(request),
              }),
            )
          },
        })
      }
      for (const url of [SCIM_PATH, `${SCIM_PATH}/*`])
        scope.route({ method: METHODS, url, bodyLimit: BODY_LIMIT_BYTES, handler: refuseUnknown })
    })
  }
