/** Statements on the variants of campaigns that compare templates. */
import type { Insertable, Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { PersonalContent } from '../../templates/operations/personal-values.ts'
import { COUNT_RESPONSES, RESULT_HOURS, selectResponses } from '../operations/response-rule.ts'

/** A stored variant. */
export type VariantRow = Omit<
  Selectable<Tables['broadcastVariants']>,
  'variables' | 'content' | 'personal'
> & {
  variables: { components?: Record<string, unknown>[] } | null
  content: Record<string, unknown>
  personal: PersonalContent | null
}

/** Stores the variants of a campaign, over those that it has. */
export const putVariants = (ctx: Context, rows: Insertable<Tables['broadcastVariants']>[]): Promise<number> =>
  ctx.tx.run(
    db
      .insertInto('broadcastVariants')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspaceId', 'broadcastId', 'number']).doUpdateSet((row) => ({
          templateName: row.ref('excluded.templateName'),
          content: row.ref('excluded.content'),
          templateText: row.ref('excluded.templateText'),
          personal: row.ref('excluded.personal'),
        })),
      ),
  )

/** Returns the variants of a campaign, in the order of their numbers. */
export const listVariants = (ctx: Context, broadcastId: string): Promise<VariantRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('broadcastVariants')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('broadcastId', '=', broadcastId)
      .orderBy('number'),
  ) as Promise<VariantRow[]>

export type VariantSummary = Pick<
  VariantRow,
  'broadcastId' | 'number' | 'templateId' | 'templateName' | 'variables' | 'share'
>

/** Returns the variants of these campaigns without their contents, in the order of their numbers. */
export const listVariantSummaries = (ctx: Context, broadcastIds: string[]): Promise<VariantSummary[]> =>
  ctx.tx.sql(
    `select broadcast_id, number, template_id, template_name, variables, share from broadcast_variants
     where workspace_id = $1 and broadcast_id = any($2::uuid[]) order by broadcast_id, number`,
    [ctx.workspace.id, uuids(broadcastIds)],
  )

/** The results of a variant in the sample. `messages`: without skipped ones. */
export type VariantCounts = Pick<VariantRow, 'number'> &
  Record<'messages' | 'sent' | 'delivered' | 'read' | 'failed' | 'replied' | 'tapped' | 'optedOut', number>

const SAMPLE = `p.workspace_id = $1 and p.broadcast_id = $2 and p.variant is not null`

/** Counts the results of the sample by variant, deleted messages included. Variants without recipients are missing. */
export const countVariantResults = (ctx: Context, broadcastId: string): Promise<VariantCounts[]> =>
  ctx.tx.sql(
    `select states.*, coalesce(replied, 0) as replied, coalesce(tapped, 0) as tapped, coalesce(opted_out, 0) as opted_out
     from (
       select number,
              count(*) filter (where status in ('queued', 'sent', 'delivered', 'read', 'failed')) as messages,
              count(*) filter (where status in ('sent', 'delivered', 'read')) as sent,
              count(*) filter (where status in ('delivered', 'read')) as delivered,
              count(*) filter (where status = 'read') as read,
              count(*) filter (where status = 'failed') as failed
       from (
         select p.variant as number, coalesce(m.status, p.last_status, p.state) as status
         from broadcast_recipients p
         left join messages m on m.workspace_id = p.workspace_id and m.id = p.message_id
         where ${SAMPLE}
       ) recipients group by number
     ) states
     left join (
       select number, ${COUNT_RESPONSES}
       from (
         ${selectResponses({
           columns: 'p.variant as number,',
           from: 'broadcast_recipients p join messages m on m.workspace_id = p.workspace_id and m.id = p.message_id',
           where: `${SAMPLE} and m.status in ('sent', 'delivered', 'read')`,
           hours: '$3',
         })}
       ) responses group by number
     ) responses using (number)
     order by number`,
    [ctx.workspace.id, broadcastId, RESULT_HOURS],
  )
