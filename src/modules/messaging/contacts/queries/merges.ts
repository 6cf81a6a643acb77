/**
 * SQL for merged contacts. An insert into `merged_contacts` moves the rows of every other table (migrations,
 * `merge_dependents`; DECISIONS.md "Merges").
 */

import type { Selectable } from 'kysely'
import type { Tx } from '../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { isFound } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { ContactRow } from './contacts.ts'

type MergedContactRow = Selectable<Tables['mergedContacts']>

type ContactId = { workspaceId: string; contactId: string }

/** Returns the kept contacts for ids of merged contacts. Other ids are left out. */
export const listKeptIds = (
  tx: Tx,
  keys: ContactId[],
): Promise<(Pick<MergedContactRow, 'workspaceId' | 'keptId'> & { contactId: MergedContactRow['id'] })[]> =>
  tx.sql(
    `select m.workspace_id, m.id as contact_id, m.kept_id
     from (select distinct * from unnest($1::uuid[], $2::uuid[]) as w (workspace_id, id)) wanted
     join merged_contacts m on m.workspace_id = wanted.workspace_id and m.id = wanted.id`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.contactId))],
  )

/** Returns contacts by id, locked against all writes about them, in the common lock order. */
export const lockContactsForMerge = (tx: Tx, keys: ContactId[]): Promise<ContactRow[]> =>
  tx.sql<ContactRow>(
    `select c.* from (
       select distinct * from unnest($1::uuid[], $2::uuid[]) as w (workspace_id, id) order by workspace_id, id
     ) wanted cross join lateral (
       select * from contacts where contacts.workspace_id = wanted.workspace_id and contacts.id = wanted.id limit 1 for update
     ) c`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.contactId))],
  )

/** Settings of the merges in a transaction (migrations, `merge_settings`). */
export type MergeSettings = {
  limits: { tags: number; attributes: number; bytes: number }
  /** The note for the lead or chat, by the id of the merged contact. */
  notes: Record<string, { id: string; actor: unknown; via: string; head: string; lines: string[] }>
}

export type NewMerge = { workspaceId: string; id: string; keptId: string; phone: string; mergedAt: Date }

/** Moves all data of the merged contacts to the kept contacts. Each contact is in the list once. */
export async function insertMerges(tx: Tx, merges: NewMerge[], settings: MergeSettings): Promise<void> {
  await tx.sql(`select set_config('parley.merge', $1, true)`, [JSON.stringify(settings)])
  await tx.sql(
    `insert into merged_contacts (workspace_id, id, kept_id, phone, merged_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[])`,
    [
      uuids(merges.map((merge) => merge.workspaceId)),
      uuids(merges.map((merge) => merge.id)),
      uuids(merges.map((merge) => merge.keptId)),
      texts(merges.map((merge) => merge.phone)),
      instants(merges.map((merge) => merge.mergedAt)),
    ],
  )
  await tx.sql(`select set_config('parley.merge', '', true)`)
}

/**
 * Clears number and user id of merged contacts whose rows have moved, so that the kept contacts can take
 * them.
 */
export const freeMergedKeys = (tx: Tx, merges: NewMerge[]): Promise<unknown> =>
  tx.sql(
    `update contacts c set phone = 'merged:' || c.id, user_id = null
     from unnest($1::uuid[], $2::uuid[]) as m (workspace_id, id) where c.workspace_id = m.workspace_id and c.id = m.id`,
    [uuids(merges.map((merge) => merge.workspaceId)), uuids(merges.map((merge) => merge.id))],
  )

/** Deletes merged contacts after all their rows have moved, so the delete erases no other rows. */
export const deleteMergedContacts = (tx: Tx, merges: NewMerge[]): Promise<unknown> =>
  tx.sql(
    `delete from contacts c using unnest($1::uuid[], $2::uuid[]) as m (workspace_id, id)
     where c.workspace_id = m.workspace_id and c.id = m.id`,
    [uuids(merges.map((merge) => merge.workspaceId)), uuids(merges.map((merge) => merge.id))],
  )

/**
 * A record of a merge, and its changes to chats and leads. `id` and `phone`: the merged contact, and its
 * number before the merge.
 */
export type MergeRecord = MergedContactRow & {
  /** The kept contact's lead, if it has one. */
  leadId: string | null
  /** The lead that was merged into it. */
  mergedLeadId: string | null
  /** Chats that were merged into another. */
  conversations: Pick<Selectable<Tables['mergedConversations']>, 'id' | 'keptId'>[]
  /** True if the kept contact has a chat. */
  hasChat: boolean
}

/** Returns merges by the merged contact: by its id, or by its number when it was merged into `keptId`. */
export const listMerges = (
  tx: Tx,
  keys: { workspaceId: string; keptId: string; id: string | null; phone: string | null }[],
): Promise<MergeRecord[]> =>
  tx.sql<MergeRecord>(
    `select m.*,
       (select l.id from leads l where l.workspace_id = m.workspace_id and l.contact_id = m.kept_id) as lead_id,
       (select l.id from merged_leads l where l.workspace_id = m.workspace_id and l.merged_with = m.id limit 1) as merged_lead_id,
       coalesce((
         select json_agg(json_build_object('id', c.id, 'keptId', c.kept_id) order by c.id) from merged_conversations c
         where c.workspace_id = m.workspace_id and c.merged_with = m.id), '[]') as conversations,
       ${isFound('from conversations v where v.workspace_id = m.workspace_id and v.contact_id = m.kept_id')} as has_chat
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as k (workspace_id, kept_id, id, phone)
     cross join lateral (
       select * from merged_contacts g
       where g.workspace_id = k.workspace_id and g.kept_id = k.kept_id and (g.id = k.id or g.phone = k.phone)
       order by g.merged_at desc, g.id limit 1) m`,
    [
      uuids(keys.map((key) => key.workspaceId)),
      uuids(keys.map((key) => key.keptId)),
      uuids(keys.map((key) => key.id)),
      texts(keys.map((key) => key.phone)),
    ],
  )
