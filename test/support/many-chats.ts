/**
 * Thousands of chats and messages, inserted directly into the tables, because the tests only examine how
 * pages show many rows.
 */
import type { TestParley, TestWorkspace } from './boot.ts'

/** Creates `count` open chats. `Customer 1` is the oldest, and the last is the newest. */
export const makeChats = (parley: TestParley, shop: TestWorkspace, count: number): Promise<unknown> =>
  parley.system(async (tx) => {
    const parameters = [shop.workspaceId, count]
    await tx.sql(
      `insert into contacts (workspace_id, id, phone, display_name, created_at, updated_at)
       select $1, uuidv7(), '+9197' || lpad(i::text, 8, '0'), 'Customer ' || i, now(), now() from generate_series(1, $2) i`,
      parameters,
    )
    await tx.sql(
      `insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at)
       select $1, uuidv7(), id, $3, now(), now() from contacts where workspace_id = $1 and display_name like 'Customer %'
       order by phone limit $2`,
      [...parameters, shop.phoneNumberId],
    )
    await tx.sql(
      `insert into conversation_activity (workspace_id, conversation_id, activity_id, last_message_at)
       select $1, c.id, uuidv7(make_interval(secs => row_number() over (order by p.phone) - 100 - $2)), now()
       from conversations c join contacts p on p.workspace_id = c.workspace_id and p.id = c.contact_id
       where c.workspace_id = $1 and p.display_name like 'Customer %' limit $2`,
      parameters,
    )
  })

/**
 * Gives a chat exactly `count` messages, `Message 1` the oldest. Every third is outbound. The customer's last
 * `unread` messages are unread.
 */
export const fillChat = (
  parley: TestParley,
  shop: TestWorkspace,
  { conversationId, count, unread = 0 }: { conversationId: string; count: number; unread?: number },
): Promise<unknown> =>
  parley.system(async (tx) => {
    await tx.sql('delete from messages where workspace_id = $1 and conversation_id = $2', [
      shop.workspaceId,
      conversationId,
    ])
    await tx.sql(
      `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
       select $1, uuidv7(make_interval(secs => i - 100 - $3)), c.id, c.contact_id, c.phone_number_id,
         case when i % 3 = 0 then 'outbound' else 'inbound' end, 'text',
         jsonb_build_object('body', 'Message ' || i || repeat(' and a few words more', i % 9)),
         case when i % 3 = 0 then 'read' else 'received' end, now() + make_interval(secs => i - 100 - $3)
       from conversations c cross join generate_series(1, $3) i where c.workspace_id = $1 and c.id = $2`,
      [shop.workspaceId, conversationId, count],
    )
    await tx.sql(
      `update conversations set unread_count = $3, is_unread = $3 > 0 where workspace_id = $1 and id = $2`,
      [shop.workspaceId, conversationId, unread],
    )
  })
