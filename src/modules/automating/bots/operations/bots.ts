/** Reads and changes bots, for admins (DECISIONS.md). */
import { isDeepStrictEqual } from 'node:util'
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { type Issue, invalid, invalidReference, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { findTeamNames } from '../../../messaging/conversations/operations/find-teams.ts'
import { listMembers } from '../../../platform/workspaces/operations/workspace-members.ts'
import {
  type BotRow,
  countBots,
  type DefinedBot,
  deleteBotRow,
  deleteIdleVersions,
  findBot,
  insertVersion,
  listBotNames,
  listBotRows,
  lockBots,
  upsertBotRow,
} from '../queries/bots.ts'
import { deleteSessionsOfBot, findLatestSession } from '../queries/sessions.ts'
import { recordTeammateEnds } from '../queries/visits.ts'
import { RESULT_DAYS } from '../result-schema.ts'
import { BOTS_MAX, type BotDefinition, type BotPatch, type NewBot } from '../schema.ts'
import { findScriptFaults } from '../script/check-script.ts'
import { openNodeHeaders, sealNodeHeaders, separateHeaders } from './request-headers.ts'
import { requireScopesOf } from './required-scopes.ts'

const refuseMissing = (): never => refuse('not_found', 'Bot not found. See GET /bots.')

const presentRow = ({ id, name, enabled, version, entry, createdAt, updatedAt }: BotRow) => ({
  id,
  name,
  enabled,
  version,
  entry,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const present = ({ definition, ...row }: Omit<DefinedBot, 'headersSealed'>) => ({
  ...presentRow(row),
  ...definition,
})

/** Returns a page of bots, newest first, without their nodes. */
export async function listBots(ctx: Context, page: CursorQuery) {
  const since = later(ctx.now, -RESULT_DAYS * DAY_MS)
  const { rows, nextCursor } = cutPage(await listBotRows(ctx, page, since), page.limit, (row) => row.id)
  return {
    bots: rows.map((row) => ({ ...presentRow(row), running: row.running, starts: row.starts })),
    nextCursor,
  }
}

/** Returns a bot of the workspace with its current version. Foreign and missing ids get the same 404. */
export const getBot = async (ctx: Context, id: string): Promise<DefinedBot> =>
  (isUuid(id) ? await findBot(ctx, id) : undefined) ?? refuseMissing()

/** Returns the names of bots by id. */
export const readBotNames = async (ctx: Context, ids: string[]): Promise<Map<string, string>> =>
  ids.length === 0 ? new Map() : new Map((await listBotNames(ctx, ids)).map(({ id, name }) => [id, name]))

/** Returns the bot that answers in one of these chats; null for none. */
export async function findBotInChats(ctx: Context, conversationIds: string[]) {
  const session = await findLatestSession(ctx, conversationIds)
  if (!session) return null
  const name = (await readBotNames(ctx, [session.botId])).get(session.botId)
  return name === undefined
    ? null
    : {
        id: session.botId,
        name,
        conversationId: session.conversationId,
        startedAt: session.startedAt.toISOString(),
      }
}

/** Returns a bot as in replies. */
export const readBot = async (ctx: Context, id: string) => present(await getBot(ctx, id))

/** Refuses an invalid script, and unknown members. */
async function checkScript(ctx: Context, definition: BotDefinition): Promise<void> {
  const faults = findScriptFaults(definition)
  if (faults.length > 0) throw invalid(faults)
  const assignees = definition.nodes.flatMap((node, index) => {
    if (node.type === 'handover' && node.assign !== null)
      return [{ path: `nodes[${index}].assign`, id: node.assign }]
    if (node.type !== 'action' || node.action.type !== 'assign_conversation') return []
    const { memberId } = node.action
    return memberId === null ? [] : [{ path: `nodes[${index}].action.memberId`, id: memberId }]
  })
  const teams = definition.nodes.flatMap((node, index) => {
    if (node.type === 'handover' && node.teamId) return [{ path: `nodes[${index}].teamId`, id: node.teamId }]
    if (node.type !== 'action' || node.action.type !== 'assign_conversation' || !node.action.teamId) return []
    return [{ path: `nodes[${index}].action.teamId`, id: node.action.teamId }]
  })
  if (teams.length > 0) {
    const known = await findTeamNames(
      ctx,
      teams.map(({ id }) => id),
    )
    const unknown = teams.filter(({ id }) => !known.has(id.toLowerCase()))
    if (unknown.length > 0)
      throw invalidReference(
        unknown.map(({ path }) => ({ path, message: 'Team not found. See GET /teams.' })),
      )
  }
  if (assignees.length === 0) return
  const members = await listMembers(ctx.tx, ctx.workspace.id)
  const memberIds = new Set(members.filter(({ leftAt }) => leftAt === null).map(({ id }) => id))
  const issues = assignees.flatMap(({ path, id }): Issue[] =>
    memberIds.has(id.toLowerCase()) ? [] : [{ path, message: 'Member not found. See GET /team.' }],
  )
  if (issues.length > 0) throw invalidReference(issues)
}

/** Creates a bot. Refuses `conflict` at the limit. */
export async function createBot(ctx: Context, { name, enabled, entry, ...written }: NewBot) {
  requireScopesOf(ctx, written)
  const { nodes, headers } = separateHeaders(written.nodes, undefined)
  const definition = { ...written, nodes }
  await checkScript(ctx, definition)
  await lockBots(ctx)
  if ((await countBots(ctx)) >= BOTS_MAX)
    refuse('conflict', `Bot limit reached (${BOTS_MAX}). Delete one first.`)
  const bot = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    name,
    enabled,
    entry,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    definition,
    headersSealed: sealNodeHeaders(ctx.sealer, headers),
  }
  await upsertBotRow(ctx, bot)
  await insertVersion(ctx, bot)
  touch(ctx, { bot: bot.id })
  return present(bot)
}

/**
 * Changes a bot: given fields are replaced as a whole. A changed script gets a new version, which new
 * sessions use. Turning the bot off ends its sessions immediately.
 */
export async function changeBot(
  ctx: Context,
  id: string,
  { name, enabled, entry, ...definitionPatch }: BotPatch,
) {
  await lockBots(ctx)
  const before = await getBot(ctx, id)
  const changes = Object.fromEntries(
    Object.entries(definitionPatch).filter(([, value]) => value !== undefined),
  )
  const headersBefore = openNodeHeaders(ctx.sealer, before.headersSealed)
  const written: BotDefinition = { ...before.definition, ...changes }
  const { nodes, headers } = separateHeaders(written.nodes, {
    nodes: before.definition.nodes,
    headers: headersBefore,
  })
  const definition = { ...written, nodes }
  const isNew =
    !isDeepStrictEqual(JSON.parse(JSON.stringify(definition)), before.definition) ||
    !isDeepStrictEqual(headers, headersBefore)
  // Turning on a bot needs the same scopes as saving its script.
  if (isNew || (enabled && !before.enabled)) requireScopesOf(ctx, definition)
  if (isNew) await checkScript(ctx, definition)
  const after: DefinedBot = {
    ...before,
    name: name ?? before.name,
    enabled: enabled ?? before.enabled,
    entry: entry ?? before.entry,
    version: before.version + (isNew ? 1 : 0),
    definition,
    headersSealed: isNew ? sealNodeHeaders(ctx.sealer, headers) : before.headersSealed,
  }
  if (isDeepStrictEqual(after, before)) return present(before)
  const changed = { ...after, updatedAt: ctx.now }
  await upsertBotRow(ctx, changed)
  if (isNew) await insertVersion(ctx, changed)
  if (!changed.enabled) {
    const stopped = await deleteSessionsOfBot(ctx, changed.id)
    if (stopped.length > 0) await recordTeammateEnds(ctx.tx, stopped)
  }
  await deleteIdleVersions(ctx, changed.id)
  touch(ctx, { bot: changed.id })
  return present(changed)
}

/** Deletes a bot and ends its sessions immediately. */
export async function deleteBot(ctx: Context, id: string): Promise<void> {
  await lockBots(ctx)
  if (!isUuid(id) || (await deleteBotRow(ctx, id)) === 0) refuseMissing()
  touch(ctx, { bot: id })
}
