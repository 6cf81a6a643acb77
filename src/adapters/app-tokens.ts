import type { Clock } from '../core/clock.ts'
import type { Database, Tx, Workspace } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { hashApiKey, looksLikeApiKey } from '../core/values/api-key.ts'
import { type Destination, destinationOfKey } from '../http/cells/locator.ts'
import type { OAuthOptions } from '../http/oauth/oauth-routes.ts'
import { registerApp } from '../modules/platform/access/operations/app-identity.ts'
import {
  endByKey,
  endByToken,
  placeOfGrant,
  redeemCode,
  renewKey,
} from '../modules/platform/access/operations/app-tokens.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'

type Parts = {
  database: Pick<Database, 'system'>
  directory: Directory
  clock: Clock
  sealer: Pick<Sealer, 'seal'>
}

/** Returns where a code or token of an app belongs; undefined for any other text. */
export function destinationOfToken(token: string): Destination | undefined {
  const place = placeOfGrant(token)
  return place
    ? { locator: { kind: 'workspace', value: place.workspaceId } }
    : destinationOfKey(`Bearer ${token}`)
}

/** Redeems, renews, and ends the tokens of apps, with the database. */
export function appTokens({
  database,
  directory,
  clock,
  sealer,
}: Parts): Pick<OAuthOptions, 'register' | 'redeem' | 'renew' | 'revoke'> {
  /** Runs `work` in a transaction, for a token of a workspace of this cell. */
  const inWorkspace = async <T>(
    token: string,
    work: (tx: Tx, parts: { workspace: Workspace; clock: Clock }) => Promise<T>,
  ): Promise<T | undefined> => {
    const place = placeOfGrant(token)
    const workspace = place && (await directory.workspace(place.workspaceId))
    return workspace && database.system((tx) => work(tx, { workspace, clock }))
  }
  return {
    register: (document) => registerApp(sealer, document),
    redeem: (input) => inWorkspace(input.code, (tx, parts) => redeemCode(tx, parts, input)),
    renew: (input) => inWorkspace(input.refreshToken, (tx, parts) => renewKey(tx, parts, input)),
    revoke: async (token) => {
      const key = await directory.key(hashApiKey(token), () => looksLikeApiKey(token))
      if (key)
        await database.system((tx) => endByKey(tx, { workspace: key.workspace, clock }, key.actor.keyId))
      else await inWorkspace(token, (tx, parts) => endByToken(tx, parts, token))
    },
  }
}
