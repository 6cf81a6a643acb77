/** Statements on teams. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, hasAtLeast, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import type { ASSIGNMENTS } from '../team-schema.ts'

export type TeamRow = Omit<Selectable<Tables['teams']>, 'assignment'> & {
  assignment: (typeof ASSIGNMENTS)[number]
}

const selectOwn = (ctx: Context) =>
  db.selectFrom('teams').selectAll().where('workspaceId', '=', ctx.workspace.id)

/** Lists teams newest first, with one row more than the limit. */
export const listTeamRows = (ctx: Context, page: CursorQuery): Promise<TeamRow[]> =>
  ctx.tx.all(
    selectOwn(ctx)
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  ) as Promise<TeamRow[]>

export const findTeamRow = (ctx: Context, id: string): Promise<TeamRow | undefined> =>
  ctx.tx.first(selectOwn(ctx).where('id', '=', id)) as Promise<TeamRow | undefined>

export const findTeamByName = (ctx: Context, nameKey: string): Promise<{ id: string } | undefined> =>
  ctx.tx.first(selectOwn(ctx).clearSelect().select('id').where('nameKey', '=', nameKey))

/** Returns whether the workspace has at least `max` teams. */
export const hasTeams = (ctx: Context, max: number): Promise<boolean> =>
  hasAtLeast(ctx.tx, 'teams', { workspaceId: ctx.workspace.id, max })

/** Returns whether a team of the workspace gives chats to its members in turn. */
export const hasSharingTeam = async (ctx: Context): Promise<boolean> =>
  (await ctx.tx.first(
    selectOwn(ctx).clearSelect().select('id').where('assignment', '=', 'round_robin').limit(1),
  )) !== undefined

/** Lists those of these teams that exist. */
export const listTeamNames = (ctx: Context, ids: string[]): Promise<Pick<TeamRow, 'id' | 'name'>[]> =>
  ctx.tx.sql('select id, name from teams where workspace_id = $1 and id = any($2::uuid[])', [
    ctx.workspace.id,
    uuids(ids),
  ])

/** Blocks other changes of the workspace's teams, and other turns, until the transaction ends. */
export const lockTeams = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'teams')

export const insertTeamRow = (ctx: Context, row: TeamRow): Promise<number> =>
  ctx.tx.run(db.insertInto('teams').values(row))

export const updateTeamRow = (
  ctx: Context,
  { id, workspaceId, createdAt: _, ...row }: TeamRow,
): Promise<number> =>
  ctx.tx.run(db.updateTable('teams').set(row).where('workspaceId', '=', workspaceId).where('id', '=', id))

/** Deletes a team with its members and numbers. Returns false if it is gone. */
export async function deleteTeamRow(ctx: Context, id: string): Promise<boolean> {
  const [deleted] = await Promise.all([
    ctx.tx.run(db.deleteFrom('teams').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id)),
    ctx.tx.run(
      db.deleteFrom('teamMembers').where('workspaceId', '=', ctx.workspace.id).where('teamId', '=', id),
    ),
    ctx.tx.run(
      db.deleteFrom('teamNumbers').where('workspaceId', '=', ctx.workspace.id).where('teamId', '=', id),
    ),
  ])
  return deleted > 0
}

/** Replaces the members of a team. Those who stay keep their turn. */
export async function saveTeamMembers(ctx: Context, teamId: string, memberIds: string[]): Promise<void> {
  const values = [ctx.workspace.id, teamId, uuids(memberIds)]
  await Promise.all([
    ctx.tx.sql(
      'delete from team_members where workspace_id = $1 and team_id = $2 and member_id <> all($3::uuid[])',
      values,
    ),
    ctx.tx.sql(
      `insert into team_members (workspace_id, team_id, member_id)
       select $1, $2, m.id from unnest($3::uuid[]) as m (id)
       on conflict (workspace_id, team_id, member_id) do nothing`,
      values,
    ),
  ])
}

/** Replaces the numbers of a team. */
export async function saveTeamNumbers(ctx: Context, teamId: string, phoneNumberIds: string[]): Promise<void> {
  await Promise.all([
    ctx.tx.run(
      db.deleteFrom('teamNumbers').where('workspaceId', '=', ctx.workspace.id).where('teamId', '=', teamId),
    ),
    ctx.tx.sql(
      `insert into team_numbers (workspace_id, phone_number_id, team_id)
       select $1, n.id, $2 from unnest($3::uuid[]) as n (id)`,
      [ctx.workspace.id, teamId, uuids(phoneNumberIds)],
    ),
  ])
}

