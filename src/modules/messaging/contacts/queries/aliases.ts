/** SQL for numbers and user ids that contacts had before. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { ContactRow } from './contacts.ts'

type AliasRow = Selectable<Tables['contactAliases']>

export type NewAlias = { workspaceId: string; key: string; contactId: string; createdAt: Date }

/** Stores old keys. A key that belonged to several contacts leads to the latest. */
export const saveAliases = (tx: Tx, aliases: NewAlias[]): Promise<unknown> =>
  tx.sql(
    `insert into contact_aliases (workspace_id, key, contact_id, created_at)
     select distinct on (workspace_id, key) * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[])
       as n (workspace_id, key, contact_id, created_at)
     order by workspace_id, key
     on conflict (workspace_id, key) do update set contact_id = excluded.contact_id, is_spelling = false`,
    [
      aliases.map((alias) => alias.workspaceId),
      aliases.map((alias) => alias.key),
      aliases.map((alias) => alias.contactId),
      aliases.map((alias) => alias.createdAt),
    ],
  )

/**
 * Stores the keys of merged contacts. A number that the person writes from stays a spelling, even if another
 * contact had it before. The kept contact's current number and user id aren't stored as old keys.
 */
export const saveMergedNames = (
  tx: Tx,
  names: (NewAlias & { isSpelling: boolean })[],
  present: { workspaceId: string; phone: string; userId: string | null }[],
): Promise<unknown> =>
  Promise.all([
    tx.sql(
      `delete from contact_aliases a using unnest($1::uuid[], $2::text[]) as p (workspace_id, key)
       where a.workspace_id = p.workspace_id and a.key = p.key`,
      [
        present.flatMap(({ workspaceId }) => [workspaceId, workspaceId]),
        present.flatMap(({ phone, userId }) => [phone, `chan:${userId}`]),
      ],
    ),
    tx.sql(
      `insert into contact_aliases (workspace_id, key, contact_id, created_at, is_spelling)
       select distinct on (workspace_id, key) *
       from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[], $5::boolean[])
         as n (workspace_id, key, contact_id, created_at, is_spelling)
       order by workspace_id, key
       on conflict (workspace_id, key) do update set contact_id = excluded.contact_id, is_spelling = excluded.is_spelling`,
      [
        names.map((name) => name.workspaceId),
        names.map((name) => name.key),
        names.map((name) => name.contactId),
        names.map((name) => name.createdAt),
        names.map((name) => name.isSpelling),
      ],
    ),
  ])

export type NewSpelling = { workspaceId: string; phone: string; spelling: string; createdAt: Date }

/**
 * Stores additional spellings of contacts' numbers. A number that another contact is stored under is left
 * out.
 */
export const saveSpellings = (tx: Tx, spellings: NewSpelling[]): Promise<unknown> =>
  tx.sql(
    `insert into contact_aliases (workspace_id, key, contact_id, created_at, is_spelling)
     select distinct on (n.workspace_id, n.key) n.workspace_id, n.key, c.id, n.created_at, true
     from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as n (workspace_id, phone, key, created_at)
     cross join lateral (
       select id from contacts where contacts.workspace_id = n.workspace_id and contacts.phone = n.phone limit 1 for key share
     ) c
     where not exists (select from contacts o where o.workspace_id = n.workspace_id and o.phone = n.key)
     order by n.workspace_id, n.key
     on conflict (workspace_id, key) do update set contact_id = excluded.contact_id, is_spelling = true
     where (contact_aliases.contact_id, contact_aliases.is_spelling) is distinct from (excluded.contact_id, true)`,
    [
      spellings.map((spelling) => spelling.workspaceId),
      spellings.map((spelling) => spelling.phone),
      spellings.map((spelling) => spelling.spelling),
      spellings.map((spelling) => spelling.createdAt),
    ],
  )

/** Turns spellings of numbers that these contacts no longer have into old keys. */
export const endSpellings = (tx: Tx, contacts: { workspaceId: string; id: string }[]): Promise<unknown> =>
  tx.sql(
    `update contact_aliases a set is_spelling = false from unnest($1::uuid[], $2::uuid[]) as c (workspace_id, id)
     where a.workspace_id = c.workspace_id and a.contact_id = c.id and a.is_spelling`,
    [contacts.map((contact) => contact.workspaceId), contacts.map((contact) => contact.id)],
  )

/**
 * Returns the contacts that had these user ids before, or whose numbers have these spellings, each with its
 * key. Old numbers are left out, because they may belong to another person now.
 */
export const listContactsByAlias = (
  tx: Tx,
  keys: { workspaceId: string; key: string }[],
): Promise<(ContactRow & Pick<AliasRow, 'key'>)[]> =>
  tx.sql(
    `select c.*, wanted.key from (select distinct * from unnest($1::uuid[], $2::text[]) as w (workspace_id, key)) wanted
     cross join lateral (
       select contact_id from contact_aliases a
       where a.workspace_id = wanted.workspace_id and a.key = wanted.key and (a.is_spelling or a.key like 'chan:%') limit 1
     ) alias cross join lateral (
       select * from contacts where contacts.workspace_id = wanted.workspace_id and contacts.id = alias.contact_id limit 1
     ) c`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.key)],
  )

/** Returns the id of the contact that had one of these keys before. The first key with a contact decides. */
export const findAliasedContact = async (ctx: Context, keys: string[]): Promise<string | undefined> =>
  keys.length === 0
    ? undefined
    : (
        await ctx.tx.sql<Pick<AliasRow, 'contactId'>>(
          `select contact_id from contact_aliases where workspace_id = $1 and key = any($2::text[])
           order by array_position($2::text[], key) limit 1`,
          [ctx.workspace.id, keys],
        )
      )[0]?.contactId
