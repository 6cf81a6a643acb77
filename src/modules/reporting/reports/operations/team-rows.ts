/** Figures by the team to which a chat belongs now. */
import type { Context } from '../../../../core/context.ts'
import { findTeamNames } from '../../../messaging/conversations/operations/find-teams.ts'

type OfTeam = { teamId: string | null }

/** Returns the names of the teams of these figures; deleted teams are left out. */
export const nameTeams = (ctx: Context, figures: readonly OfTeam[]): Promise<Map<string, string>> =>
  findTeamNames(ctx, [...new Set(figures.flatMap(({ teamId }) => teamId ?? []))])

/** Groups figures by the teams with these names. Figures without a team are left out. */
export const byTeams = <Figure extends OfTeam>(
  names: ReadonlyMap<string, string>,
  figures: readonly Figure[],
) => {
  const groups = Map.groupBy(figures, ({ teamId }) => teamId)
  return [...names].map(([teamId, name]) => [{ teamId, name }, groups.get(teamId) ?? []] as const)
}
