/** Every statement on invitations. */
import type { Insertable, Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type InvitationRow = Selectable<Tables['invitations']>
export type Invitation = Pick<InvitationRow, 'workspaceId' | 'memberId'>

/** Stores a member's only invitation: a new one replaces the last. */
export const upsertInvitation = (
  { tx, workspace }: Pick<Context, 'tx' | 'workspace'>,
  { memberId, hash, expiresAt, createdAt }: Omit<Insertable<Tables['invitations']>, 'workspaceId'>,
): Promise<number> => {
  const written = { hash, expiresAt, createdAt }
  return tx.run(
    db
      .insertInto('invitations')
      .values({ workspaceId: workspace.id, memberId, ...written })
      .onConflict((conflict) => conflict.columns(['workspaceId', 'memberId']).doUpdateSet(written)),
  )
}

/** Returns the member that an invitation is for, without spending it. */
export const findInvitation = (tx: Tx, hash: Buffer, now: Date): Promise<Invitation | undefined> =>
  tx.first(
    db
      .selectFrom('invitations')
      .select(['workspaceId', 'memberId'])
      .where('hash', '=', hash)
      .where('expiresAt', '>', now),
  )

/** Spends an invitation. Of two concurrent callers, one gets it. */
export const takeInvitation = (tx: Tx, hash: Buffer, now: Date): Promise<Invitation | undefined> =>
  tx.first(
    db
      .deleteFrom('invitations')
      .where('hash', '=', hash)
      .where('expiresAt', '>', now)
      .returning(['workspaceId', 'memberId']),
  )

export const deleteInvitation = (tx: Tx, { workspaceId, memberId }: Invitation): Promise<number> =>
  tx.run(db.deleteFrom('invitations').where('workspaceId', '=', workspaceId).where('memberId', '=', memberId))

/** Returns until when each member's invitation is valid, in real time. */
export const listInvitations = (
  { tx, workspace }: Pick<Context, 'tx' | 'workspace'>,
  now: Date,
): Promise<Pick<InvitationRow, 'memberId' | 'expiresAt'>[]> =>
  tx.all(
    db
      .selectFrom('invitations')
      .select(['memberId', 'expiresAt'])
      .where('workspaceId', '=', workspace.id)
      .where('expiresAt', '>', now),
  )

export const deleteExpiredInvitations = async (query: Query, now: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from invitations where (workspace_id, member_id) in (
         select workspace_id, member_id from invitations where expires_at <= $1 limit $2) returning 1`,
      [now, max],
    )
  ).length
