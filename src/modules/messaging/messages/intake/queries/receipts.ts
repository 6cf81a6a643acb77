/** Statements that receipts need on messages. */

import type { Selectable } from 'kysely'
import type { Tx, Unit } from '../../../../../core/context.ts'
import { instants, jsonTexts, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { isFound, plainList } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import { IN_ORDER, OF_NUMBER, SENDING } from '../../handover/queries/lanes.ts'
import type { MessageRow, StoredMessage } from '../../message-rows.ts'
import { appendedSql } from '../../trace-lines.ts'

/** A message that a receipt names, by our id or the channel's. */
export type ReceiptKey = { workspaceId: string; id: string | null; chanmid: string | null }

const keyColumns = (keys: ReceiptKey[]) => [
  uuids(keys.map((key) => key.workspaceId)),
  uuids(keys.map((key) => key.id)),
  texts(keys.map((key) => key.chanmid)),
]

/** The columns of a message that receipts read and change. */
export type DeliveryRow = Pick<
  MessageRow,
  | 'workspaceId'
  | 'id'
  | 'conversationId'
  | 'contactId'
  | 'phoneNumberId'
  | 'type'
  | 'status'
  | 'chanmid'
  | 'pricing'
  | 'error'
  | 'createdAt'
  | 'sentAt'
  | 'deliveredAt'
  | 'readAt'
  | 'failedAt'
  | 'broadcastId'
> &
  Pick<StoredMessage, 'leasedUntil' | 'trace'> & {
    /** The template that the message was made from; null for other messages. */
    templateName: string | null
    templateLanguage: string | null
    /** The lines to add to the trace. */
    added?: string
  }

/**
 * Locks the outbound messages that receipts name, in a fixed order, so that two transactions cannot deadlock.
 * Of the content it returns only the template.
 */
export const listMessagesForReceipts = (unit: Unit, keys: ReceiptKey[]): Promise<DeliveryRow[]> =>
  unit.tx.sql<DeliveryRow>(
    `select m.* from (
       select k.workspace_id, k.id from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, id) where k.id is not null
       union
       select k.workspace_id, found.id from unnest($1::uuid[], $3::text[]) as k (workspace_id, chanmid)
       cross join lateral (
         select id from messages where messages.workspace_id = k.workspace_id and messages.chanmid = k.chanmid limit 1
       ) found
       order by workspace_id, id
     ) named cross join lateral (
       select workspace_id, id, conversation_id, contact_id, phone_number_id, type, status, chanmid, pricing, error, created_at,
              sent_at, delivered_at, read_at, failed_at, broadcast_id, leased_until, trace,
              case when type = 'template' then content ->> 'name' end as template_name,
              case when type = 'template' then content -> 'language' ->> 'code' end as template_language
       from messages
       where messages.workspace_id = named.workspace_id and messages.id = named.id and direction = 'outbound'
       limit 1 for no key update
     ) m`,
    keyColumns(keys),
  )

/**
 * Returns the recipients of the messages that receipts name, by the index of the receipt, from 1. Locks
 * nothing.
 */
export const listRecipients = (
  unit: Unit,
  keys: ReceiptKey[],
): Promise<(Pick<MessageRow, 'contactId'> & { place: number })[]> =>
  unit.tx.sql(
    `select k.place::integer, found.contact_id
     from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as k (workspace_id, id, chanmid, place) cross join lateral (
       (select contact_id from messages where messages.workspace_id = k.workspace_id and messages.id = k.id and direction = 'outbound' limit 1)
       union all
       (select contact_id from messages where messages.workspace_id = k.workspace_id and messages.chanmid = k.chanmid and direction = 'outbound' limit 1)
       limit 1
     ) found`,
    keyColumns(keys),
  )

/** The number of a number's due messages to check: those with a begun call are among the first. */
const BEGUN_WITHIN = 2_000
const isUnderWay = (campaign: string): string =>
  `(select m.leased_until from messages m
    where ${OF_NUMBER('n')} and m.broadcast_id ${campaign} and m.run_at <= $4 order by ${IN_ORDER} limit $5) m
   where m.leased_until is not null`

/**
 * Returns which of these channel ids, by index from 1, may still become a message of ours: the number has
 * begun hand-overs without a recorded answer at `now`, or got the answer since. A single statement, so that
 * no answer is stored in between.
 */
export const listAwaited = (
  unit: Unit,
  receipts: { workspaceId: string; phoneNumberId: string; chanmid: string }[],
  now: Date,
): Promise<{ place: number }[]> =>
  unit.tx.sql(
    `with k as materialized (
       select * from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as k (workspace_id, phone_number_id, chanmid, place)
     ), busy as materialized (
       select * from (select distinct workspace_id, phone_number_id from k) n
       where ${isFound(`from ${isUnderWay('is null')}`)}
          or ${isFound(`from (select b.id from ${SENDING('n')}) b cross join lateral ${isUnderWay('= b.id')}`)}
     )
     select place::integer from k
     where (workspace_id, phone_number_id) in (select workspace_id, phone_number_id from busy)
        or ${isFound('from messages m where m.workspace_id = k.workspace_id and m.chanmid = k.chanmid')}`,
    [
      uuids(receipts.map((receipt) => receipt.workspaceId)),
      uuids(receipts.map((receipt) => receipt.phoneNumberId)),
      texts(receipts.map((receipt) => receipt.chanmid)),
      now,
      BEGUN_WITHIN,
    ],
  )

type SentTemplate = Pick<MessageRow, 'id'> &
  Pick<Selectable<Tables['phoneNumbers']>, 'accountId'> & { name: string; language: string }

/**
 * Lists the templates of messages, with the operator's id of their account; omits messages without a
 * template.
 */
export const listTemplatesOfMessages = (
  unit: Unit,
  keys: { workspaceId: string; id: string }[],
): Promise<SentTemplate[]> =>
  unit.tx.sql(
    `select m.id, n.account_id, m.content ->> 'name' as name, m.content -> 'language' ->> 'code' as language
     from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, id)
     join messages m on m.workspace_id = k.workspace_id and m.id = k.id and m.type = 'template'
     join phone_numbers n on n.workspace_id = m.workspace_id and n.id = m.phone_number_id`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.id))],
  )

/** Writes the delivery state of messages. A message with a reported state needs no hand-over any more. */
export const updateDelivery = (tx: Tx, rows: DeliveryRow[]): Promise<unknown> =>
  tx.sql(
    `update messages m set status = u.status, chanmid = u.chanmid, error = u.error, sent_at = u.sent_at,
            delivered_at = u.delivered_at, read_at = u.read_at, failed_at = u.failed_at, pricing = u.pricing, run_at = null, leased_until = null,
            trace = ${appendedSql('m', 'u.added')}
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::json[], $6::timestamptz[], $7::timestamptz[],
                 $8::timestamptz[], $9::timestamptz[], $10::json[], $11::text[])
       as u(workspace_id, id, status, chanmid, error, sent_at, delivered_at, read_at, failed_at, pricing, added)
     where m.workspace_id = u.workspace_id and m.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      plainList(rows.map((row) => row.status)),
      texts(rows.map((row) => row.chanmid)),
      jsonTexts(rows.map((row) => row.error && JSON.stringify(row.error))),
      instants(rows.map((row) => row.sentAt)),
      instants(rows.map((row) => row.deliveredAt)),
      instants(rows.map((row) => row.readAt)),
      instants(rows.map((row) => row.failedAt)),
      jsonTexts(rows.map((row) => row.pricing && JSON.stringify(row.pricing))),
      texts(rows.map((row) => row.added ?? null)),
    ],
  )
