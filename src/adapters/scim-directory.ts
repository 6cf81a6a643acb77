import type { z } from 'zod'
import { type Clock, workspaceTime } from '../core/clock.ts'
import type { Context, Database } from '../core/context.ts'
import { invalid, refuse } from '../core/errors.ts'
import { isUuid } from '../core/ids.ts'
import { issuesOf } from '../core/issues.ts'
import { retryRolledBack } from '../http/endpoint/retry-rolled-back.ts'
import type { ScimDirectory, ScimGroup, ScimGroupChange } from '../http/scim/port.ts'
import type { Caller } from '../http/wire/caller.ts'
import {
  changeTeamFrom,
  deleteTeam,
  getTeam,
  listTeams,
  saveTeam,
} from '../modules/messaging/conversations/operations/teams.ts'
import { NewTeam, TEAMS_MAX, type Team, TeamPatch } from '../modules/messaging/conversations/team-schema.ts'
import {
  changeProvisionedMember,
  getProvisionedMember,
  listProvisionedMembers,
  provisionMember,
  removeProvisionedMember,
} from '../modules/platform/access/operations/provisioned-members.ts'
import { findProvisionedIds } from '../modules/platform/workspaces/operations/workspace-members.ts'

type Parts = { database: Pick<Database, 'tenant'>; clock: Clock }

const groupOf = ({ id, name, members, createdAt, updatedAt }: z.output<typeof Team>): ScimGroup => ({
  id,
  name,
  memberIds: members.map((member) => member.id),
  createdAt,
  updatedAt,
})

const groupNotFound = (): never => refuse('not_found', 'Group not found.')

/** Returns those members who are there: a deactivated member has left their teams. Refuses unknown ids. */
async function currentMembers(ctx: Context, ids: string[]): Promise<string[]> {
  const known = await findProvisionedIds(ctx, ids.filter(isUuid))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0)
    refuse('invalid_reference', `members: User ${unknown[0]!.slice(0, 100)} not found.`, { issues: [] })
  return ids.filter((id) => known.get(id))
}

/** Checks a team in the words of SCIM. */
function checked<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalid(
    issuesOf(result.error, schema).map(({ path, message }) => ({
      path: path === 'name' ? 'displayName' : path.replace('memberIds', 'members'),
      message,
    })),
  )
}

async function teamPatch(ctx: Context, { name, memberIds }: ScimGroupChange): Promise<TeamPatch> {
  return checked(TeamPatch, {
    ...(name === undefined ? {} : { name }),
    ...(memberIds === undefined ? {} : { memberIds: await currentMembers(ctx, memberIds) }),
  })
}

/** Shows members as users and teams as groups, with the database. */
export function scimDirectory({ database, clock }: Parts): ScimDirectory {
  const inWorkspace = <T>({ workspace, actor }: Caller, work: (ctx: Context) => Promise<T>): Promise<T> =>
    retryRolledBack(() =>
      database.tenant(workspace, (unit) =>
        work({ ...unit, workspace, actor, via: 'api', now: workspaceTime(clock, workspace) }),
      ),
    )
  const requireGroupId = (id: string): void => {
    if (!isUuid(id)) groupNotFound()
  }
  return {
    listUsers: (caller, filter, page) =>
      inWorkspace(caller, async (ctx) => {
        const { members, total } = await listProvisionedMembers(ctx, filter, page)
        return { users: members, total }
      }),
    getUser: (caller, id) => inWorkspace(caller, (ctx) => getProvisionedMember(ctx, id)),
    createUser: (caller, user) => inWorkspace(caller, (ctx) => provisionMember(ctx, user)),
    changeUser: (caller, id, changeOf) =>
      inWorkspace(caller, (ctx) => changeProvisionedMember(ctx, id, changeOf)),
    deleteUser: (caller, id) => inWorkspace(caller, (ctx) => removeProvisionedMember(ctx, id)),
    listGroups: (caller) =>
      inWorkspace(caller, async (ctx) => {
        const { teams } = await listTeams(ctx, { limit: TEAMS_MAX })
        return teams.reverse().map(groupOf)
      }),
    getGroup: async (caller, id) => {
      requireGroupId(id)
      return groupOf(await inWorkspace(caller, (ctx) => getTeam(ctx, id)))
    },
    createGroup: async (caller, { name, memberIds }) =>
      groupOf(
        await inWorkspace(caller, async (ctx) =>
          saveTeam(ctx, checked(NewTeam, { name, memberIds: await currentMembers(ctx, memberIds) })),
        ),
      ),
    changeGroup: async (caller, id, changeOf) => {
      requireGroupId(id)
      return groupOf(
        await inWorkspace(caller, (ctx) =>
          changeTeamFrom(ctx, id, (team) => teamPatch(ctx, changeOf(groupOf(team)))),
        ),
      )
    },
    deleteGroup: (caller, id) => inWorkspace(caller, (ctx) => deleteTeam(ctx, id)),
  }
}