export type TeamNumberRow = Selectable<Tables['teamNumbers']>

/** Lists the numbers of teams. */
export const listTeamNumbers = (ctx: Context, teamIds: string[]): Promise<TeamNumberRow[]> =>
  ctx.tx.sql(
    'select * from team_numbers where workspace_id = $1 and team_id = any($2::uuid[]) order by phone_number_id',
    [ctx.workspace.id, uuids(teamIds)],
  )

/** Returns a number among these that belongs to another team than `ownId`. */
export const findTakenNumber = async (
  ctx: Context,
  phoneNumberIds: string[],
  ownId: string,
): Promise<TeamNumberRow | undefined> =>
  (
    await ctx.tx.sql<TeamNumberRow>(
      `select * from team_numbers where workspace_id = $1 and phone_number_id = any($2::uuid[]) and team_id <> $3
       order by phone_number_id limit 1`,
      [ctx.workspace.id, uuids(phoneNumberIds), ownId],
    )
  )[0]

/** Lists the teams of numbers, in any of these workspaces, each once. */
export const listTeamsOfNumbers = (
  tx: Tx,
  numbers: { workspaceId: string; phoneNumberId: string }[],
): Promise<TeamNumberRow[]> =>
  tx.sql(
    `select distinct t.* from unnest($1::uuid[], $2::uuid[]) as n (workspace_id, phone_number_id)
     join team_numbers t on t.workspace_id = n.workspace_id and t.phone_number_id = n.phone_number_id`,
    [
      uuids(numbers.map(({ workspaceId }) => workspaceId)),
      uuids(numbers.map(({ phoneNumberId }) => phoneNumberId)),
    ],
  )

/** A current or former member in a team. */
export type TeamMemberRow = Selectable<Tables['teamMembers']> & { away: boolean }

/** Lists the members of teams, also former ones. */
export const listTeamMembers = (ctx: Context, teamIds: string[]): Promise<TeamMemberRow[]> =>
  ctx.tx.sql(
    `select m.*, a.member_id is not null as away from team_members m
     left join away_members a on a.workspace_id = m.workspace_id and a.member_id = m.member_id
     where m.workspace_id = $1 and m.team_id = any($2::uuid[]) order by m.team_id, m.member_id`,
    [ctx.workspace.id, uuids(teamIds)],
  )

/** Lists the teams of a member. */
export const listTeamIdsOf = async (ctx: Context, memberId: string): Promise<string[]> =>
  (
    await ctx.tx.all(
      db
        .selectFrom('teamMembers')
        .select('teamId')
        .where('workspaceId', '=', ctx.workspace.id)
        .where('memberId', '=', memberId),
    )
  ).map(({ teamId }) => teamId)

/** Lists the teams of the workspace that give out chats. */
export const listSharingTeams = (ctx: Context): Promise<TeamRow[]> =>
  ctx.tx.all(selectOwn(ctx).where('assignment', '=', 'round_robin').orderBy('id')) as Promise<TeamRow[]>

/** Stores the turns of members. */
export const saveTurns = (
  ctx: Context,
  turns: { teamId: string; memberId: string; turn: number }[],
): Promise<unknown> =>
  ctx.tx.sql(
    `update team_members m set turn = n.turn
     from unnest($2::uuid[], $3::uuid[], $4::int8[]) as n (team_id, member_id, turn)
     where m.workspace_id = $1 and m.team_id = n.team_id and m.member_id = n.member_id`,
    [
      ctx.workspace.id,
      uuids(turns.map(({ teamId }) => teamId)),
      uuids(turns.map(({ memberId }) => memberId)),
      plainList(turns.map(({ turn }) => turn)),
    ],
  )

export const isAway = async (ctx: Context, memberId: string): Promise<boolean> =>
  (await ctx.tx.first(
    db
      .selectFrom('awayMembers')
      .select('memberId')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('memberId', '=', memberId),
  )) !== undefined

export const insertAway = (ctx: Context, memberId: string): Promise<number> =>
  ctx.tx.run(
    db
      .insertInto('awayMembers')
      .values({ workspaceId: ctx.workspace.id, memberId, since: ctx.now })
      .onConflict((conflict) => conflict.doNothing()),
  )

export const deleteAway = (ctx: Context, memberId: string): Promise<number> =>
  ctx.tx.run(
    db.deleteFrom('awayMembers').where('workspaceId', '=', ctx.workspace.id).where('memberId', '=', memberId),
  )
