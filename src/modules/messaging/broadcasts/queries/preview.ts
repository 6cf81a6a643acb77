/** Reads the new recipients of running campaigns, for the forecast of a preview. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type NewRecipients = Pick<Selectable<Tables['newRecipientDays']>, 'used'> &
  Pick<Selectable<Tables['broadcasts']>, 'waiting'>

/** Counts a number's new recipients: messaged on a day, and waiting in running campaigns. */
export const readNewRecipients = async (
  ctx: Pick<Context, 'tx' | 'workspace'>,
  phoneNumberId: string,
  day: string,
): Promise<NewRecipients> => {
  const [row] = await ctx.tx.sql<NewRecipients>(
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
