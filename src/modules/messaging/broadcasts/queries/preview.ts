/** Reads the new recipients of running campaigns, for the forecast of a preview. */
import type { Context } from '../../../../core/context.ts'

/** Counts a number's new recipients: messaged on a day, and waiting in running campaigns. */
export const readNewRecipients = async (
  ctx: Pick<Context, 'tx' | 'workspace'>,
  phoneNumberId: string,
  day: string,
): Promise<{ used: number; waiting: number }> => {
  const [row] = await ctx.tx.sql<{ used: number; waiting: number }>(
    `select coalesce((
              select used from new_recipient_days where workspace_id = $1 and phone_number_id = $2 and day = $3
            ), 0) as used,
            coalesce((
              select sum(waiting) from broadcasts where workspace_id = $1 and phone_number_id = $2 and sending
            ), 0) as waiting`,
    [ctx.workspace.id, phoneNumberId, day],
  )
  return row!
}
