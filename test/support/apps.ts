/** Apps that connect in a browser by OAuth, without a browser: an admin allows their requests. */
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'undici'
import { type Browser, DASHBOARD } from './sessions.ts'

export const REDIRECT_URI = 'https://assistant.example/callback'

/** An answer of the OAuth routes. */
export type OAuthAnswer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: read like answers of the API
  body: any
  headers: Record<string, string | string[] | undefined>
}

async function answerOf(url: string, init: Parameters<typeof request>[1]): Promise<OAuthAnswer> {
  const { statusCode, headers, body } = await request(url, init)
  const text = await body.text()
  return { status: statusCode, body: text === '' ? undefined : JSON.parse(text), headers }
}

export const postForm = (
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<OAuthAnswer> =>
  answerOf(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })

export const registerClient = (siteUrl: string, document: unknown): Promise<OAuthAnswer> =>
  answerOf(`${siteUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof document === 'string' ? document : JSON.stringify(document),
  })

/** Returns the id of a new app. */
export async function newApp(siteUrl: string, redirectUri = REDIRECT_URI, name = 'Helper'): Promise<string> {
  const { body } = await registerClient(siteUrl, { client_name: name, redirect_uris: [redirectUri] })
  return body.client_id
}

/** The query of a request, and the secret that proves who asked. */
export function newRequest(clientId: string, more: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state',
    ...more,
  }).toString()
  return { verifier, query }
}

/** Allows a request as an admin; returns the address to which the browser is sent. */
export async function allow(
  admin: Browser,
  query: string,
  rights: { role?: string; scopes?: string[] } = {},
): Promise<URL> {
  const read = await admin.post(`${DASHBOARD}/app-requests`, { query })
  if (read.status !== 200 || read.body.state !== 'asked') throw new Error(`not asked: ${read.text}`)
  const allowed = await admin.post(`${DASHBOARD}/app-connections`, {
    request: read.body.request,
    role: 'viewer',
    ...rights,
  })
  if (allowed.status !== 201) throw new Error(`not allowed: ${allowed.text}`)
  return new URL(allowed.body.url)
}

export type Connected = { apiKey: string; refreshToken: string; clientId: string }

/** Connects an app. */
export async function connectApp(
  siteUrl: string,
  admin: Browser,
  rights: { role?: string; scopes?: string[] } = {},
): Promise<Connected> {
  const clientId = await newApp(siteUrl)
  const { query, verifier } = newRequest(clientId)
  const { status, body } = await redeem(siteUrl, {
    code: (await allow(admin, query, rights)).searchParams.get('code')!,
    clientId,
    verifier,
  })
  if (status !== 200) throw new Error(`not connected: ${JSON.stringify(body)}`)
  return { apiKey: body.access_token, refreshToken: body.refresh_token, clientId }
}

export const redeem = (
  siteUrl: string,
  { code, clientId, verifier }: { code: string; clientId: string; verifier: string },
): Promise<OAuthAnswer> =>
  postForm(`${siteUrl}/oauth/token`, {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  })

export const renew = (
  siteUrl: string,
  { refreshToken, clientId }: { refreshToken: string; clientId: string },
): Promise<OAuthAnswer> =>
  postForm(`${siteUrl}/oauth/token`, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
  })
