/** SQL for the timeline of leads. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import { instants, jsonTexts, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** The actor: a member, a key without a member, the platform, or a customer. */
export type TimelineActor = {
  kind: 'member' | 'key' | 'platform' | 'customer'
  id: string | null
  name: string
}

export type TimelineRow = Omit<Selectable<Tables['leadTimeline']>, 'actor' | 'data'> & {
  actor: TimelineActor
  data: Record<string, unknown>
}

export const insertTimelineRows = (tx: Tx, rows: TimelineRow[]): Promise<unknown> =>
  tx.sql(
    `insert into lead_timeline (workspace_id, id, lead_id, kind, actor, via, data, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::json[], $6::text[], $7::json[], $8::timestamptz[])`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.leadId)),
      texts(rows.map((row) => row.kind)),
      jsonTexts(rows.map((row) => JSON.stringify(row.actor))),
      texts(rows.map((row) => row.via)),
      jsonTexts(rows.map((row) => JSON.stringify(row.data))),
      instants(rows.map((row) => row.createdAt)),
    ],
  )

/** Locks the existing leads among these against erasure until the transaction ends, and returns their ids. */
export const holdLeads = async (ctx: Context, leadIds: string[]): Promise<Set<string>> => {
  const rows = await ctx.tx.sql<Pick<Selectable<Tables['leads']>, 'id'>>(
    'select id from leads where workspace_id = $1 and id = any($2::uuid[]) order by id for key share',
    [ctx.workspace.id, uuids(leadIds)],
  )
  return new Set(rows.map((row) => row.id))
}

/** Returns entries of a lead before `cursor`, newest first. */
export const listTimelineRows = (
  ctx: Context,
  leadId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<TimelineRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('leadTimeline')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('leadId', '=', leadId)
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit),
  ) as Promise<TimelineRow[]>
