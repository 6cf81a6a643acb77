/** Who a send reaches: the recipient and the chats with them, in one look. */
import { texts, uuids } from '../../../core/binary-arrays.ts'
import type { Tx } from '../../../core/context.ts'

/** Where to look for a recipient: a number (E.164 with +), else a chat-network user id. */
export type ReachKey = { workspaceId: string; phone: string | null; userId: string | null }

/** A recipient that the workspace knows, once for each of its chats; without one the chat's columns are null. */
export type ReachRow = {
  /** Which of the keys, from 1. */
  place: number
  id: string
  phone: string
  userId: string | null
  optInStatus: 'unknown' | 'opted_in' | 'opted_out'
  blocked: boolean
  conversationId: string | null
  phoneNumberId: string | null
  windowExpiresAt: Date | null
}

// Each key probes an index: `lateral … limit 1` leaves the planner no other way.
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
