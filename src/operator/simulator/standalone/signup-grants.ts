/** The app at the simulated operator, and the accounts that owners shared with it. */
import { randomBytes } from 'node:crypto'
import { type Clock, later, SECOND_MS } from '../../../core/clock.ts'
import { sameSecret } from '../../../core/values/api-key.ts'
import { type GraphAnswer, graphError, invalidToken } from '../graph-errors.ts'
import type { SimulatedNumber } from '../store.ts'

/** An app of the hosted signup. */
export type SimulatedApp = { id: string; secret: string; configId: string }

/** A code works once, for this time. */
const CODE_SECONDS = 30
const NAME = 'Parley'
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging']

type Code = { accountId: string; redirectUri: string; expiresAt: Date; isUsed: boolean }
type Grant = { accountId: string; issuedAt: Date }

export type Grants = {
  app: SimulatedApp
  /** Shares an account with the app, and returns the code of the answer. */
  issueCode(accountId: string, redirectUri: string): string
  /** Exchanges a code for a token. */
  exchange(values: Record<string, unknown>): GraphAnswer
  /** Describes a token to its app. */
  describe(values: Record<string, unknown>, appToken: string | undefined): GraphAnswer
  /** Returns whether a token was given for an account. */
  covers(token: string | undefined, accountId: string): boolean
}

const random = (): string => randomBytes(24).toString('base64url')

const refuse = (message: string, subcode: number): GraphAnswer => graphError(100, message, { subcode })

export function createGrants(
  app: SimulatedApp,
  clock: Clock,
  numbersOf: (accountId: string) => SimulatedNumber[],
): Grants {
  const codes = new Map<string, Code>()
  const tokens = new Map<string, Grant>()

  function problemOf(code: Code | undefined, redirectUri: unknown): GraphAnswer | undefined {
    if (!code) return refuse('Invalid verification code format.', 36_009)
    if (code.redirectUri !== redirectUri)
      return refuse(
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
        36_008,
      )
    if (code.isUsed) return refuse('This authorization code has been used.', 36_009)
    return code.expiresAt <= clock.now() ? refuse('This authorization code has expired.', 36_007) : undefined
  }

  function problemOfApp(id: unknown, secret: unknown): GraphAnswer | undefined {
    if (id !== app.id)
      return graphError(
        101,
        'Error validating application. Cannot get application info due to a system error.',
      )
    return typeof secret === 'string' && sameSecret(secret, app.secret)
      ? undefined
      : graphError(1, 'Error validating client secret.')
  }

  return {
    app,
    issueCode(accountId, redirectUri) {
      const code = `AQ${random()}`
      codes.set(code, {
        accountId,
        redirectUri,
        expiresAt: later(clock.now(), CODE_SECONDS * SECOND_MS),
        isUsed: false,
      })
      return code
    },
    exchange({ client_id: id, client_secret: secret, redirect_uri: redirectUri, code: name }) {
      const code = codes.get(String(name))
      const problem = problemOfApp(id, secret) ?? problemOf(code, redirectUri)
      if (problem) return problem
      const { accountId } = code!
      code!.isUsed = true
      const token = `EAA${random()}`
      tokens.set(token, { accountId, issuedAt: clock.now() })
      for (const number of numbersOf(accountId))
        number.grantedTokens = [...(number.grantedTokens ?? []), token]
      return { status: 200, body: { access_token: token, token_type: 'bearer' } }
    },
    describe({ input_token: token }, appToken) {
      if (appToken === undefined || !sameSecret(appToken, `${app.id}|${app.secret}`)) return invalidToken()
      const grant = tokens.get(String(token))
      const data = grant
        ? {
            app_id: app.id,
            type: 'SYSTEM_USER',
            application: NAME,
            expires_at: 0,
            is_valid: true,
            issued_at: Math.floor(grant.issuedAt.getTime() / SECOND_MS),
            scopes: SCOPES,
            granular_scopes: SCOPES.map((scope) => ({ scope, target_ids: [grant.accountId] })),
          }
        : { is_valid: false, scopes: [], error: { code: 190, message: 'Invalid OAuth access token.' } }
      return { status: 200, body: { data } }
    },
    covers: (token, accountId) => token !== undefined && tokens.get(token)?.accountId === accountId,
  }
}
