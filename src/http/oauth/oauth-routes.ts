/**
 * OAuth for apps that connect in a browser (docs/decisions/assistants.md): metadata, registration, tokens, and revocation. The
 * request itself is a page of the dashboard.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asRefusal, sendJson, sendRefusal, shouldLog } from '../wire/answer.ts'
import { parseForm } from '../wire/form-body.ts'
import {
  REGISTER_PATH,
  RESOURCE_METADATA_PATH,
  REVOKE_PATH,
  resourceMetadata,
  SERVER_METADATA_PATH,
  serverMetadata,
  TOKEN_PATH,
} from './metadata.ts'

/** A key and the token that renews it. */
type Tokens = { apiKey: string; refreshToken: string; expiresInSeconds: number; scopes: readonly string[] }
type RegisteredApp = { clientId: string; name: string; redirectUris: readonly string[] }

export type OAuthOptions = {
  siteUrl: string
  limited(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Registers an app, or returns the name of the wrong field. */
  register(document: unknown): RegisteredApp | string
  /** Redeems a code. Undefined if it isn't valid. */
  redeem(input: {
    code: string
    clientId: string
    redirectUri: string | undefined
    verifier: string
  }): Promise<Tokens | undefined>
  /** Renews a key. Undefined if the token isn't valid. */
  renew(input: { refreshToken: string; clientId: string }): Promise<Tokens | undefined>
  revoke(token: string): Promise<void>
  /** Sends the form about a token of another cell there, and returns its answer; undefined for a token of this cell. */
  forward(token: string, path: string, form: string): Promise<{ status: number; text: string } | undefined>
  onError(error: unknown): void
}

const BODY_LIMIT_BYTES = 32 * 1024
const NOTHING = Buffer.alloc(0)

const fail = (reply: FastifyReply, error: string, error_description: string): FastifyReply =>
  sendJson(reply, 400, JSON.stringify({ error, error_description }))

const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : NOTHING)

/** The header of a form that another cell sent here. It is not sent on. */
export const FORWARDED_HEADER = 'parley-forwarded'

/** Returns the answer of the cell that has the token; undefined for a token of this cell. */
const askElsewhere = async (
  { forward }: OAuthOptions,
  request: FastifyRequest,
  { token, path }: { token: string; path: string },
) =>
  request.headers[FORWARDED_HEADER] === undefined
    ? forward(token, path, bodyOf(request).toString('utf8'))
    : undefined

/** Returns the fields of a form that occur once. */
async function fieldsOf(request: FastifyRequest): Promise<Record<string, string>> {
  const fields = await parseForm(bodyOf(request), request.headers['content-type'])
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}

function register(options: OAuthOptions, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  let document: unknown
  try {
    document = JSON.parse(bodyOf(request).toString('utf8'))
  } catch {
    return fail(reply, 'invalid_client_metadata', 'Send a JSON object.')
  }
  const app = options.register(document)
  if (app === 'redirect_uris')
    return fail(
      reply,
      'invalid_redirect_uri',
      'Send 1 to 10 redirect_uris: https, http on the own machine, or the scheme of an installed app.',
    )
  if (typeof app === 'string') return fail(reply, 'invalid_client_metadata', `${app} isn't valid.`)
  const answer = {
    client_id: app.clientId,
    client_name: app.name,
    redirect_uris: app.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  return sendJson(reply, 201, JSON.stringify(answer))
}

const sendTokens = (reply: FastifyReply, tokens: Tokens | undefined): FastifyReply =>
  tokens
    ? sendJson(
        reply,
        200,
        JSON.stringify({
          access_token: tokens.apiKey,
          token_type: 'Bearer',
          expires_in: tokens.expiresInSeconds,
          refresh_token: tokens.refreshToken,
          scope: tokens.scopes.join(' '),
        }),
      )
    : fail(
        reply,
        'invalid_grant',
        'The code or token was used before, has expired, or was revoked. Connect again.',
      )

async function answerToken(
  options: OAuthOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const fields = await fieldsOf(request)
  const { grant_type: kind, client_id: clientId } = fields
  if (kind !== 'authorization_code' && kind !== 'refresh_token')
    return fail(reply, 'unsupported_grant_type', 'Use authorization_code or refresh_token.')
  const secret = kind === 'refresh_token' ? 'refresh_token' : 'code'
  const token = fields[secret]
  const verifier = fields.code_verifier
  if (!clientId) return fail(reply, 'invalid_request', 'Send client_id.')
  if (!token) return fail(reply, 'invalid_request', `Send ${secret}.`)
  if (kind === 'authorization_code' && !verifier) return fail(reply, 'invalid_request', 'Send code_verifier.')
  const elsewhere = await askElsewhere(options, request, { token, path: TOKEN_PATH })
  if (elsewhere) return sendJson(reply, elsewhere.status, elsewhere.text)
  return sendTokens(
    reply,
    kind === 'refresh_token'
      ? await options.renew({ refreshToken: token, clientId })
      : await options.redeem({
          code: token,
          clientId,
          redirectUri: fields.redirect_uri,
          verifier: verifier ?? '',
        }),
  )
}

async function answerRevocation(
  options: OAuthOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token } = await fieldsOf(request)
  if (!token) return fail(reply, 'invalid_request', 'Send token.')
  const elsewhere = await askElsewhere(options, request, { token, path: REVOKE_PATH })
  // An unknown token is as good as revoked (RFC 7009 section 2.2).
  if (!elsewhere) await options.revoke(token)
  return sendJson(reply, 200, '{}')
}

export const oauthRoutes =
  (options: OAuthOptions) =>
  (app: FastifyInstance): void => {
    const { siteUrl, limited } = options
    app.register(async (scope) => {
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'buffer' },
        (_request, body, done) => done(null, body),
      )
      const documents = {
        [RESOURCE_METADATA_PATH]: resourceMetadata(siteUrl),
        [`${RESOURCE_METADATA_PATH}/mcp`]: resourceMetadata(siteUrl),
        [SERVER_METADATA_PATH]: serverMetadata(siteUrl),
      }
      for (const [url, document] of Object.entries(documents))
        scope.route({
          method: ['GET', 'HEAD'],
          url,
          onRequest: limited,
          handler: (_request, reply) => sendJson(reply, 200, JSON.stringify(document)),
        })
      const answers = {
        [REGISTER_PATH]: register,
        [TOKEN_PATH]: answerToken,
        [REVOKE_PATH]: answerRevocation,
      }
      for (const [url, answer] of Object.entries(answers))
        scope.post(url, { onRequest: limited, bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
          reply.header('cache-control', 'no-store')
          try {
            return await answer(options, request, reply)
          } catch (error) {
            const refusal = asRefusal(error)
            if (shouldLog(refusal, error)) options.onError(error)
            return sendRefusal(reply, refusal)
          }
        })
    })
  }
