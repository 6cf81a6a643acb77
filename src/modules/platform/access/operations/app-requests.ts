/** Requests of apps to act for a member: read on the page of the request, and allowed by an admin (RFC 6749 section 4.1). */
import { later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import type { Context, MemberActor, Role } from '../../../../core/context.ts'
import { invalid } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { SCOPES, type Scope } from '../../../../core/scopes.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { hashToken, type SessionContext } from '../../../../core/session.ts'
import { newLocatedToken } from '../../../../core/values/located-token.ts'
import { isObject } from '../../../../core/values/storable.ts'
import { insertConnection } from '../queries/app-connections.ts'
import { type App, acceptsRedirect, findApp, receiverOf } from './app-identity.ts'

export const CODE_PREFIX = 'pc_'
/** The time in which the app must redeem its code. */
const CODE_MS = 2 * MINUTE_MS
/** The time in which the admin decides. */
const REQUEST_MS = 30 * MINUTE_MS
const CHALLENGE = /^[\w-]{43}$/
const MAX_STATE_LENGTH = 2_000

/** A checked request, which the page sends back with the admin's decision. */
type CheckedRequest = {
  clientId: string
  name: string
  redirectUri: string
  challenge: string
  state: string | null
  until: number
}

type Answer = Record<string, string | null>

/** Returns the app's address with an answer. `iss` protects apps of several services from confusing them (RFC 9207). */
function answerUrl(
  siteUrl: string,
  { redirectUri, state }: Pick<CheckedRequest, 'redirectUri' | 'state'>,
  answer: Answer,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, state, iss: siteUrl }))
    if (value !== null) url.searchParams.set(name, value)
  return url.href
}

/** Returns whether a resource is this service: its address, or that of its MCP server (RFC 8707). */
const isOwnResource = (siteUrl: string, resource: string): boolean =>
  [siteUrl, `${siteUrl}/mcp`].includes(resource.replace(/\/$/, ''))

/** Returns the error that a known app is told about its request; undefined for a request without one. */
function problemOf(siteUrl: string, query: URLSearchParams): Answer | undefined {
  const refuse = (error: string, error_description: string): Answer => ({ error, error_description })
  const names = [...query.keys()].filter((name) => name !== 'resource')
  if (new Set(names).size < names.length) return refuse('invalid_request', 'A parameter is repeated.')
  if (query.get('response_type') !== 'code')
    return refuse('unsupported_response_type', 'Use response_type=code.')
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(query.get('code_challenge') ?? ''))
    return refuse('invalid_request', 'Send code_challenge with code_challenge_method=S256.')
  if ((query.get('state') ?? '').length > MAX_STATE_LENGTH)
    return refuse('invalid_request', `state must have at most ${MAX_STATE_LENGTH} characters.`)
  if (!query.getAll('resource').every((resource) => isOwnResource(siteUrl, resource)))
    return refuse('invalid_target', `The resource must be ${siteUrl}/mcp.`)
  return undefined
}

const refuseRequest = (message: string): never => {
  throw invalid([{ path: 'query', message }])
}

async function appOf(ctx: SessionContext, query: URLSearchParams): Promise<App> {
  const app = await findApp(ctx, query.get('client_id') ?? '')
  return (
    app ??
    refuseRequest(
      "The app isn't registered at this installation. Remove the connection in the app, and start again.",
    )
  )
}

/** An address that the app didn't register is never opened: it could be anyone's. */
function redirectUriOf(app: App, query: URLSearchParams): string {
  const uri = query.get('redirect_uri') ?? (app.redirectUris.length === 1 ? app.redirectUris[0]! : '')
  return acceptsRedirect(app, uri)
    ? uri
    : refuseRequest("The app asks for an answer at an address that it didn't register. Nothing was sent.")
}

/** Returns the scopes of a request that exist here; null for none. Others, such as `offline_access`, say nothing about rights. */
function scopesIn(query: URLSearchParams): Scope[] | null {
  const checked = new Set((query.get('scope') ?? '').split(' '))
  const known = SCOPES.filter((scope) => checked.has(scope))
  return known.length === 0 ? null : known
}

/** Reads the query of a request's page. Refuses `invalid` if there is no address that may learn the reason. */
export async function readAppRequest(ctx: SessionContext, text: string) {
  const query = new URLSearchParams(text)
  const app = await appOf(ctx, query)
  const checked: CheckedRequest = {
    clientId: app.clientId,
    name: app.name,
    redirectUri: redirectUriOf(app, query),
    challenge: query.get('code_challenge') ?? '',
    state: query.get('state'),
    until: later(ctx.now, REQUEST_MS).getTime(),
  }
  const problem = problemOf(ctx.siteUrl, query)
  if (problem) return { state: 'refused' as const, url: answerUrl(ctx.siteUrl, checked, problem) }
  return {
    state: 'asked' as const,
    app: { name: app.name, receiver: receiverOf(checked.redirectUri), publishedBy: app.publishedBy },
    scopes: scopesIn(query),
    request: ctx.sealer.seal(JSON.stringify({ checked })).toString('base64url'),
    cancelUrl: answerUrl(ctx.siteUrl, checked, { error: 'access_denied' }),
  }
}

function opened(sealer: Pick<Sealer, 'open'>, request: string, now: Date): CheckedRequest {
  let content: unknown
  try {
    content = JSON.parse(sealer.open(Buffer.from(request, 'base64url')))
  } catch {}
  const checked =
    isObject(content) && isObject(content.checked) ? (content.checked as CheckedRequest) : undefined
  if (!checked || checked.until <= now.getTime())
    throw invalid([{ path: 'request', message: 'The request is too old. Start again in the app.' }])
  return checked
}

type Allowed = { request: string; role: Role; scopes?: Scope[] | undefined }

/** Allows a request. Returns the address of the app, with a code that it redeems for a key. */
export async function allowApp(ctx: Context, { request, role, scopes }: Allowed): Promise<{ url: string }> {
  const now = realTime(ctx.now, ctx.workspace)
  const checked = opened(ctx.sealer, request, now)
  const place = { workspaceId: ctx.workspace.id, id: newId() }
  const code = newLocatedToken(CODE_PREFIX, place)
  await insertConnection(ctx.tx, {
    ...place,
    memberId: (ctx.actor as MemberActor).memberId,
    clientId: checked.clientId,
    clientName: checked.name,
    redirectUri: checked.redirectUri,
    role,
    scopes: scopes ?? null,
    codeHash: hashToken(code),
    codeChallenge: checked.challenge,
    expiresAt: later(now, CODE_MS),
    createdAt: now,
  })
  return { url: answerUrl(ctx.siteUrl, checked, { code }) }
}
