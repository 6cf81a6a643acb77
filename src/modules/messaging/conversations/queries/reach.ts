/** SQL that reads the recipient of a send and their chats in one query. */

import type { Selectable } from 'kysely'
import type { Tx } from '../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { ConversationRow } from './conversations.ts'

/** The key of a recipient: a number (E.164 with +), or a chat-network user id. */
export type ReachKey = { workspaceId: string; phone: string | null; userId: string | null }

/** A known recipient, one row per chat. Without a chat, the chat's columns are null. */
export type ReachRow = Pick<
  Selectable<Tables['contacts']>,
  'id' | 'phone' | 'userId' | 'optInStatus' | 'blocked'
> & {
  /** The position of the key, from 1. */
  place: number
  optInStatus: 'unknown' | 'opted_in' | 'opted_out'
  conversationId: ConversationRow['id'] | null
  phoneNumberId: ConversationRow['phoneNumberId'] | null
  windowExpiresAt: ConversationRow['windowExpiresAt']
}

// `lateral … limit 1` forces one index probe per key.
export const listReach = (tx: Tx, keys: ReachKey[]): Promise<ReachRow[]> =>
  tx.sql<ReachRow>(
    `select wanted.place::int4 as place, c.id, c.phone, c.user_id, c.opt_in_status, c.blocked,
            v.id as conversation_id, v.phone_number_id, v.window_expires_at
     from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as wanted (workspace_id, phone, user_id, place)
     cross join lateral (
       (select id, phone, user_id, opt_in_status, blocked from contacts
        where contacts.workspace_id = wanted.workspace_id and contacts.phone = wanted.phone limit 1)
       union all
       (select id, phone, user_id, opt_in_status, blocked from contacts
        where contacts.workspace_id = wanted.workspace_id and contacts.user_id = wanted.user_id limit 1)
       union all
       (select id, phone, user_id, opt_in_status, blocked from contacts
        where contacts.workspace_id = wanted.workspace_id and contacts.phone = 'chan:' || wanted.user_id limit 1)
       limit 1
     ) c
     left join lateral (
       select id, phone_number_id, window_expires_at from conversations
       where conversations.workspace_id = wanted.workspace_id and conversations.contact_id = c.id
     ) v on true`,
    [
      uuids(keys.map((key) => key.workspaceId)),
      texts(keys.map((key) => key.phone)),
      texts(keys.map((key) => key.userId)),
    ],
  )

/** A recipient, and their chat with an open window. */
export type AssumedReach = {
  workspaceId: string
  contact: Pick<ReachRow, 'id' | 'phone' | 'userId' | 'optInStatus' | 'blocked'>
  conversationId: string
  windowExpiresAt: Date
}

/** Fails unless each recipient is stored as assumed, with a window that ends then or later. */
export const expectReachRows = (tx: Tx, assumed: AssumedReach[]): Promise<unknown> =>
  tx.sql(
    `select expect_rows(count(*), $9)
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::uuid[], $8::timestamptz[])
       as a (workspace_id, id, phone, user_id, opt_in_status, blocked, conversation_id, window_expires_at)
     join contacts c on c.workspace_id = a.workspace_id and c.id = a.id and c.phone = a.phone
       and c.user_id is not distinct from a.user_id and c.opt_in_status = a.opt_in_status and c.blocked = a.blocked
     join conversations v on v.workspace_id = a.workspace_id and v.id = a.conversation_id and v.contact_id = a.id
       and v.window_expires_at >= a.window_expires_at`,
    [
      uuids(assumed.map((reach) => reach.workspaceId)),
      uuids(assumed.map((reach) => reach.contact.id)),
      texts(assumed.map((reach) => reach.contact.phone)),
      texts(assumed.map((reach) => reach.contact.userId)),
      plainList(assumed.map((reach) => reach.contact.optInStatus)),
      plainList(assumed.map((reach) => reach.contact.blocked)),
      uuids(assumed.map((reach) => reach.conversationId)),
      instants(assumed.map((reach) => reach.windowExpiresAt)),
      assumed.length,
    ],
  )
