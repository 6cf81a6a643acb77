import type { Selectable } from 'kysely'
import type { Context, Tx, Unit } from '../../core/context.ts'
import { db } from '../../core/sql.ts'
import type { Tables } from '../../core/tables.ts'

/** A stored contact. */
export type ContactRow = Omit<Selectable<Tables['contacts']>, 'attributes' | 'optInStatus' | 'channel'> & {
  attributes: Record<string, unknown>
  optInStatus: 'unknown' | 'opted_in' | 'opted_out'
  channel: 'chat' | 'social'
}

/** Where to look for a contact: its phone as stored, its chat-network user id, or both. */
export type ContactKey = { workspaceId: string; phone: string | null; userId: string | null }

/** The columns of a contact and their types, as jsonb_to_recordset reads them. */
const COLUMN_TYPES = {
  workspace_id: 'uuid',
  id: 'uuid',
  channel: 'text',
  phone: 'text',
  user_id: 'text',
  username: 'text',
  display_name: 'text',
  profile_name: 'text',
  tags: 'text[]',
  attributes: 'jsonb',
  opt_in_status: 'text',
  opt_in_source: 'text',
  refused_by_customer: 'boolean',
  blocked: 'boolean',
  last_seen_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
}
const COLUMNS = Object.keys(COLUMN_TYPES).join(', ')
const RECORD = Object.entries(COLUMN_TYPES)
  .map(([column, type]) => `${column} ${type}`)
  .join(', ')

const record = (row: ContactRow): Record<keyof typeof COLUMN_TYPES, unknown> => ({
  workspace_id: row.workspaceId,
  id: row.id,
  channel: row.channel,
  phone: row.phone,
  user_id: row.userId,
  username: row.username,
  display_name: row.displayName,
  profile_name: row.profileName,
  tags: row.tags,
  attributes: row.attributes,
  opt_in_status: row.optInStatus,
  opt_in_source: row.optInSource,
  refused_by_customer: row.refusedByCustomer,
  blocked: row.blocked,
  last_seen_at: row.lastSeenAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})

const FIND_BY_PHONE = `
  select c.* from unnest($1::uuid[], $2::text[]) as wanted (workspace_id, phone)
  join contacts c on c.workspace_id = wanted.workspace_id and c.phone = wanted.phone`

/** The contacts stored under these phones, locked in one order so that two batches never wait for each other. */
export const listContactsByPhoneForUpdate = (
  tx: Tx,
  keys: { workspaceId: string; phone: string }[],
): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(`${FIND_BY_PHONE} order by c.workspace_id, c.id for no key update of c`, [
    keys.map((key) => key.workspaceId),
    keys.map((key) => key.phone),
  ])

const FIND_BY_KEY = `
  with wanted as (select * from unnest($1::uuid[], $2::text[], $3::text[]) as w (workspace_id, phone, user_id)),
  found as (
    select c.workspace_id, c.id from wanted w join contacts c on c.workspace_id = w.workspace_id and c.phone = w.phone
    union
    select c.workspace_id, c.id from wanted w join contacts c on c.workspace_id = w.workspace_id and c.user_id = w.user_id
  )
  select c.* from found join contacts c on c.workspace_id = found.workspace_id and c.id = found.id`

const keyColumns = (keys: ContactKey[]) => [
  keys.map((key) => key.workspaceId),
  keys.map((key) => key.phone),
  keys.map((key) => key.userId),
]

/** The contacts under these phones or user ids. */
export const listContactsByKey = (tx: Tx, keys: ContactKey[]): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(FIND_BY_KEY, keyColumns(keys))

export const listContactsByKeyForUpdate = (tx: Tx, keys: ContactKey[]): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(`${FIND_BY_KEY} order by c.workspace_id, c.id for no key update of c`, keyColumns(keys))

/** Inserts those whose phone and user id are free and returns their ids; the others exist by now. */
export async function insertContactRows(tx: Tx, rows: ContactRow[]): Promise<Set<string>> {
  const inserted = await tx.sql<{ id: string }>(
    `insert into contacts (${COLUMNS})
     select ${COLUMNS} from jsonb_to_recordset($1::jsonb) as r (${RECORD}) order by workspace_id, phone
     on conflict do nothing returning id`,
    [JSON.stringify(rows.map(record))],
  )
  return new Set(inserted.map((row) => row.id))
}

