import type { Context } from '../../../../core/context.ts'

/**
 * One of our numbers at which the operator blocks a customer. `blockedAs`: the names used for the block;
 * null: their number.
 */
export type Block = { phoneNumberId: string; blockedAs: string[] | null }

/** Returns our numbers at which the operator blocks the contact. */
export const listBlocks = (ctx: Context, contactId: string): Promise<Block[]> =>
  ctx.tx.sql<Block>(
    `select phone_number_id, blocked_as from contact_blocks
     where workspace_id = $1 and contact_id = $2 order by phone_number_id`,
    [ctx.workspace.id, contactId],
  )

/** Returns our numbers that the contact has a chat with, the number written to last first. */
export const listChattingNumbers = (
  ctx: Context,
  contactId: string,
): Promise<{ phoneNumberId: string; lastInboundAt: Date | null }[]> =>
  ctx.tx.sql(
    `select phone_number_id, last_inbound_at from conversations where workspace_id = $1 and contact_id = $2
     order by last_inbound_at desc nulls last, phone_number_id`,
    [ctx.workspace.id, contactId],
  )

/** Replaces the stored list of numbers at which the contact is blocked. */
export async function saveBlockingNumbers(
  ctx: Context,
  contactId: string,
  phoneNumberIds: string[],
): Promise<void> {
  await ctx.tx.sql(
    `with others as (
       delete from contact_blocks
       where workspace_id = $1 and contact_id = $2 and phone_number_id <> all ($3::uuid[])
     )
     insert into contact_blocks (workspace_id, contact_id, phone_number_id, created_at)
     select $1, $2, number, $4 from unnest($3::uuid[]) as number
     on conflict do nothing`,
    [ctx.workspace.id, contactId, phoneNumberIds, ctx.now],
  )
}
