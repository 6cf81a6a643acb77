/** Every statement on accounts and their memberships. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Query, Role, Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type AccountRow = Selectable<Tables['accounts']>

export const insertAccount = (tx: Tx, row: Insertable<Tables['accounts']>): Promise<number> =>
  tx.run(
    db
      .insertInto('accounts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  )

export const findAccount = (tx: Tx, id: string): Promise<AccountRow | undefined> =>
  tx.first(db.selectFrom('accounts').selectAll().where('id', '=', id))

export const findAccountForUpdate = (tx: Tx, id: string): Promise<AccountRow | undefined> =>
  tx.first(db.selectFrom('accounts').selectAll().where('id', '=', id).forUpdate())

const accountGone = (): never =>
  refuse('session_ended', "This account doesn't exist anymore. Sign in with another one.")

/** Returns the account of the signed-in person. Refuses `session_ended`. */
export const getAccount = async (tx: Tx, id: string): Promise<AccountRow> =>
  (await findAccount(tx, id)) ?? accountGone()

export const getAccountForUpdate = async (tx: Tx, id: string): Promise<AccountRow> =>
  (await findAccountForUpdate(tx, id)) ?? accountGone()

export const findAccountByEmail = async (tx: Tx, email: string): Promise<AccountRow | undefined> =>
  (
    await tx.sql<AccountRow>(
      `select * from accounts where email is not null and email_key(email) = email_key($1)
       order by email = $1 desc, id limit 1`,
      [email],
    )
  )[0]

export const updateAccountRow = (
  tx: Tx,
  id: string,
  patch: Updateable<Tables['accounts']>,
): Promise<number> => tx.run(db.updateTable('accounts').set(patch).where('id', '=', id))

type MemberRow = Selectable<Tables['members']>
export type MemberOfAccount = Pick<
  MemberRow,
  'workspaceId' | 'accountId' | 'name' | 'email' | 'role' | 'owner' | 'leftAt'
> & { memberId: MemberRow['id']; role: Role }

const selectMembers = () =>
  db
    .selectFrom('members')
    .select(['id as memberId', 'workspaceId', 'accountId', 'name', 'email', 'role', 'owner', 'leftAt'])
    .$narrowType<{ role: Role }>()

/** Returns a member of any workspace. */
export const findMember = (tx: Tx, memberId: string): Promise<MemberOfAccount | undefined> =>
  tx.first(selectMembers().where('id', '=', memberId))

/** Returns a member of any workspace, locked so that the member gets only one account. */
export const findMemberForUpdate = (tx: Tx, memberId: string): Promise<MemberOfAccount | undefined> =>
  tx.first(selectMembers().where('id', '=', memberId).forUpdate())

/** Returns whether an account with this email is a member of a workspace of this cell. */
export const isMemberEmail = async (query: Query, email: string): Promise<boolean> =>
  (
    await query(
      `select 1 from accounts a where a.email is not null and email_key(a.email) = email_key($1)
         and exists (
           select from members m join workspaces w on w.id = m.workspace_id
           where m.account_id = a.id and m.left_at is null and w.moved_to is null)`,
      [email],
    )
  ).length > 0

/** Returns the account's current memberships, oldest first. */
export const listMembersOfAccount = (tx: Tx, accountId: string): Promise<MemberOfAccount[]> =>
  tx.all(
    selectMembers()
      .where('accountId', '=', accountId)
      .where('leftAt', 'is', null)
      .orderBy('createdAt')
      .orderBy('id'),
  )

/** Returns the members with an email address in all workspaces who have no account, oldest first, locked. */
export const listMembersByEmail = (tx: Tx, email: string): Promise<MemberOfAccount[]> =>
  tx.sql<MemberOfAccount>(
    `select id as member_id, workspace_id, account_id, name, email, role, owner, left_at from members
     where email_key(email) = email_key($1) and account_id is null and left_at is null
     order by created_at, id for update`,
    [email],
  )

/** Copies the new email to the account's memberships, except where another member of the workspace has it. */
export const updateMemberEmails = (
  tx: Tx,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<unknown> =>
  tx.sql(
    `update members m set email = $3
     where m.account_id = $1 and m.left_at is null and email_key(m.email) = email_key($2) and not exists (
       select from members o where o.workspace_id = m.workspace_id and o.left_at is null and o.id <> m.id
         and email_key(o.email) = email_key($3))`,
    [accountId, from, to],
  )

/**
 * Links the member to the account. Returns false if the account already has a membership in that workspace.
 */
export const joinAccount = async (tx: Tx, memberId: string, accountId: string): Promise<boolean> =>
  (
    await tx.sql(
      `update members m set account_id = $2
       where m.id = $1 and not exists (
         select from members o where o.workspace_id = m.workspace_id and o.account_id = $2 and o.left_at is null)
       returning 1`,
      [memberId, accountId],
    )
  ).length > 0

/** Returns the languages of the accounts of a workspace's current members. */
export const listMemberLanguages = (
  query: Query,
  workspaceId: string,
): Promise<Pick<AccountRow, 'id' | 'language'>[]> =>
  query(
    `select m.id, a.language from members m join accounts a on a.id = m.account_id
     where m.workspace_id = $1 and m.left_at is null and a.language is not null`,
    [workspaceId],
  )
