import type { Insertable, Selectable, Updateable } from 'kysely'
import type { KeyActor, Plan, Query, Role, Tx, Workspace } from '../../../../core/context.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { byteStrings, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, isFound } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { keyWorksSql } from '../operations/access-rules.ts'
import { PLANS } from '../plans.ts'
import type { StoredNumber } from './numbers.ts'

/** The data of a key for authentication, with its workspace. */
export type KeyRecord = {
  hash: Buffer
  workspace: Workspace
  actor: KeyActor
  allowIps: string[] | null
  revokedAt: Date | null
  /** True if the key is one of several valid keys: each then gets half of a bucket (spec 8.1.1). */
  severalKeys: boolean
}

/**
 * A sending number; its secrets stay sealed. `stateCode`: the operator's error for a state that is not active.
 * `throughput`: messages a second that the operator accepts. `dailyNewRecipients`: the maximum in a day.
 */
export type NumberRecord = Omit<
  StoredNumber,
  'operator' | 'username' | 'notifiedAt' | 'messagingLimit' | 'stateAt'
> & { operator: 'simulator' | 'cloud' }

/** The condition that the workspace has active auto-replies or bots. */
const ANSWERS_ITSELF = `${isFound('from auto_replies r where r.workspace_id = workspaces.id and r.enabled')}
  or ${isFound('from bots b where b.workspace_id = workspaces.id and b.enabled')}`

/** The condition that the workspace's capture link has mappings of submissions. */
const MAPS_CAPTURES = isFound('from capture_mappings c where c.workspace_id = workspaces.id')

/** The condition that members receive push notifications. */
const SENDS_PUSH = isFound('from push_subscriptions s where s.workspace_id = workspaces.id')

const WORKSPACE = `workspaces.id, name, plan, sandbox, country_code, timezone, language, clock_offset_ms, lead_capture, capture_token, social_addon,
  social_enabled, modules, contact_limit, message_allowance, marketing_cap, cool_off_days, follow_up_hours,
  wallet_empty, details_hidden_from, workspaces.created_at, ${ANSWERS_ITSELF} as answers_itself,
  ${MAPS_CAPTURES} as maps_captures, ${SENDS_PUSH} as sends_push`

type StoredWorkspace = Pick<
  WorkspaceRow,
  | 'id'
  | 'name'
  | 'plan'
  | 'sandbox'
  | 'countryCode'
  | 'timezone'
  | 'language'
  | 'clockOffsetMs'
  | 'leadCapture'
  | 'captureToken'
  | 'socialAddon'
  | 'socialEnabled'
  | 'modules'
  | 'contactLimit'
  | 'messageAllowance'
  | 'marketingCap'
  | 'coolOffDays'
  | 'followUpHours'
  | 'walletEmpty'
  | 'detailsHiddenFrom'
  | 'createdAt'
> & { plan: Plan; answersItself: boolean; mapsCaptures: boolean; sendsPush: boolean }

const withLimits = <
  Row extends {
    plan: Plan
    language: string
    detailsHiddenFrom: string[]
    contactLimit: number | null
    messageAllowance: number | null
  },
>(
  row: Row,
) => ({
  ...row,
  language: row.language as Language,
  detailsHiddenFrom: row.detailsHiddenFrom as Role[],
  contactLimit: row.contactLimit ?? PLANS[row.plan].contactLimit,
  messageAllowance: row.messageAllowance ?? PLANS[row.plan].messageAllowance,
})

export async function listWorkspacesById(query: Query, ids: string[]): Promise<Workspace[]> {
  const rows = await query<StoredWorkspace>(
    `select ${WORKSPACE} from workspaces where id = any($1::uuid[])`,
    [ids],
  )
  return rows.map(withLimits)
}

export const findWorkspaceByCaptureToken = async (query: Query, token: string): Promise<string | undefined> =>
  (await query<Pick<WorkspaceRow, 'id'>>('select id from workspaces where capture_token = $1', [token]))[0]
    ?.id

const KEYS = `select ${WORKSPACE}, hash, k.id as key_id, member_id, label, role, scopes, allow_ips, expires_at, revoked_at,
    1 < (select count(*) from api_keys one where one.workspace_id = workspaces.id
      and ${keyWorksSql('one', "$2::timestamptz + clock_offset_ms * interval '1 millisecond'")}) as several_keys
  from unnest($1::bytea[]) as asked(hash)
  join api_keys k using (hash) join workspaces on workspaces.id = k.workspace_id`

type KeyColumns = Pick<
  KeyRow,
  'hash' | 'memberId' | 'label' | 'role' | 'scopes' | 'allowIps' | 'expiresAt' | 'revokedAt'
> & { keyId: KeyRow['id']; role: Role; severalKeys: boolean }

