import type { Selectable } from 'kysely'
import { realTime } from '../../../../core/clock.ts'
import type { Context, Tx } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { MANY_ROWS } from '../../../../database/sql/costly-reads.ts'
import { rowArrays } from '../../../../database/sql/row-arrays.ts'
import { db, READS_FIRST } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace, shareInWorkspaces } from '../../../../database/sql/workspace-lock.ts'

/** A stored contact. */
export type ContactRow = Omit<
  Selectable<Tables['contacts']>,
  'attributes' | 'optInStatus' | 'channel' | 'addressBookName' | 'addressBookAt'
> & {
  attributes: Record<string, unknown>
  optInStatus: 'unknown' | 'opted_in' | 'opted_out'
  channel: 'chat' | 'social'
}

/** The keys to find a contact by: its stored phone, its chat-network user id, or both. */
export type ContactKey = { workspaceId: string; phone: string | null; userId: string | null }

/** The columns of a contact and their types. */
const COLUMN_TYPES = {
  workspace_id: 'uuid',
  id: 'uuid',
  channel: 'text',
  phone: 'text',
  user_id: 'text',
  username: 'text',
  display_name: 'text',
  profile_name: 'text',
  language: 'text',
  tags: 'text[]',
  attributes: 'jsonb',
  opt_in_status: 'text',
  opt_in_source: 'text',
  refused_by_customer: 'boolean',
  consent_at: 'timestamptz',
  blocked: 'boolean',
  last_seen_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
}
const FIXED = ['workspace_id', 'id', 'channel', 'created_at']
const {
  columns: COLUMNS,
  rows: ROWS,
  writtenBack: WRITTEN_BACK,
  arraysOf,
} = rowArrays<ContactRow>(COLUMN_TYPES, FIXED)

// Look-ups by list use `lateral … limit 1`, which forces one index probe per item. The planner would plan a
// join as a scan of the workspace while the table is small, and keep that plan. A transaction that locks
// several contacts does so in the order of their ids, so that two batches don't deadlock.

const IDS_BY_PHONE = `
  select distinct wanted.workspace_id, found.id
  from unnest($1::uuid[], $2::text[]) as wanted (workspace_id, phone)
  cross join lateral (
    select id from contacts where contacts.workspace_id = wanted.workspace_id and contacts.phone = wanted.phone limit 1
  ) found
  order by wanted.workspace_id, found.id`

/** Returns the contacts with these stored phones, locked. */
export const listContactsByPhoneForUpdate = (
  tx: Tx,
  keys: { workspaceId: string; phone: string }[],
): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(
    `select c.* from (${IDS_BY_PHONE}) ids cross join lateral (
       select * from contacts where contacts.workspace_id = ids.workspace_id and contacts.id = ids.id
       limit 1 for no key update
     ) c`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.phone)],
  )

const IDS_BY_KEY = `
  select distinct wanted.workspace_id, found.id
  from unnest($1::uuid[], $2::text[], $3::text[]) as wanted (workspace_id, phone, user_id)
  cross join lateral (
    (select id from contacts where contacts.workspace_id = wanted.workspace_id and contacts.phone = wanted.phone limit 1)
    union all
    (select id from contacts where contacts.workspace_id = wanted.workspace_id and contacts.user_id = wanted.user_id limit 1)
  ) found
  order by wanted.workspace_id, found.id`

const keyColumns = (keys: ContactKey[]) => [
  keys.map((key) => key.workspaceId),
  keys.map((key) => key.phone),
  keys.map((key) => key.userId),
]

/** Returns the contacts with these phones or user ids. */
export const listContactsByKey = (tx: Tx, keys: ContactKey[]): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(
    `select c.* from (${IDS_BY_KEY}) ids cross join lateral (
       select * from contacts where contacts.workspace_id = ids.workspace_id and contacts.id = ids.id limit 1
     ) c`,
    keyColumns(keys),
  )

/** Returns the same contacts, locked. */
export const listContactsByKeyForUpdate = (tx: Tx, keys: ContactKey[]): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(
    `select c.* from (${IDS_BY_KEY}) ids cross join lateral (
       select * from contacts where contacts.workspace_id = ids.workspace_id and contacts.id = ids.id
       limit 1 for no key update
     ) c`,
    keyColumns(keys),
  )

const INSERT = `insert into contacts (${COLUMNS}) select ${COLUMNS} from ${ROWS}`

