/** Statements on the numbers and user ids under which contacts were known before. */
import type { Context, Tx } from '../../../core/context.ts'
import type { ContactRow } from './contacts.ts'

export type NewAlias = { workspaceId: string; key: string; contactId: string; createdAt: Date }

/** Remembers old keys; one that was another contact's before belongs to the latest. */
export const saveAliases = (tx: Tx, aliases: NewAlias[]): Promise<unknown> =>
  tx.sql(
    `insert into contact_aliases (workspace_id, key, contact_id, created_at)
     select distinct on (workspace_id, key) * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[])
       as n (workspace_id, key, contact_id, created_at)
     order by workspace_id, key
     on conflict (workspace_id, key) do update set contact_id = excluded.contact_id`,
    [
      aliases.map((alias) => alias.workspaceId),
      aliases.map((alias) => alias.key),
      aliases.map((alias) => alias.contactId),
      aliases.map((alias) => alias.createdAt),
    ],
  )

/** The contacts that had these keys before, each with the key; keys nobody had are left out. */
export const listContactsByAlias = (
  tx: Tx,
  keys: { workspaceId: string; key: string }[],
): Promise<(ContactRow & { key: string })[]> =>
  tx.sql(
    `select c.*, wanted.key from (select distinct * from unnest($1::uuid[], $2::text[]) as w (workspace_id, key)) wanted
     cross join lateral (
       select contact_id from contact_aliases a where a.workspace_id = wanted.workspace_id and a.key = wanted.key limit 1
     ) alias cross join lateral (
       select * from contacts where contacts.workspace_id = wanted.workspace_id and contacts.id = alias.contact_id limit 1
     ) c`,
    [keys.map((one) => one.workspaceId), keys.map((one) => one.key)],
  )

/** The id of the contact that had this key before. */
export const findAliasedContact = async (ctx: Context, key: string): Promise<string | undefined> =>
  (
    await ctx.tx.sql<{ contactId: string }>(
      'select contact_id from contact_aliases where workspace_id = $1 and key = $2',
      [ctx.workspace.id, key],
    )
  )[0]?.contactId