/** Lists the keys with these hashes, in any order. */
export async function listKeysByHash(query: Query, hashes: Buffer[], now: Date): Promise<KeyRecord[]> {
  const rows = await query<StoredWorkspace & KeyColumns>(KEYS, [byteStrings(hashes), now])
  return rows.map(
    ({
      hash,
      keyId,
      memberId,
      label,
      role,
      scopes,
      allowIps,
      expiresAt,
      revokedAt,
      severalKeys,
      ...workspace
    }) => ({
      hash,
      workspace: withLimits(workspace),
      allowIps,
      revokedAt,
      severalKeys,
      actor: { kind: 'key', keyId, memberId, label, role, scopes, expiresAt },
    }),
  )
}

export const listNumbersOf = (query: Query, workspaceId: string): Promise<NumberRecord[]> =>
  query<NumberRecord>('select * from phone_numbers where workspace_id = $1 order by id', [workspaceId])

export async function findNumberByOperatorId(
  query: Query,
  operator: string,
  operatorId: string,
): Promise<NumberRecord | undefined> {
  const [row] = await query<NumberRecord>(
    'select * from phone_numbers where operator = $1 and operator_id = $2',
    [operator, operatorId],
  )
  return row
}

export const insertWorkspace = async (tx: Tx, row: Insertable<Tables['workspaces']>): Promise<void> => {
  await tx.run(db.insertInto('workspaces').values(row))
  await tx.run(db.insertInto('workspaceUsage').values({ workspaceId: row.id }))
}

export const updateWorkspaceRow = (
  tx: Tx,
  id: string,
  patch: Updateable<Tables['workspaces']>,
): Promise<number> => tx.run(db.updateTable('workspaces').set(patch).where('id', '=', id))

export type WorkspaceRow = Selectable<Tables['workspaces']>

export const findWorkspaceRow = (tx: Tx, id: string): Promise<WorkspaceRow | undefined> =>
  tx.first(db.selectFrom('workspaces').selectAll().where('id', '=', id))

export const listWorkspaceRows = (tx: Tx): Promise<WorkspaceRow[]> =>
  tx.all(db.selectFrom('workspaces').selectAll().orderBy('id'))

/** Returns a workspace's counts; contacts are null until they were counted. */
export const findUsage = (tx: Tx, workspaceId: string) =>
  tx.first(
    db
      .selectFrom('workspaceUsage')
      .select(['contacts', 'month', 'messages'])
      .where('workspaceId', '=', workspaceId),
  )

export type MemberRow = Selectable<Tables['members']>

export const insertMember = (tx: Tx, row: Insertable<Tables['members']>): Promise<number> =>
  tx.run(db.insertInto('members').values(row))

export const findMemberRow = (tx: Tx, workspaceId: string, id: string): Promise<MemberRow | undefined> =>
  tx.first(db.selectFrom('members').selectAll().where('workspaceId', '=', workspaceId).where('id', '=', id))

/**
 * Returns the member, locked, so that a concurrent removal or change of role waits and sees the stored rows.
 */
export const findMemberForShare = (tx: Tx, workspaceId: string, id: string): Promise<MemberRow | undefined> =>
  tx.first(
    db
      .selectFrom('members')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .forShare(),
  )

/** Returns a member by id alone, for the command line, which works on the whole installation. */
export const findMemberAnywhere = (tx: Tx, id: string): Promise<MemberRow | undefined> =>
  tx.first(db.selectFrom('members').selectAll().where('id', '=', id).forUpdate())

export const listMemberRows = (tx: Tx, workspaceId: string): Promise<MemberRow[]> =>
  tx.all(db.selectFrom('members').selectAll().where('workspaceId', '=', workspaceId).orderBy('id'))

/** Returns whether a current member other than `besides` has the email address. */
export const hasMemberEmail = async (
  tx: Tx,
  workspaceId: string,
  email: string,
  besides: string | undefined,
): Promise<boolean> =>
  (
    await tx.sql(
      `select 1 from members where workspace_id = $1 and left_at is null and id is distinct from $3
         and email_key(email) = email_key($2) limit 1`,
      [workspaceId, email, besides ?? null],
    )
  ).length > 0

/** Lists the ids of members who left. */
export const listFormerMemberIds = async (tx: Tx, workspaceId: string): Promise<string[]> =>
  (
    await tx.all(
      db
        .selectFrom('members')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('leftAt', 'is not', null),
    )
  ).map(({ id }) => id)

/** Lists the current members of these workspaces. */
export const listTeams = (tx: Tx, workspaceIds: string[]): Promise<MemberRow[]> =>
  tx.sql<MemberRow>(
    'select * from members where workspace_id = any($1::uuid[]) and left_at is null order by workspace_id, id',
    [uuids(workspaceIds)],
  )

/**
 * Lists the versions of these workspaces' cached data; a workspace without a version has nothing to cache.
 */
export const listReferenceVersions = (
  tx: Tx,
  workspaceIds: string[],
): Promise<Selectable<Tables['referenceVersions']>[]> =>
  tx.sql('select workspace_id, version from reference_versions where workspace_id = any($1::uuid[])', [
    uuids(workspaceIds),
  ])