/**
 * Inserts the rows whose phone and user id are free and returns their ids. The other contacts exist already.
 */
export async function insertContactRows(tx: Tx, rows: ContactRow[]): Promise<Set<string>> {
  const inserted = await tx.sql<Pick<ContactRow, 'id'>>(
    `${INSERT} order by workspace_id, phone on conflict do nothing returning id`,
    arraysOf(rows),
  )
  return new Set(inserted.map((row) => row.id))
}

/**
 * Inserts rows. Fails when a phone or user id is taken, or when the operator uses the number as a spelling of
 * a stored contact's number.
 */
export async function insertNewContactRows(tx: Tx, rows: ContactRow[]): Promise<void> {
  await tx.sql(
    `with inserted as (
       ${INSERT} where ${READS_FIRST} and not exists (
         select from contact_aliases a where a.workspace_id = r.workspace_id and a.key = r.phone and a.is_spelling
       ) order by workspace_id, phone returning 1
     ) select expect_rows(count(*), $${Object.keys(COLUMN_TYPES).length + 1}) from inserted`,
    [...arraysOf(rows), rows.length],
  )
}

/** Updates rows that the transaction has locked. Each is found by its key. */
export async function updateContactRows(tx: Tx, rows: ContactRow[]): Promise<void> {
  await tx.sql(`${INSERT} on conflict (workspace_id, id) do update set ${WRITTEN_BACK}`, arraysOf(rows))
}

const SEEN = ['workspace_id', 'id', 'phone', 'last_seen_at', 'created_at', 'updated_at'] as const

/**
 * Updates only when contacts were last seen, for rows without other changes. Sends less data than
 * `updateContactRows`.
 */
export async function updateLastSeen(tx: Tx, rows: ContactRow[]): Promise<void> {
  await tx.sql(
    `insert into contacts (${SEEN.join(', ')})
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
     on conflict (workspace_id, id) do update set last_seen_at = excluded.last_seen_at`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      texts(rows.map((row) => row.phone)),
      instants(rows.map((row) => row.lastSeenAt)),
      instants(rows.map((row) => row.createdAt)),
      instants(rows.map((row) => row.updatedAt)),
    ],
  )
}

export type ReportedNames = {
  workspaceId: string
  contactId: string
  username: string | null
  profileName: string | null
  at: Date
}

/** Stores names that contacts lack. The transaction has locked their rows. */
export const fillContactNames = (tx: Tx, names: ReportedNames[]): Promise<unknown> =>
  tx.sql(
    `update contacts c set username = coalesce(c.username, n.username), profile_name = coalesce(c.profile_name, n.profile_name), updated_at = n.at
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) as n (workspace_id, id, username, profile_name, at)
     where c.workspace_id = n.workspace_id and c.id = n.id
       and (c.username is null and n.username is not null or c.profile_name is null and n.profile_name is not null)`,
    [
      uuids(names.map((name) => name.workspaceId)),
      uuids(names.map((name) => name.contactId)),
      texts(names.map((name) => name.username)),
      texts(names.map((name) => name.profileName)),
      instants(names.map((name) => name.at)),
    ],
  )

/** Clears the user ids of contacts that the transaction has locked. */
export async function clearUserIds(tx: Tx, rows: ContactRow[]): Promise<void> {
  await tx.sql(
    `update contacts c set user_id = null from unnest($1::uuid[], $2::uuid[]) as r (workspace_id, id)
     where c.workspace_id = r.workspace_id and c.id = r.id`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id)],
  )
}

/** A column that identifies a contact. */
export type ContactColumn = 'id' | 'phone' | 'userId'

const selectByColumn = (ctx: Context, column: ContactColumn, value: string) =>
  db.selectFrom('contacts').selectAll().where('workspaceId', '=', ctx.workspace.id).where(column, '=', value)

export const findContactRow = (
  ctx: Context,
  column: ContactColumn,
  value: string,
): Promise<ContactRow | undefined> =>
  ctx.tx.first(selectByColumn(ctx, column, value)) as Promise<ContactRow | undefined>

export const findContactRowForUpdate = (
  ctx: Context,
  column: ContactColumn,
  value: string,
): Promise<ContactRow | undefined> =>
  ctx.tx.first(selectByColumn(ctx, column, value).forUpdate()) as Promise<ContactRow | undefined>

