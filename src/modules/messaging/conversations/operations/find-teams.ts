/** Finds teams and their members, for the chats that they share. */
import type { Context, Unit } from '../../../../core/context.ts'
import * as queries from '../queries/teams.ts'

/** Returns a team of the workspace, if it exists. */
export const findTeam = (ctx: Context, id: string): Promise<queries.TeamRow | undefined> =>
  queries.findTeamRow(ctx, id.toLowerCase())

/** Returns the names of those of these teams that exist, by id. */
export const findTeamNames = async (ctx: Context, ids: string[]): Promise<Map<string, string>> =>
  new Map(ids.length === 0 ? [] : (await queries.listTeamNames(ctx, ids)).map(({ id, name }) => [id, name]))

/** Returns whether the member belongs to the team. */
export const isInTeam = async (ctx: Context, teamId: string, memberId: string): Promise<boolean> =>
  (await queries.listTeamIdsOf(ctx, memberId)).includes(teamId)

export const teamsOfMember = queries.listTeamIdsOf

/** Returns the teams of numbers, by workspace and number; numbers without a team are left out. */
export async function teamsOfNumbers(
  unit: Unit,
  numbers: { workspaceId: string; phoneNumberId: string }[],
): Promise<Map<string, string>> {
  const rows = numbers.length === 0 ? [] : await queries.listTeamsOfNumbers(unit.tx, numbers)
  return new Map(rows.map(({ phoneNumberId, teamId }) => [phoneNumberId, teamId]))
}
