/** Statements on visits: where each chat with a bot came. A visit has the id of its session, and outlives it. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
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
    `insert into bot_visits (workspace_id, id, bot_id, version, conversation_id, nodes, node, state, started_at, updated_at)
     select workspace_id, id, bot_id, version, conversation_id, nodes, node, state, started_at, updated_at
     from jsonb_to_recordset($1::jsonb) as r (workspace_id uuid, id uuid, bot_id uuid, version integer, conversation_id uuid,
       nodes text[], node text, state text, started_at timestamptz, updated_at timestamptz)
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
          version: visit.version,
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

/**
 * Records that a teammate ended these sessions, if one took over the chat after the start. Other sessions remain as
 * they are.
 */
export const recordTeammateEnds = (
  tx: Tx,
  sessions: Pick<VisitRow, 'workspaceId' | 'id'>[],
): Promise<unknown> =>
  tx.sql(
    `update bot_visits v set state = 'ended_by_teammate' from conversation_activity a
     where (v.workspace_id, v.id) in (select * from unnest($1::uuid[], $2::uuid[])) and v.state = 'waiting'
       and a.workspace_id = v.workspace_id and a.conversation_id = v.conversation_id
       and a.person_answered_at > v.started_at`,
    [uuids(sessions.map(({ workspaceId }) => workspaceId)), uuids(sessions.map(({ id }) => id))],
  )

/** `left`: the bot waited, and the session ended without an answer. `active`: the session still runs. */
export type VisitEnd = 'ended' | 'handed_over' | 'ended_by_teammate' | 'left' | 'active'
/**
 * A number of visits: by the node that they reached, by where and how they ended, or by version and how they ended; or
 * the number of their chats. `since`: the first start of the visits of a version.
 */
export type VisitCount = Pick<VisitRow, 'node' | 'version'> & {
  part: 'reached' | 'end' | 'chats' | 'version'
  end: VisitEnd | null
  count: number
  since: Date | null
}

/**
 * Counts the newest visits of a period by version and how they ended. Of those with `version`, or of all, counts the
 * chats, those that reached each node, and where and how they ended.
 */
export const countVisitEnds = (
  ctx: Context,
  botId: string,
  { from, max, version }: { from: Date; max: number; version: number | undefined },
): Promise<VisitCount[]> =>
  ctx.tx.sql<VisitCount>(
    `with newest as materialized (
       select id, conversation_id, version, nodes, node, state, started_at from bot_visits
       where workspace_id = $1 and bot_id = $2 and started_at >= $3 order by started_at desc, id desc limit $4),
     running as (
       select s.id, coalesce(a.person_answered_at > s.started_at, false) as by_teammate
       from bot_sessions s
       left join conversation_activity a on a.workspace_id = s.workspace_id and a.conversation_id = s.conversation_id
       where s.workspace_id = $1 and s.bot_id = $2),
     finished as materialized (
       select newest.*, case when newest.state <> 'waiting' then newest.state
         when running.id is null then 'left' when running.by_teammate then 'ended_by_teammate' else 'active' end as "end"
       from newest left join running on running.id = newest.id),
     chosen as (select * from finished where $5::int4 is null or version = $5)
     select 'chats' as part, null::int4 as version, null as node, null as "end",
       count(distinct conversation_id)::int4 as count, null::timestamptz as since from chosen
     union all
     select 'reached', null, node, null, count(*)::int4, null from (
       select distinct chosen.id, reached.node from chosen cross join lateral unnest(chosen.nodes) reached (node)) each
     group by node
     union all
     select 'end', null, node, "end", count(*)::int4, null from chosen group by node, "end"
     union all
     select 'version', version, null, "end", count(*)::int4, min(started_at) from finished
     where version is not null group by version, "end"`,
    [ctx.workspace.id, botId, from, max, version ?? null],
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
