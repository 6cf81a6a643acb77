import type { Context } from '../../../../core/context.ts'

/** Messages of a chat that are looked at: more than a chat sees in ten minutes. */
const LOOKED_AT = 200

export const countAutomaticRows = async (
  ctx: Context,
  conversationId: string,
  since: Date,
  max: number,
): Promise<number> =>
  (
    await ctx.tx.sql<{ count: number }>(
      `with latest as (
         select id, origin, sent_by, created_at from messages
         where workspace_id = $1 and conversation_id = $2 order by id desc limit $5
       )
       select count(*) as count from (
         select 1 from latest m
         where m.origin is not null and m.created_at > $3
           and not exists (select from latest person where person.sent_by is not null and person.id > m.id)
         limit $4
       ) counted`,
      [ctx.workspace.id, conversationId, since, max, LOOKED_AT],
    )
  )[0]!.count
