/** Statements on the chats of teams (DECISIONS.md "Teams"). */
import type { Context, Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { plainList } from '../../../../database/sql/sql.ts'
import { COLUMNS, type ConversationRow } from './conversations.ts'

const IS_OPEN = "c.state = 'open' and not c.is_archived and c.snoozed_at is null"

/** Counts the open chats of members, of any team, each to `max`. */
export const countOpenChats = async (
  ctx: Context,
  memberIds: string[],
  max: number,
): Promise<Map<string, number>> => {
  const rows = await ctx.tx.sql<{ memberId: string; open: number }>(
    `select m.id as member_id, (select count(*) from (
       select 1 from conversations c where c.workspace_id = $1 and c.assigned_agent_id = m.id
         and c.state <> 'resolved' and ${IS_OPEN} limit $3) one)::int as open
     from unnest($2::uuid[]) as m (id)`,
    [ctx.workspace.id, uuids(memberIds), max],
  )
  return new Map(rows.map(({ memberId, open }) => [memberId, open]))
}

/** A team with chats to give, at most `limit`. */
export type Giver = { teamId: string; limit: number }

/** Returns the ids of the first chats in the queues of teams. Chats of `former` members are in the queue. */
export const listQueued = (
  ctx: Context,
  givers: Giver[],
  former: string[],
): Promise<Pick<ConversationRow, 'id'>[]> =>
  ctx.tx.sql(
    `select queued.id from unnest($2::uuid[], $3::int[]) as t (id, places) cross join lateral (
       select c.id from conversations c
       join conversation_activity a on a.workspace_id = c.workspace_id and a.conversation_id = c.id
       where c.workspace_id = $1 and c.team_id = t.id and c.state <> 'resolved' and ${IS_OPEN}
         and (c.assigned_agent_id is null or c.assigned_agent_id = any($4::uuid[]))
       order by coalesce(a.waiting_id, a.activity_id), c.id limit t.places
     ) queued`,
    [
      ctx.workspace.id,
      uuids(givers.map(({ teamId }) => teamId)),
      plainList(givers.map(({ limit }) => limit)),
      uuids(former),
    ],
  )

/**
 * Locks these chats, and returns the open ones, the longest wait first: queued ones only if they still wait for a
 * member. They are locked in the order of customers' messages, so that both don't deadlock.
 */
export const lockWaiting = async (
  ctx: Context,
  { queuedIds, reopened, former }: { queuedIds: string[]; reopened: string[]; former: string[] },
): Promise<ConversationRow[]> => {
  const rows = await ctx.tx.sql<ConversationRow>(
    `select ${COLUMNS} from conversations c
     join conversation_activity a on a.workspace_id = c.workspace_id and a.conversation_id = c.id
     where c.workspace_id = $1 and c.id = any($2::uuid[]) and ${IS_OPEN} and c.team_id is not null
       and (c.assigned_agent_id is null or c.assigned_agent_id = any($3::uuid[]) or c.id = any($4::uuid[]))
     order by c.contact_id, c.phone_number_id for no key update of c`,
    [ctx.workspace.id, uuids([...new Set([...queuedIds, ...reopened])]), uuids(former), uuids(reopened)],
  )
  const place = ({ waitingId, activityId }: ConversationRow): string => waitingId ?? activityId
  return rows.sort((a, b) => (place(a) < place(b) ? -1 : 1))
}

/** Unassigns chats that the transaction has locked. */
export const unassignRows = (ctx: Context, ids: string[]): Promise<unknown> =>
  ctx.tx.sql(
    'update conversations set assigned_agent_id = null where workspace_id = $1 and id = any($2::uuid[])',
    [ctx.workspace.id, uuids(ids)],
  )

/** Assigns chats that the transaction has locked. */
export const assignRows = (ctx: Context, turns: { id: string; memberId: string }[]): Promise<unknown> =>
  ctx.tx.sql(
    `update conversations c set assigned_agent_id = n.member_id, updated_at = $4
     from unnest($2::uuid[], $3::uuid[]) as n (id, member_id)
     where c.workspace_id = $1 and c.id = n.id`,
    [
      ctx.workspace.id,
      uuids(turns.map(({ id }) => id)),
      uuids(turns.map(({ memberId }) => memberId)),
      ctx.now,
    ],
  )

/** Puts chats that the transaction has locked into teams. */
export const setTeams = (
  tx: Tx,
  rows: { workspaceId: string; id: string; teamId: string }[],
): Promise<unknown> =>
  tx.sql(
    `update conversations c set team_id = n.team_id
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as n (workspace_id, id, team_id)
     where c.workspace_id = n.workspace_id and c.id = n.id`,
    [
      uuids(rows.map(({ workspaceId }) => workspaceId)),
      uuids(rows.map(({ id }) => id)),
      uuids(rows.map(({ teamId }) => teamId)),
    ],
  )

/** Removes the team from at most `max` of its chats. Returns how many it changed. */
export const clearTeamOf = async (ctx: Context, teamId: string, max: number): Promise<number> =>
  (
    await ctx.tx.sql(
      `update conversations c set team_id = null
       where c.workspace_id = $1 and c.team_id = $2 and c.id = any (
         select id from conversations where workspace_id = $1 and team_id = $2 order by contact_id, phone_number_id limit $3
           for no key update)
       returning c.id`,
      [ctx.workspace.id, teamId, max],
    )
  ).length
