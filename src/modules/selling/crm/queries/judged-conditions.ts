import type { Context } from '../../../../core/context.ts'
import { asParameters, type Condition } from '../lead-condition.ts'

/** Values by the names of a lead's columns. */
export type LeadLike = {
  source?: string | null
  phone?: string | null
  ownerId?: string | null
  dealValue?: number | null
  tags?: readonly string[]
  attributes?: Record<string, unknown>
  createdAt?: Date | null
}

type JudgedCondition = { of: { leadId: string } | { values: LeadLike }; condition: Condition }

/** Returns a row in which all missing columns are empty. */
const recordOf = (workspaceId: string, subject: JudgedCondition['of']) => {
  const values = 'values' in subject ? subject.values : {}
  return {
    workspace_id: workspaceId,
    source: values.source ?? null,
    phone: values.phone ?? null,
    owner_id: values.ownerId ?? null,
    deal_value: values.dealValue ?? null,
    tags: values.tags ?? [],
    attributes: values.attributes ?? {},
    created_at: values.createdAt?.toISOString() ?? null,
  }
}

/** Returns whether each condition matches its subject, in order. */
export const judgeRows = async (ctx: Context, requests: JudgedCondition[]): Promise<boolean[]> => {
  const rows = await ctx.tx.sql<{ holds: boolean }>(
    `select lead_fulfills(coalesce(to_jsonb(l), a.record), a.tree, a.vals) as holds
     from jsonb_to_recordset($2::jsonb) as a (place integer, lead_id uuid, record jsonb, tree jsonb, vals jsonb)
     left join leads l on l.workspace_id = $1 and l.id = a.lead_id
     order by a.place`,
    [
      ctx.workspace.id,
      JSON.stringify(
        requests.map(({ of, condition }, place) => {
          const { tree, values } = asParameters(condition)
          return {
            place,
            lead_id: 'leadId' in of ? of.leadId : null,
            record: recordOf(ctx.workspace.id, of),
            tree: JSON.parse(tree),
            vals: JSON.parse(values),
          }
        }),
      ),
    ],
  )
  return rows.map((row) => row.holds)
}
