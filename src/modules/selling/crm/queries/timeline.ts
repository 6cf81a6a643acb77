/** SQL for the timeline of leads. */

import type { Context, Tx } from '../../../../core/context.ts'
import { instants, jsonTexts, texts, uuids } from '../../../../database/sql/binary-arrays.ts'

/** The actor: a member, a key without a member, the platform, or a customer. */
export type TimelineActor = {
  kind: 'member' | 'key' | 'platform' | 'customer'
  id: string | null
  name: string
}

export type TimelineRow = {
  workspaceId: string
  id: string
  leadId: string
  kind: string
  actor: TimelineActor
  via: string
  data: Record<string, unknown>
  createdAt: Date
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
  const rows = await ctx.tx.sql<{ id: string }>(
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
  ctx.tx.sql<TimelineRow>(
    `select * from lead_timeline where workspace_id = $1 and lead_id = $2 and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    [ctx.workspace.id, leadId, page.cursor ?? null, page.limit],
  )
