/** Creates, changes, deletes, and lists teams (DECISIONS.md). */
import type { Context } from '../../../../core/context.ts'
import { type Issue, invalidReference, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { listTeams as listCurrentMembers } from '../../../platform/workspaces/operations/workspace-members.ts'
import { clearTeam, shareChats } from '../jobs.ts'
import * as queries from '../queries/teams.ts'
import { type NewTeam, TEAMS_MAX, type TeamPatch } from '../team-schema.ts'

const notFound = (): never => refuse('not_found', 'Team not found. See GET /teams.')

const keyOf = (name: string): string => name.toLowerCase()

/** Returns teams in the form for responses. Members who left the workspace have left their teams. */
async function present(ctx: Context, rows: queries.TeamRow[]) {
  const ids = rows.map(({ id }) => id)
  const [members, numbers, current] = await Promise.all([
    queries.listTeamMembers(ctx, ids),
    queries.listTeamNumbers(ctx, ids),
    listCurrentMembers(ctx.tx, [ctx.workspace.id]),
  ])
  const names = new Map(current.map(({ id, name }) => [id, name]))
  const membersOf = Map.groupBy(members, ({ teamId }) => teamId)
  const numbersOf = Map.groupBy(numbers, ({ teamId }) => teamId)
  return rows.map(({ id, name, description, assignment, capacity, createdAt, updatedAt }) => ({
    id,
    name,
    description,
    assignment,
    capacity,
    members: (membersOf.get(id) ?? []).flatMap(({ memberId, away }) => {
      const memberName = names.get(memberId)
      return memberName === undefined ? [] : [{ id: memberId, name: memberName, available: !away }]
    }),
    phoneNumberIds: (numbersOf.get(id) ?? []).map(({ phoneNumberId }) => phoneNumberId),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }))
}

const presentOne = async (ctx: Context, row: queries.TeamRow) => (await present(ctx, [row]))[0]!

/** Returns a page of teams, newest first. */
export async function listTeams(ctx: Context, page: CursorQuery) {
  const { rows, nextCursor } = cutPage(await queries.listTeamRows(ctx, page), page.limit, (row) => row.id)
  return { teams: await present(ctx, rows), nextCursor }
}

const getRow = async (ctx: Context, id: string): Promise<queries.TeamRow> =>
  (isUuid(id) ? await queries.findTeamRow(ctx, id.toLowerCase()) : undefined) ?? notFound()

/** Returns a team. Refuses with `not_found`. */
export const getTeam = async (ctx: Context, id: string) => presentOne(ctx, await getRow(ctx, id))

/** Refuses a name of another team than `ownId`, naming that team. */
async function refuseTaken(ctx: Context, nameKey: string, ownId?: string): Promise<void> {
  const existing = await queries.findTeamByName(ctx, nameKey)
  if (existing && existing.id !== ownId)
    refuse('conflict', `The team ${existing.id} already has this name. Choose another.`, {
      teamId: existing.id,
    })
}

type Lists = Pick<TeamPatch, 'memberIds' | 'phoneNumberIds'>

/** Refuses unknown members and numbers, and numbers of another team than `ownId`. */
async function checkLists(ctx: Context, { memberIds = [], phoneNumberIds = [] }: Lists, ownId: string) {
  const [members, numbers] = await Promise.all([
    memberIds.length > 0 ? listCurrentMembers(ctx.tx, [ctx.workspace.id]) : [],
    phoneNumberIds.length > 0 ? listNumbers(ctx, [ctx.workspace.id]) : [],
  ])
  const knownMembers = new Set(members.map(({ id }) => id))
  const knownNumbers = new Set(numbers.map(({ id }) => id))
  const issues: Issue[] = [
    ...memberIds.flatMap((id, index) =>
      knownMembers.has(id)
        ? []
        : [{ path: `memberIds[${index}]`, message: 'Member not found. See GET /team.' }],
    ),
    ...phoneNumberIds.flatMap((id, index) =>
      knownNumbers.has(id)
        ? []
        : [{ path: `phoneNumberIds[${index}]`, message: 'Number not found. See GET /phone-numbers.' }],
    ),
  ]
  if (issues.length > 0) throw invalidReference(issues)
  const takenNumber = phoneNumberIds.length > 0 && (await queries.findTakenNumber(ctx, phoneNumberIds, ownId))
  if (takenNumber)
    refuse(
      'conflict',
      `The number ${takenNumber.phoneNumberId} belongs to the team ${takenNumber.teamId}. Remove it there first.`,
      {
        teamId: takenNumber.teamId,
      },
    )
}

async function saveLists(ctx: Context, teamId: string, { memberIds, phoneNumberIds }: Lists): Promise<void> {
  if (memberIds) await queries.saveTeamMembers(ctx, teamId, memberIds)
  if (phoneNumberIds) await queries.saveTeamNumbers(ctx, teamId, phoneNumberIds)
}

/** Saves a team. Refuses `conflict` for a name or a number that is in use, and above the workspace's limit. */
export async function saveTeam(ctx: Context, input: NewTeam) {
  const id = newId()
  await queries.lockTeams(ctx)
  await checkLists(ctx, input, id)
  await refuseTaken(ctx, keyOf(input.name))
  if (await queries.hasTeams(ctx, TEAMS_MAX))
    refuse('conflict', `Team limit reached (${TEAMS_MAX}). Delete one first.`)
  const row: queries.TeamRow = {
    workspaceId: ctx.workspace.id,
    id,
    name: input.name,
    nameKey: keyOf(input.name),
    description: input.description ?? null,
    assignment: input.assignment ?? 'manual',
    capacity: input.capacity ?? null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await queries.insertTeamRow(ctx, row)
  await saveLists(ctx, id, input)
  touch(ctx, { team: id })
  return presentOne(ctx, row)
}

/** Changes a team. The members are a whole list, so that those who are left out leave the team. */
export async function changeTeam(ctx: Context, id: string, patch: TeamPatch) {
  await queries.lockTeams(ctx)
  const before = await getRow(ctx, id)
  if (Object.values(patch).every((value) => value === undefined)) return presentOne(ctx, before)
  await checkLists(ctx, patch, before.id)
  const name = patch.name ?? before.name
  const after: queries.TeamRow = {
    ...before,
    name,
    nameKey: keyOf(name),
    description: patch.description === undefined ? before.description : patch.description,
    assignment: patch.assignment ?? before.assignment,
    capacity: patch.capacity === undefined ? before.capacity : patch.capacity,
    updatedAt: ctx.now,
  }
  await refuseTaken(ctx, after.nameKey, before.id)
  await queries.updateTeamRow(ctx, after)
  await saveLists(ctx, before.id, patch)
  touch(ctx, { team: before.id })
  await enqueue(ctx, shareChats, {})
  return presentOne(ctx, after)
}

/** Changes a team by its stored state: no other change comes between the read and the write. */
export async function changeTeamFrom(
  ctx: Context,
  id: string,
  patchOf: (team: Awaited<ReturnType<typeof getTeam>>) => Promise<TeamPatch>,
) {
  await queries.lockTeams(ctx)
  return changeTeam(ctx, id, await patchOf(await getTeam(ctx, id)))
}

/** Deletes a team. Its chats stay, without a team; a job clears them. */
export async function deleteTeam(ctx: Context, id: string): Promise<void> {
  await queries.lockTeams(ctx)
  if (!isUuid(id) || !(await queries.deleteTeamRow(ctx, id.toLowerCase()))) notFound()
  touch(ctx, { team: id.toLowerCase() })
  await enqueue(ctx, clearTeam, { teamId: id.toLowerCase() })
}
