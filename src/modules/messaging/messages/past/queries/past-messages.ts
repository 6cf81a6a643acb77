/** Statements on messages of the past. */
import type { Context } from '../../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import {
  type EveryMessage,
  type MessageRow,
  OF_EVERY,
  TYPES_OF_EVERY,
  valuesOfEvery,
} from '../../message-rows.ts'
import type { PastSource } from '../past-message.ts'

export type PastRow = EveryMessage & Pick<MessageRow, 'sentBy' | 'sentAt' | 'failedAt' | 'sourceKind'>

/** Inserts messages and returns the new ids; known messages are left unchanged. */
export async function insertPastMessages(
  { tx }: Context,
  source: PastSource,
  rows: PastRow[],
): Promise<Set<string>> {
  const inserted = await tx.sql<Pick<MessageRow, 'id'>>(
    `insert into messages (${OF_EVERY}, sent_by, sent_at, failed_at, source_kind, imported_from)
     select p.*, $17 from unnest(${TYPES_OF_EVERY}, $13::uuid[], $14::timestamptz[], $15::timestamptz[], $16::text[]) p
     on conflict do nothing returning id`,
    [
      ...valuesOfEvery(rows),
      uuids(rows.map((row) => row.sentBy)),
      instants(rows.map((row) => row.sentAt)),
      instants(rows.map((row) => row.failedAt)),
      texts(rows.map((row) => row.sourceKind)),
      source,
    ],
  )
  return new Set(inserted.map((row) => row.id))
}

/** Returns the ids and the operator's ids, among these, of messages that are stored. */
export async function listStoredKeys(
  { tx, workspace }: Context,
  keys: { ids: string[]; chanmids: string[] },
): Promise<Set<string>> {
  const rows = await tx.sql<{ key: string }>(
    `select m.id::text as key from unnest($2::uuid[]) as k (id) cross join lateral (
       select id from messages where workspace_id = $1 and messages.id = k.id limit 1) m
     union all
     select m.chanmid from unnest($3::text[]) as k (chanmid) cross join lateral (
       select chanmid from messages where workspace_id = $1 and messages.chanmid = k.chanmid limit 1) m`,
    [workspace.id, uuids(keys.ids), texts(keys.chanmids)],
  )
  return new Set(rows.map(({ key }) => key))
}
