/** Statements on the members that an identity provider sees: current members, and those that it deactivated. */
import type { Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import type { MemberRow } from './workspaces.ts'

const IS_VISIBLE = '(left_at is null or suspended_at is not null)'
const USER_NAME_KEY = 'email_key(coalesce(user_name, email))'

export type ProvisionedFilter = {
  id?: string | undefined
  userName?: string | undefined
  email?: string | undefined
  externalId?: string | undefined
}

const MATCHES = `workspace_id = $1 and ${IS_VISIBLE} and ($2::uuid is null or id = $2)
  and ($3::text is null or ${USER_NAME_KEY} = email_key($3)) and ($4::text is null or email_key(email) = email_key($4))
  and ($5::text is null or external_id = $5)`

const valuesOf = (workspaceId: string, { id, userName, email, externalId }: ProvisionedFilter) => [
  workspaceId,
  id ?? null,
  userName ?? null,
  email ?? null,
  externalId ?? null,
]

export const listProvisionedRows = (
  tx: Tx,
  workspaceId: string,
  filter: ProvisionedFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<MemberRow[]> =>
  tx.sql<MemberRow>(`select * from members where ${MATCHES} order by id offset $6 limit $7`, [
    ...valuesOf(workspaceId, filter),
    offset,
    limit,
  ])

export const countProvisioned = async (
  tx: Tx,
  workspaceId: string,
  filter: ProvisionedFilter,
): Promise<number> =>
  (
    await tx.sql<{ total: number }>(
      `select count(*)::int as total from members where ${MATCHES}`,
      valuesOf(workspaceId, filter),
    )
  )[0]!.total

/** Lists those of these members that the provider sees. */
export const listProvisionedById = (
  tx: Tx,
  workspaceId: string,
  ids: string[],
): Promise<Pick<MemberRow, 'id' | 'leftAt'>[]> =>
  tx.sql(
    `select id, left_at from members where workspace_id = $1 and id = any($2::uuid[]) and ${IS_VISIBLE}`,
    [workspaceId, uuids(ids)],
  )

/** Returns whether another member that the provider sees has the email address or the user name. */
export const isNameInUse = async (
  tx: Tx,
  workspaceId: string,
  { email, userName }: { email: string; userName: string },
  besides: string | undefined,
): Promise<boolean> =>
  (
    await tx.sql(
      `select 1 from members where workspace_id = $1 and ${IS_VISIBLE} and id is distinct from $4
         and (email_key(email) = email_key($2) or ${USER_NAME_KEY} = email_key($3)) limit 1`,
      [workspaceId, email, userName, besides ?? null],
    )
  ).length > 0

/** Returns whether the provider has deactivated the person in the workspace. */
export const isSuspended = async (
  tx: Tx,
  workspaceId: string,
  { accountId, email }: { accountId: string; email: string },
): Promise<boolean> =>
  (
    await tx.sql(
      `select 1 from members where workspace_id = $1 and left_at is not null and suspended_at is not null
         and (account_id = $2 or email_key(email) = email_key($3)) limit 1`,
      [workspaceId, accountId, email],
    )
  ).length > 0

/** Takes deactivated members out of the provider's sight, because another member now has their address. */
export const endSuspensions = (
  tx: Tx,
  workspaceId: string,
  email: string,
  besides: string | undefined,
): Promise<unknown> =>
  tx.sql(
    `update members set suspended_at = null where workspace_id = $1 and left_at is not null
       and suspended_at is not null and email_key(email) = email_key($2) and id is distinct from $3`,
    [workspaceId, email, besides ?? null],
  )

/** Returns whether another current member of the workspace belongs to the same account. */
export const hasOtherMembership = async (
  tx: Tx,
  { workspaceId, accountId, id }: Pick<MemberRow, 'workspaceId' | 'accountId' | 'id'>,
): Promise<boolean> =>
  (
    await tx.sql(
      'select 1 from members where workspace_id = $1 and account_id = $2 and left_at is null and id <> $3',
      [workspaceId, accountId, id],
    )
  ).length > 0
