/** The use of a plan's limits, read from the tables of other modules. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type MonthRow = Selectable<Tables['salesDocumentMonths']>
export type Used = Pick<MonthRow, 'documents'> &
  Pick<Selectable<Tables['activityDays']>, 'sent'> & {
    webhookEndpoints: number
    countedDocuments: MonthRow['documents']
  }

/**
 * Returns the use since `since`, a moment of the day `from`. Reads counters if the plan has a limit;
 * otherwise counts documents and adds up sent messages.
 */
export const findUsed = async (
  ctx: Context,
  period: { month: string; since: Date; from: string; hasDocumentLimit: boolean; hasMessageLimit: boolean },
): Promise<Used> =>
  (
    await ctx.tx.sql<Used>(
      `select
         (select count(*) from webhook_endpoints where workspace_id = $1) as webhook_endpoints,
         coalesce((select documents from sales_document_months where workspace_id = $1 and month = $2), 0) as counted_documents,
         (select count(*) from sales_documents
          where not $5::boolean and workspace_id = $1 and kind <> 'voucher' and number is not null and issued_at >= $3) as documents,
         (select coalesce(sum(sent), 0)::int8
          from (select workspace_id, day, sent from activity_days union all select workspace_id, day, sent from activity_deltas) counted
          where not $6::boolean and workspace_id = $1 and day >= $4) as sent`,
      [
        ctx.workspace.id,
        period.month,
        period.since,
        period.from,
        period.hasDocumentLimit,
        period.hasMessageLimit,
      ],
    )
  )[0]!
