/** Statements on visits: where each chat with a bot came. A visit has the id of its session, and outlives it. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { Played } from '../script/play-script.ts'

type VisitRow = Selectable<Tables['botVisits']>
/** A visit after a step; `nodes` are those that the step reached. */
export type VisitStep = Omit<VisitRow, 'state'> & Pick<Played, 'state'>

/** The most nodes that a visit records. A customer who goes back to a menu again and again adds no more. */
const KEPT_NODES = 200

/** Records steps of visits. Each visit appears once in the list. */
export const upsertVisits = (tx: Tx, visits: VisitStep[]): Promise<unknown> =>
  tx.sql(
    `insert into bot_visits (workspace_id, id, bot_id, conversation_id, nodes, node, state, started_at, updated_at)
     select workspace_id, id, bot_id, conversation_id, nodes, node, state, started_at, updated_at
     from jsonb_to_recordset($1::jsonb) as r (workspace_id uuid, id uuid, bot_id uuid, conversation_id uuid, nodes text[],
       node text, state text, started_at timestamptz, updated_at timestamptz)
     order by workspace_id, id
     on conflict (workspace_id, id) do update set nodes =
       trim_array(bot_visits.nodes || excluded.nodes, greatest(0, cardinality(bot_visits.nodes || excluded.nodes) - ${KEPT_NODES})),
       node = excluded.node, state = excluded.state, updated_at = excluded.updated_at`,
    [
      JSON.stringify(
        visits.map((visit) => ({
          workspace_id: visit.workspaceId,
          id: visit.id,
          bot_id: visit.botId,
          conversation_id: visit.conversationId,
          nodes: visit.nodes,
          node: visit.node,
          state: visit.state,
          started_at: visit.startedAt,
          updated_at: visit.updatedAt,
        })),
      ),
    ],
  )

/** Counts a bot's visits of a period, up to `max`. */
export const countVisits = async (ctx: Context, botId: string, from: Date, max: number): Promise<number> =>
  (
    await ctx.tx.sql<{ count: number }>(
      `select count(*)::int4 as count from (
         select 1 from bot_visits where workspace_id = $1 and bot_id = $2 and started_at >= $3 limit $4) counted`,
      [ctx.workspace.id, botId, from, max],
    )
  )[0]!.count

/** `left`: the bot waited, and the session ended without an answer. `active`: the session still runs. */
export type VisitEnd = 'ended' | 'handed_over' | 'left' | 'active'
/** A number of visits by the node that they reached, or by where and how they ended; or the number of their chats. */
export type VisitCount = Pick<VisitRow, 'node'> & {
  part: 'reached' | 'end' | 'chats'
  end: VisitEnd | null
  count: number
}

/** Counts the newest visits of a period: their chats, those that reached each node, and where and how they ended. */
export const countVisitEnds = (
  ctx: Context,
  botId: string,
  { from, max }: { from: Date; max: number },
): Promise<VisitCount[]> =>
  ctx.tx.sql<VisitCount>(
    `with newest as materialized (
       select id, conversation_id, nodes, node, state from bot_visits
       where workspace_id = $1 and bot_id = $2 and started_at >= $3 order by started_at desc, id desc limit $4),
     running as (select id from bot_sessions where workspace_id = $1 and bot_id = $2)
     select 'chats' as part, null as node, null as "end", count(distinct conversation_id)::int4 as count from newest
     union all
     select 'reached', node, null, count(*)::int4 from (
       select distinct newest.id, reached.node from newest cross join lateral unnest(newest.nodes) reached (node)) each
     group by node
     union all
     select 'end', node, "end", count(*)::int4 from (
       select newest.node, case when newest.state <> 'waiting' then newest.state
         when running.id is null then 'left' else 'active' end as "end"
       from newest left join running on running.id = newest.id) each
     group by node, "end"`,
    [ctx.workspace.id, botId, from, max],
  )

/** Deletes up to `max` visits whose last step was before `before`. Returns how many. */
export const deleteOldVisits = async (query: Query, before: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from bot_visits v using (
         select workspace_id, id from bot_visits where updated_at < $1 order by updated_at limit $2
       ) old
       where v.workspace_id = old.workspace_id and v.id = old.id returning v.id`,
      [before, max],
    )
  ).length
