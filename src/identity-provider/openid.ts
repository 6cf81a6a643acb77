/**
 * Signs people in by OpenID Connect: authorization code flow with PKCE, state, and nonce. The provider's settings come from its
 * discovery document, which is read at the first sign-in and each hour.
 */
import { HOUR_MS } from '../core/clock.ts'
import type { Egress } from '../egress/egress.ts'
import {
  type Identity,
  type IdentityProvider,
  type Joining,
  ProviderFault,
  type SignInChecks,
} from './port.ts'

/** The settings `PARLEY_OIDC_…`. */
export type OpenIdSettings = {
  issuer: string
  clientId: string
  clientSecret?: string
  label: string
  only: boolean
  /** Treats every email address of the provider as verified. */
  trustsEmail: boolean
  joining: Joining | null
}

const MAX_ANSWER_BYTES = 512 * 1024
const MAX_GROUPS = 500
const MAX_NAME_LENGTH = 100

// Loaded on demand: most processes never need it.
const library = () => import('openid-client')
type Library = Awaited<ReturnType<typeof library>>
type Configuration = Awaited<ReturnType<Library['discovery']>>

/** Returns a `fetch` whose calls go through the egress. */
const fetchThrough =
  (egress: Egress) =>
  async (url: string, options: { method: string; headers: Record<string, string>; body?: unknown }) => {
    const { body } = options
    const answer = await egress.send(options.method as 'GET', {
      target: egress.prepareTarget(url, { requireHttps: false }),
      headers: options.headers,
      // The library sends forms.
      ...(body === undefined || body === null ? {} : { body: (body as URLSearchParams).toString() }),
      maxBodyBytes: MAX_ANSWER_BYTES,
    })
    return new Response(answer.status === 204 ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    })
  }

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** Returns the groups in a claim, which some providers send as one text. */
const groupsOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim])
    .filter((group) => typeof group === 'string')
    .slice(0, MAX_GROUPS) as string[]

type Claims = Record<string, unknown>

function identityFrom(claims: Claims, { trustsEmail }: OpenIdSettings): Identity {
  const isVerified = trustsEmail || claims.email_verified === true || claims.email_verified === 'true'
  return {
    issuer: String(claims.iss),
    subject: String(claims.sub),
    email: isVerified ? textOf(claims.email) : null,
    name: textOf(claims.name)?.slice(0, MAX_NAME_LENGTH) ?? null,
    groups: groupsOf(claims.groups),
  }
}

/** Opens the provider. Nothing is requested before the first sign-in. */
export function openIdProvider(
  settings: OpenIdSettings,
  { egress, redirectUri }: { egress: Egress; redirectUri: string },
): IdentityProvider {
  const { issuer, clientId, clientSecret, label, only, joining } = settings
  let found: { configuration: Promise<Configuration>; untilMs: number } | undefined

  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery } = await library()
    return discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [customFetch]: fetchThrough(egress),
      ...(issuer.startsWith('http:') ? { execute: [allowInsecureRequests] } : {}),
    })
  }

  function configuration(): Promise<Configuration> {
    const nowMs = performance.now()
    if (found && nowMs < found.untilMs) return found.configuration
    const current = { configuration: discover(), untilMs: nowMs + HOUR_MS }
    // After a failure, the next sign-in tries again.
    current.configuration.catch(() => {
      if (found === current) found = undefined
    })
    found = current
    return current.configuration
  }

  /** Runs `work`; reports what fails as a fault of the provider. */
  const reporting = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (cause) {
      throw new ProviderFault(`The identity provider ${issuer} can't be used: ${(cause as Error).message}`, {
        cause,
      })
    }
  }

  return {
    label,
    only,
    joining,
    signInUrl: (checks) =>
      reporting(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
        return buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          code_challenge: await calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
          state: checks.state,
          nonce: checks.nonce,
        }).href
      }),
    identityOf: (callback, checks) =>
      reporting(async () =>
        identityFrom(await readClaims(await configuration(), callback, checks), settings),
      ),
  }
}

/** Returns the claims of the id token, with those of the provider's user info, if it has them. */
async function readClaims(
  configuration: Configuration,
  callback: URL,
  checks: SignInChecks,
): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await library()
  const tokens = await authorizationCodeGrant(configuration, callback, {
    pkceCodeVerifier: checks.verifier,
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return { ...claims }
  return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
}
