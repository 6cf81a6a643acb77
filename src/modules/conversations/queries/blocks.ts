import type { Context } from '../../../core/context.ts'

/** A number of ours at which the operator keeps somebody from writing; `blockedAs`: by which names, null: by their number. */
export type Block = { phoneNumberId: string; blockedAs: string[] | null }

/** The numbers at which the operator keeps the contact from writing. */
export const listBlocks = (ctx: Context, contactId: string): Promise<Block[]> =>
  ctx.tx.sql<Block>(
    `select phone_number_id, blocked_as from contact_blocks
     where workspace_id = $1 and contact_id = $2 order by phone_number_id`,
    [ctx.workspace.id, contactId],
  )

/** The numbers that the contact has a chat with, the one written to last first. */
export const listChattingNumbers = (
  ctx: Context,
  contactId: string,
): Promise<{ phoneNumberId: string; lastInboundAt: Date | null }[]> =>
  ctx.tx.sql(
    `select phone_number_id, last_inbound_at from conversations where workspace_id = $1 and contact_id = $2
     order by last_inbound_at desc nulls last, phone_number_id`,
    [ctx.workspace.id, contactId],
  )

/** Remembers at which numbers, exactly, the contact is blocked. */
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
