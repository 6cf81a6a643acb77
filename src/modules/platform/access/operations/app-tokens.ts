/**
 * Tokens of apps: a code is redeemed once for an API key and a token that renews it (RFC 6749 sections 4.1.3 and 6, RFC 9700). A
 * key lasts an hour. Each renewal replaces both; a token that was replaced before ends the connection, because two programs have it.
 */
import { createHash } from 'node:crypto'
import { type Clock, DAY_MS, HOUR_MS, later, MINUTE_MS, workspaceTime } from '../../../../core/clock.ts'
import type { Role, Tx, Workspace } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { SCOPES, type Scope } from '../../../../core/scopes.ts'
import { hashToken } from '../../../../core/session.ts'
import { sameHash, sameSecret } from '../../../../core/values/api-key.ts'
import { newLocatedToken, placeOfToken, type TokenPlace } from '../../../../core/values/located-token.ts'
import { memberAuthor } from '../../workspaces/operations/activity.ts'
import { createApiKey, renewApiKey, revokeApiKey } from '../../workspaces/operations/api-keys.ts'
import { findMember } from '../queries/accounts.ts'
import {
  type ConnectionRow,
  findConnectionForUpdate,
  findConnectionOfKey,
  updateConnection,
} from '../queries/app-connections.ts'
import { CODE_PREFIX } from './app-requests.ts'

const REFRESH_PREFIX = 'pr_'
const KEY_MS = HOUR_MS
const REFRESH_MS = 90 * DAY_MS
/** An answer can be lost: for this time, the token before the newest still works. */
const LOST_ANSWER_MS = MINUTE_MS

export type AppTokens = { apiKey: string; refreshToken: string; expiresInSeconds: number; scopes: Scope[] }

/** Returns the row of a code or of a renewing token; undefined for any other text. */
export const placeOfGrant = (token: string): TokenPlace | undefined =>
  placeOfToken(CODE_PREFIX, token) ?? placeOfToken(REFRESH_PREFIX, token)

type Parts = { workspace: Workspace; clock: Clock }

/** Keys follow the clock of their workspace, which a sandbox can move; codes and renewing tokens follow real time. */
const timesOf = ({ workspace, clock }: Parts) => {
  const keyTime = workspaceTime(clock, workspace)
  return { now: clock.now(), keyTime, keyExpiresAt: later(keyTime, KEY_MS) }
}

/** Ends a connection: its key is revoked, and is never renewed. */
async function endConnection(tx: Tx, row: ConnectionRow, now: Date): Promise<void> {
  const member = await findMember(tx, row.memberId)
  if (row.keyId) await revokeApiKey(tx, row.keyId, now, memberAuthor(row.memberId, member?.name ?? ''))
}

/** Everything that a key without scopes may do is named, so that the app knows what it got. */
const scopesOf = ({ scopes }: ConnectionRow): Scope[] => (scopes as Scope[] | null) ?? [...SCOPES]

function newRefreshToken(row: ConnectionRow, now: Date) {
  const refreshToken = newLocatedToken(REFRESH_PREFIX, row)
  return { refreshToken, stored: { refreshHash: hashToken(refreshToken), expiresAt: later(now, REFRESH_MS) } }
}

const answerOf = (row: ConnectionRow, apiKey: string, refreshToken: string): AppTokens => ({
  apiKey,
  refreshToken,
  expiresInSeconds: KEY_MS / 1000,
  scopes: scopesOf(row),
})

/** The member left or has a lower role by now. */
const orUndefined = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal && ['not_found', 'forbidden'].includes(error.code)) return undefined
    throw error
  }
}

const provesChallenge = (verifier: string, challenge: string): boolean =>
  sameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge)

type Redeemed = { code: string; clientId: string; redirectUri: string | undefined; verifier: string }

/** Redeems a code. Undefined if it is unknown, old, used before, or not this app's. */
export async function redeemCode(tx: Tx, parts: Parts, input: Redeemed): Promise<AppTokens | undefined> {
  const { now, keyTime, keyExpiresAt } = timesOf(parts)
  const place = placeOfToken(CODE_PREFIX, input.code)
  const row = place && (await findConnectionForUpdate(tx, place))
  if (!row || !sameHash(row.codeHash, hashToken(input.code))) return undefined
  if (row.keyId) {
    await endConnection(tx, row, keyTime)
    return undefined
  }
  const isOwn =
    row.clientId === input.clientId &&
    (input.redirectUri === undefined || row.redirectUri === input.redirectUri) &&
    provesChallenge(input.verifier, row.codeChallenge)
  if (!isOwn || row.expiresAt <= now) return undefined
  const member = await findMember(tx, row.memberId)
  const key = await orUndefined(
    createApiKey(
      tx,
      {
        workspaceId: row.workspaceId,
        memberId: row.memberId,
        role: row.role as Role,
        ...(row.scopes && { scopes: row.scopes as Scope[] }),
        label: row.clientName,
        expiresAt: keyExpiresAt,
      },
      keyTime,
      memberAuthor(row.memberId, member?.name ?? ''),
    ),
  )
  if (!key) return undefined
  const { refreshToken, stored } = newRefreshToken(row, now)
  await updateConnection(tx, row, { ...stored, keyId: key.keyId, refreshedAt: now })
  return answerOf(row, key.apiKey, refreshToken)
}

/** Returns the part of a token in its connection: the newest one, the one before it, or neither. */
function partOf(row: ConnectionRow, token: string): 'newest' | 'previous' | undefined {
  const hash = hashToken(token)
  if (row.refreshHash && sameHash(row.refreshHash, hash)) return 'newest'
  return row.previousHash && sameHash(row.previousHash, hash) ? 'previous' : undefined
}

/** Renews the key of an app. Undefined if the token is unknown, old, used before, or not this app's, or if the key is revoked. */
export async function renewKey(
  tx: Tx,
  parts: Parts,
  input: { refreshToken: string; clientId: string },
): Promise<AppTokens | undefined> {
  const { now, keyTime, keyExpiresAt } = timesOf(parts)
  const place = placeOfToken(REFRESH_PREFIX, input.refreshToken)
  const row = place && (await findConnectionForUpdate(tx, place))
  const part = row && partOf(row, input.refreshToken)
  if (!row?.keyId || !part || row.clientId !== input.clientId || row.expiresAt <= now) return undefined
  if (part === 'previous' && later(row.refreshedAt!, LOST_ANSWER_MS) <= now) {
    await endConnection(tx, row, keyTime)
    return undefined
  }
  const apiKey = await renewApiKey(tx, row.keyId, keyExpiresAt)
  if (apiKey === undefined) return undefined
  const { refreshToken, stored } = newRefreshToken(row, now)
  await updateConnection(tx, row, {
    ...stored,
    ...(part === 'newest' && { previousHash: row.refreshHash, refreshedAt: now }),
  })
  return answerOf(row, apiKey, refreshToken)
}

/** Ends the connection of a token, as its app asks. Does nothing for an unknown token. */
export async function endByToken(tx: Tx, parts: Parts, refreshToken: string): Promise<void> {
  const place = placeOfToken(REFRESH_PREFIX, refreshToken)
  const row = place && (await findConnectionForUpdate(tx, place))
  if (row && partOf(row, refreshToken)) await endConnection(tx, row, timesOf(parts).keyTime)
}

/** Ends the connection of a key, as its app asks. Other keys are revoked on their page only. */
export async function endByKey(tx: Tx, parts: Parts, keyId: string): Promise<void> {
  const row = await findConnectionOfKey(tx, parts.workspace.id, keyId)
  if (row) await endConnection(tx, row, timesOf(parts).keyTime)
}
