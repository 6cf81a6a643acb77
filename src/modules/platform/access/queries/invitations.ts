/** Every statement on invitations. */
import type { Context, Query, Tx } from '../../../../core/context.ts'

export type Invitation = { workspaceId: string; memberId: string }

/** Stores a member's only invitation: a new one replaces the last. */
export const upsertInvitation = (
  { tx, workspace }: Pick<Context, 'tx' | 'workspace'>,
  invitation: { memberId: string; hash: Buffer; expiresAt: Date; createdAt: Date },
): Promise<unknown[]> =>
  tx.sql(
    `insert into invitations (workspace_id, member_id, hash, expires_at, created_at) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, member_id) do update
       set hash = excluded.hash, expires_at = excluded.expires_at, created_at = excluded.created_at`,
    [workspace.id, invitation.memberId, invitation.hash, invitation.expiresAt, invitation.createdAt],
  )

/** Returns the member that an invitation is for, without spending it. */
export const findInvitation = async (tx: Tx, hash: Buffer, now: Date): Promise<Invitation | undefined> =>
  (
    await tx.sql<Invitation>(
      'select workspace_id, member_id from invitations where hash = $1 and expires_at > $2',
      [hash, now],
    )
  )[0]

/** Spends an invitation. Of two concurrent callers, one gets it. */
export const takeInvitation = async (tx: Tx, hash: Buffer, now: Date): Promise<Invitation | undefined> =>
  (
    await tx.sql<Invitation>(
      'delete from invitations where hash = $1 and expires_at > $2 returning workspace_id, member_id',
      [hash, now],
    )
  )[0]

export const deleteInvitation = (
  tx: Tx,
  { workspaceId, memberId }: { workspaceId: string; memberId: string },
): Promise<unknown[]> =>
  tx.sql('delete from invitations where workspace_id = $1 and member_id = $2', [workspaceId, memberId])

/** Returns until when each member's invitation is valid, in real time. */
export const listInvitations = (
  { tx, workspace }: Pick<Context, 'tx' | 'workspace'>,
  now: Date,
): Promise<{ memberId: string; expiresAt: Date }[]> =>
  tx.sql('select member_id, expires_at from invitations where workspace_id = $1 and expires_at > $2', [
    workspace.id,
    now,
  ])

export const deleteExpiredInvitations = async (query: Query, now: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from invitations where (workspace_id, member_id) in (
         select workspace_id, member_id from invitations where expires_at <= $1 limit $2) returning 1`,
      [now, max],
    )
  ).length