/** Fails if a workspace has another version than this. */
export const expectReferenceVersions = (
  tx: Tx,
  rows: { workspaceId: string; version: string }[],
): Promise<unknown> =>
  tx.sql(
    `select expect_rows(count(*), $3) from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, version)
     join reference_versions v on v.workspace_id = k.workspace_id and v.version = k.version`,
    [uuids(rows.map((row) => row.workspaceId)), uuids(rows.map((row) => row.version)), rows.length],
  )

export const updateMemberRow = (tx: Tx, id: string, patch: Updateable<Tables['members']>): Promise<number> =>
  tx.run(db.updateTable('members').set(patch).where('id', '=', id))

export type KeyRow = Selectable<Tables['apiKeys']>

export const insertKey = (tx: Tx, row: Insertable<Tables['apiKeys']>): Promise<number> =>
  tx.run(db.insertInto('apiKeys').values(row))

export const listKeyRows = (tx: Tx, workspaceId: string): Promise<KeyRow[]> =>
  tx.all(db.selectFrom('apiKeys').selectAll().where('workspaceId', '=', workspaceId).orderBy('id'))

/** Revokes a key that is not revoked yet; returns how many it revoked. */
export const revokeKeyRow = (tx: Tx, keyId: string, revokedAt: Date): Promise<number> =>
  tx.run(db.updateTable('apiKeys').set({ revokedAt }).where('id', '=', keyId).where('revokedAt', 'is', null))

/** Replaces the secret of a key that is not revoked; returns how many it replaced. */
export const renewKeyRow = (
  tx: Tx,
  keyId: string,
  renewed: Pick<KeyRow, 'hash' | 'prefix' | 'expiresAt'>,
): Promise<number> =>
  tx.run(db.updateTable('apiKeys').set(renewed).where('id', '=', keyId).where('revokedAt', 'is', null))

export const findKeyRow = (tx: Tx, keyId: string): Promise<KeyRow | undefined> =>
  tx.first(db.selectFrom('apiKeys').selectAll().where('id', '=', keyId))

export const revokeKeysOfMember = (tx: Tx, memberId: string, revokedAt: Date): Promise<number> =>
  tx.run(
    db
      .updateTable('apiKeys')
      .set({ revokedAt })
      .where('memberId', '=', memberId)
      .where('revokedAt', 'is', null),
  )

/**
 * Stores a number unless the workspace has it, or another number has the operator's id; returns how many were
 * stored.
 */
export const insertNumber = (tx: Tx, row: Insertable<Tables['phoneNumbers']>): Promise<number> =>
  tx.run(
    db
      .insertInto('phoneNumbers')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  )

export type NumberRow = Pick<
  NumberRecord,
  | 'id'
  | 'workspaceId'
  | 'number'
  | 'displayName'
  | 'operator'
  | 'accountId'
  | 'state'
  | 'stateReason'
  | 'quality'
  | 'dailyNewRecipients'
  | 'businessInitiatedBlockedUntil'
  | 'customerInitiatedBlockedUntil'
  | 'createdAt'
>

export const listNumberRows = (tx: Tx, workspaceIds: string[]): Promise<NumberRow[]> =>
  tx.sql<NumberRow>(
    `select id, workspace_id, number, display_name, operator, account_id, state, state_reason, quality,
            daily_new_recipients, business_initiated_blocked_until, customer_initiated_blocked_until, created_at
     from phone_numbers where workspace_id = any($1::uuid[]) order by workspace_id, id`,
    [uuids(workspaceIds)],
  )

export const listOperatorNumbers = (tx: Tx, workspaceId: string, operator: string) =>
  tx.all(
    db
      .selectFrom('phoneNumbers')
      .select(['id', 'number', 'operatorId', 'accountId'])
      .where('workspaceId', '=', workspaceId)
      .where('operator', '=', operator)
      .orderBy('id'),
  )

/** Lists the operator's ids of an account's simulated numbers. */
export const listSimulatedOperatorIds = async (query: Query, accountId: string): Promise<string[]> =>
  (
    await query<Pick<NumberRecord, 'operatorId'>>(
      "select operator_id from phone_numbers where operator = 'simulator' and account_id = $1 order by id",
      [accountId],
    )
  ).map((row) => row.operatorId)

/** Returns the sandbox owned by the person with this email address, if any. */
export const findSandboxOf = async (
  tx: Tx,
  email: string,
): Promise<Pick<WorkspaceRow, 'id' | 'name'> | undefined> =>
  (
    await tx.sql<Pick<WorkspaceRow, 'id' | 'name'>>(
      `select w.id, w.name from members m join workspaces w on w.id = m.workspace_id
       where lower(m.email) = lower($1) and m.owner and w.sandbox order by w.id limit 1`,
      [email],
    )
  )[0]