/** Returns contacts by id, in any of the transaction's workspaces. */
export const listContactsById = (
  tx: Tx,
  keys: { workspaceId: string; contactId: string }[],
): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(
    `select c.* from unnest($1::uuid[], $2::uuid[]) as wanted (workspace_id, id) cross join lateral (
       select * from contacts where contacts.workspace_id = wanted.workspace_id and contacts.id = wanted.id limit 1
     ) c`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.contactId)],
  )

/** Returns contacts by id, in any of the transaction's workspaces, locked. */
export const lockContactsById = (
  tx: Tx,
  keys: { workspaceId: string; contactId: string }[],
): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(
    `select c.* from (
       select distinct * from unnest($1::uuid[], $2::uuid[]) as w (workspace_id, id) order by workspace_id, id
     ) wanted cross join lateral (
       select * from contacts where contacts.workspace_id = wanted.workspace_id and contacts.id = wanted.id
       limit 1 for no key update
     ) c`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.contactId)],
  )

const ERASURES = 'erase contacts'

/**
 * Allows either one erasure or any number of `shared` operations in the workspace until the transaction ends.
 * Costs less than a lock on each of a thousand contacts.
 */
export const lockErasures = (ctx: Context, { shared }: { shared: boolean }): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, ERASURES, { shared })

/** Prevents erasures in the workspaces until the transaction ends. Fails when an erasure is running. */
export const shareErasures = (tx: Tx, workspaceIds: string[]): Promise<unknown> =>
  shareInWorkspaces(tx, workspaceIds, ERASURES)

/**
 * Makes the deletions in this transaction store hashes of messages since `since`, which the operator may
 * report again (migrations, `forget_identifiers`). Later records get higher ids than the id created here.
 */
export const beginErasure = (ctx: Context, since: Date): Promise<unknown> =>
  ctx.tx.sql(`select set_config('parley.erasure', $1, true)`, [
    JSON.stringify({
      key: ctx.erasureKey.toString('hex'),
      at: realTime(ctx.now, ctx.workspace),
      since,
      id: newId(),
    }),
  ])

/** Deletes the row, and with it its chats, messages, and notes (migrations, `erase_dependents`). */
export const deleteContactRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('contacts').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

export type ContactListing = {
  limit: number
  cursor?: string | undefined
  channel: 'chat' | 'social'
  phone?: string | undefined
  /** All conditions must match. */
  conditions: ContactCondition[]
}

/** Conditions for a list of contacts (migrations, `search_contacts`). Undefined fields don't filter. */
export type ContactCondition = {
  ids?: string[] | undefined
  /** Any of these. */
  tags?: string[] | undefined
  /** None of these. */
  excludeTags?: string[] | undefined
  optInStatus?: ContactRow['optInStatus'] | undefined
  /** Wrote at this time or later. */
  seenSince?: Date | undefined
}

/** Returns at most `limit` + 1 rows that match `conditions`, newest first. */
export const listContactRows = (ctx: Context, listing: ContactListing): Promise<ContactRow[]> => {
  const { limit, cursor, channel, phone } = listing
  return ctx.tx.all(
    db
      .selectFrom('contacts')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('channel', '=', channel)
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .$if(phone !== undefined, (query) => query.where('phone', '=', phone!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  ) as Promise<ContactRow[]>
}

/** Returns whether the workspace has enough contacts to limit walks through them. */
export const hasManyContacts = async (tx: Tx, workspaceId: string): Promise<boolean> =>
  (
    await tx.sql('select 1 as one from contacts where workspace_id = $1 offset $2 limit 1', [
      workspaceId,
      MANY_ROWS,
    ])
  ).length > 0

/**
 * Returns the same for contacts whose number, name, or username matches one of `patterns` (null: any), and
 * that match the other conditions.
 */
export const searchContactRows = (
  ctx: Context,
  listing: ContactListing,
  patterns: string[] | null,
): Promise<ContactRow[]> =>
  ctx.tx.sql<ContactRow>(
    `select c.* from (
       select distinct search_contacts(
         $1, case when pattern is not null then array[pattern, pattern] end, $3, $4, $5, $6::jsonb, $7) as id
       from unnest(coalesce($2::text[], array[null])) as pattern
     ) found cross join lateral (
       select * from contacts where contacts.workspace_id = $1 and contacts.id = found.id limit 1
     ) c
     order by c.id desc limit $7`,
    [
      ctx.workspace.id,
      patterns,
      listing.channel,
      listing.cursor ?? null,
      listing.phone ?? null,
      JSON.stringify(listing.conditions),
      listing.limit + 1,
    ],
  )
