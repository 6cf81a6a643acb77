/** Every statement on one-time tokens. */
import type { Insertable, Selectable } from 'kysely'
import type { Query, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type TokenRow = Selectable<Tables['signInTokens']>
export type TokenPurpose = 'link' | 'reset' | 'totp' | 'passkey' | 'email' | 'sso'

export const insertToken = (tx: Tx, row: Insertable<Tables['signInTokens']>): Promise<number> =>
  tx.run(db.insertInto('signInTokens').values(row))

/** Makes a function that runs a statement on the token with a hash and a purpose that has not expired. */
const tokenBy =
  (statement: string) =>
  async (tx: Tx, purpose: TokenPurpose, hash: Buffer, now: Date): Promise<TokenRow | undefined> =>
    (await tx.sql<TokenRow>(statement, [hash, purpose, now]))[0]

/** Returns a token without spending it. */
export const findToken = tokenBy(
  'select * from sign_in_tokens where hash = $1 and purpose = $2 and expires_at > $3 for update',
)

/** Returns the token of a mailed link without spending it. */
export const findMailedToken = (tx: Tx, hash: Buffer, now: Date): Promise<TokenRow | undefined> =>
  tx.first(
    db
      .selectFrom('signInTokens')
      .selectAll()
      .where('hash', '=', hash)
      .where('purpose', 'in', ['reset', 'email'])
      .where('expiresAt', '>', now),
  )

/** Returns whether an invitation, a reset or a new email has this token. */
export const isRedeemable = async (tx: Tx, hash: Buffer, now: Date): Promise<boolean> =>
  (
    await tx.sql(
      `select 1 from invitations where hash = $1 and expires_at > $2
       union all select 1 from sign_in_tokens where hash = $1 and purpose in ('reset', 'email') and expires_at > $2`,
      [hash, now],
    )
  ).length > 0

/** Returns whether an invitation, or a one-time token of any purpose, has this hash. */
export const isKnownToken = async (query: Query, hash: Buffer): Promise<boolean> =>
  (
    await query(
      'select 1 from invitations where hash = $1 union all select 1 from sign_in_tokens where hash = $1',
      [hash],
    )
  ).length > 0

/** Spends a token. Of two concurrent callers, one gets it. */
export const takeToken = tokenBy(
  'delete from sign_in_tokens where hash = $1 and purpose = $2 and expires_at > $3 returning *',
)

/** Deletes an account's earlier tokens, so that their links stop working. */
export const deleteTokensOfAccount = (
  tx: Tx,
  accountId: string,
  purposes: TokenPurpose[],
): Promise<unknown[]> =>
  tx.sql('delete from sign_in_tokens where account_id = $1 and purpose = any($2::text[])', [
    accountId,
    purposes,
  ])

export const deleteExpiredTokens = async (query: Query, now: Date, max: number): Promise<number> =>
  (
    await query(
      'delete from sign_in_tokens where hash in (select hash from sign_in_tokens where expires_at <= $1 limit $2) returning 1',
      [now, max],
    )
  ).length