/** Writes back rows that the transaction has locked. */
export async function updateContactRows(tx: Tx, rows: ContactRow[]): Promise<void> {
  await tx.sql(
    `update contacts c set phone = r.phone, user_id = r.user_id, username = r.username, display_name = r.display_name,
       profile_name = r.profile_name, tags = r.tags, attributes = r.attributes, opt_in_status = r.opt_in_status,
       opt_in_source = r.opt_in_source, refused_by_customer = r.refused_by_customer, blocked = r.blocked,
       last_seen_at = r.last_seen_at, updated_at = r.updated_at
     from jsonb_to_recordset($1::jsonb) as r (${RECORD})
     where c.workspace_id = r.workspace_id and c.id = r.id`,
    [JSON.stringify(rows.map(record))],
  )
}

/** Frees the user ids of contacts that the transaction has locked. */
export async function clearUserIds(tx: Tx, rows: ContactRow[]): Promise<void> {
  await tx.sql(
    `update contacts c set user_id = null from unnest($1::uuid[], $2::uuid[]) as r (workspace_id, id)
     where c.workspace_id = r.workspace_id and c.id = r.id`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id)],
  )
}

/** One column that names a contact. */
export type ContactColumn = 'id' | 'phone' | 'userId'

const byColumn = (ctx: Context, column: ContactColumn, value: string) =>
  db.selectFrom('contacts').selectAll().where('workspaceId', '=', ctx.workspace.id).where(column, '=', value)

export const findContactRow = (
  ctx: Context,
  column: ContactColumn,
  value: string,
): Promise<ContactRow | undefined> =>
  ctx.tx.first(byColumn(ctx, column, value)) as Promise<ContactRow | undefined>

export const findContactRowForUpdate = (
  ctx: Context,
  column: ContactColumn,
  value: string,
): Promise<ContactRow | undefined> =>
  ctx.tx.first(byColumn(ctx, column, value).forUpdate()) as Promise<ContactRow | undefined>

/** Contacts by id, of any of the transaction's workspaces. */
export const listContactsById = (
  tx: Tx,
  keys: { workspaceId: string; contactId: string }[],
): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(
    `select c.* from unnest($1::uuid[], $2::uuid[]) as wanted (workspace_id, id)
     join contacts c on c.workspace_id = wanted.workspace_id and c.id = wanted.id`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.contactId)],
  )

/** Deletes the row; its chats, messages and notes go with it (migrations, `erase_dependents`). */
export const deleteContactRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('contacts').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

export type ContactListing = {
  limit: number
  cursor?: string | undefined
  channel: 'chat' | 'social'
  phone?: string | undefined
}

/** One row more than `limit`, newest first. */
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

/** The same for contacts whose number, name or username is like one of `patterns` (see `search_contacts`). */
export const searchContactRows = (
  ctx: Context,
  listing: ContactListing,
  patterns: string[],
): Promise<ContactRow[]> =>
  ctx.tx.sql<ContactRow>(
    `select c.* from contacts c
     where c.workspace_id = $1 and c.id = any (array(select search_contacts($1, $2, $3, $4, $5)))
       and ($6::text is null or c.phone = $6)
     order by c.id desc`,
    [
      ctx.workspace.id,
      patterns,
      listing.channel,
      listing.cursor ?? null,
      listing.limit + 1,
      listing.phone ?? null,
    ],
  )

/** Stored contacts of limited workspaces, under a lock that every further count waits for. Null: not counted yet. */
export const listUsageForUpdate = (
  tx: Tx,
  workspaceIds: string[],
): Promise<{ workspaceId: string; contacts: number | null }[]> =>
  tx.sql(
    `select workspace_id, contacts from workspace_usage where workspace_id = any($1::uuid[])
     order by workspace_id for update`,
    [workspaceIds],
  )

export const countContactRows = async (tx: Tx, workspaceId: string): Promise<number> => {
  const [row] = await tx.sql<{ count: number }>(
    'select count(*) as count from contacts where workspace_id = $1',
    [workspaceId],
  )
  return row?.count ?? 0
}

export async function saveContactCounts(
  unit: Unit,
  counts: { workspaceId: string; contacts: number }[],
): Promise<void> {
  await unit.tx.sql(
    `insert into workspace_usage (workspace_id, contacts) select * from unnest($1::uuid[], $2::bigint[])
     on conflict (workspace_id) do update set contacts = excluded.contacts`,
    [counts.map((count) => count.workspaceId), counts.map((count) => count.contacts)],
  )
}
