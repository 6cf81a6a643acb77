import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { ConversationRow } from './conversations.ts'

/**
 * One of our numbers at which the operator blocks a customer. `blockedAs`: the names used for the block;
 * null: their number.
 */
export type Block = Pick<Selectable<Tables['contactBlocks']>, 'phoneNumberId' | 'blockedAs'>

/** Returns our numbers at which the operator blocks the contact. */
export const listBlocks = (ctx: Context, contactId: string): Promise<Block[]> =>
  ctx.tx.all(
    db
      .selectFrom('contactBlocks')
      .select(['phoneNumberId', 'blockedAs'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('contactId', '=', contactId)
      .orderBy('phoneNumberId'),
  )

/** Returns our numbers that the contact has a chat with, the number written to last first. */
export const listChattingNumbers = (
  ctx: Context,
  contactId: string,
): Promise<Pick<ConversationRow, 'phoneNumberId' | 'lastInboundAt'>[]> =>
  ctx.tx.all(
    db
      .selectFrom('conversations')
      .select(['phoneNumberId', 'lastInboundAt'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('contactId', '=', contactId)
      .orderBy('lastInboundAt', (order) => order.desc().nullsLast())
      .orderBy('phoneNumberId'),
  )

/** Replaces the stored list of numbers at which the contact is blocked. */
export async function saveBlockingNumbers(
  ctx: Context,
  contactId: string,
  phoneNumberIds: string[],
): Promise<void> {
  const key = [ctx.workspace.id, contactId, phoneNumberIds]
  await Promise.all([
    ctx.tx.sql(
      `delete from contact_blocks
       where workspace_id = $1 and contact_id = $2 and phone_number_id <> all ($3::uuid[])`,
      key,
    ),
    ctx.tx.sql(
      `insert into contact_blocks (workspace_id, contact_id, phone_number_id, created_at)
       select $1, $2, number, $4 from unnest($3::uuid[]) as number
       on conflict do nothing`,
      [...key, ctx.now],
    ),
  ])
}
