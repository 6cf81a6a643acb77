/** Statements on connected accounts. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Query, Tx } from '../../../../core/context.ts'
import { db, isOfWorkspace } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** A stored account; its secrets stay sealed. */
export type AccountRow = Omit<Selectable<Tables['socialAccounts']>, 'network' | 'state'> & {
  network: 'simulator' | 'graph'
  state: 'connected' | 'reconnect_required' | 'disconnected'
}

/** Returns the workspace's account, unless it is disconnected. */
export const findAccountOf = async (query: Query, workspaceId: string): Promise<AccountRow | undefined> =>
  (
    await query<AccountRow>(
      `select * from social_accounts where workspace_id = $1 and state <> 'disconnected'`,
      [workspaceId],
    )
  )[0]

/** Returns the same account, locked until the transaction ends. */
export const findAccountOfForUpdate = async (tx: Tx, workspaceId: string): Promise<AccountRow | undefined> =>
  (
    await tx.sql<AccountRow>(
      `select * from social_accounts where workspace_id = $1 and state <> 'disconnected' for update`,
      [workspaceId],
    )
  )[0]

/** Returns the workspace that has the network's account, if any. */
export const findHolder = async (
  query: Query,
  network: string,
  networkId: string,
): Promise<AccountRow | undefined> =>
  (
    await query<AccountRow>(
      `select * from social_accounts where network = $1 and network_id = $2 and state <> 'disconnected'`,
      [network, networkId],
    )
  )[0]

/**
 * Stores an account, or reconnects the workspace's account with the same id of the network. Returns our id.
 */
export const upsertAccount = async (tx: Tx, row: Insertable<Tables['socialAccounts']>): Promise<string> => {
  const storedRow = await tx.first(
    db
      .insertInto('socialAccounts')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['workspaceId', 'network', 'networkId']).doUpdateSet({
          scopedId: row.scopedId ?? null,
          username: row.username,
          name: row.name ?? null,
          state: row.state,
          stateReason: null,
          tokenSealed: row.tokenSealed ?? null,
          appSecretSealed: row.appSecretSealed ?? null,
          verifyTokenHash: row.verifyTokenHash ?? null,
          tokenExpiresAt: null,
          refreshDueAt: row.refreshDueAt ?? null,
          connectedAt: row.connectedAt,
        }),
      )
      .returning('id'),
  )
  return storedRow!.id
}

export const updateAccount = (
  tx: Tx,
  { workspaceId, id }: Pick<AccountRow, 'workspaceId' | 'id'>,
  patch: Updateable<Tables['socialAccounts']>,
): Promise<number> =>
  tx.run(
    db.updateTable('socialAccounts').set(patch).where('workspaceId', '=', workspaceId).where('id', '=', id),
  )

/** Marks the account as one that needs a reconnect, unless its token was replaced meanwhile. */
export const setReconnectRequired = (
  tx: Tx,
  account: Pick<AccountRow, 'workspaceId' | 'id' | 'tokenSealed'>,
  reason: string,
): Promise<unknown> =>
  tx.run(
    db
      .updateTable('socialAccounts')
      .set({ state: 'reconnect_required', stateReason: reason, refreshDueAt: null })
      .where('workspaceId', '=', account.workspaceId)
      .where('id', '=', account.id)
      .where('tokenSealed', '=', account.tokenSealed)
      .where('state', '=', 'connected'),
  )

/** Lists accounts by our ids, including disconnected ones. */
export const listAccountsById = (query: Query, workspaceId: string, ids: string[]): Promise<AccountRow[]> =>
  query<AccountRow>('select * from social_accounts where workspace_id = $1 and id = any($2::uuid[])', [
    workspaceId,
    ids,
  ])

/** Claims accounts whose token must be refreshed; unfinished ones are claimed again at `nextAt`. */
export const claimRefreshes = (
  query: Query,
  claim: { now: Date; nextAt: Date; limit: number },
): Promise<AccountRow[]> =>
  query<AccountRow>(
    `with due as materialized (
       select workspace_id, id from social_accounts mine where refresh_due_at <= $1 and ${isOfWorkspace('mine')}
       order by refresh_due_at limit $3 for update skip locked
     )
     update social_accounts a set refresh_due_at = $2 from due
     where a.workspace_id = due.workspace_id and a.id = due.id returning a.*`,
    [claim.now, claim.nextAt, claim.limit],
  )

/** Replaces a token only if it is still the one with which the new one was requested. */
export const replaceToken = (
  query: Query,
  account: Pick<AccountRow, 'workspaceId' | 'id' | 'tokenSealed'>,
  next: { tokenSealed: Buffer; expiresAt: Date; refreshDueAt: Date },
): Promise<unknown> =>
  query(
    `update social_accounts set token_sealed = $4, token_expires_at = $5, refresh_due_at = $6
     where workspace_id = $1 and id = $2 and token_sealed = $3`,
    [
      account.workspaceId,
      account.id,
      account.tokenSealed,
      next.tokenSealed,
      next.expiresAt,
      next.refreshDueAt,
    ],
  )
