/** Statements on bots and their versions. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, isOneOf, json, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { MAX_RESULT_STARTS } from '../result-schema.ts'
import type { BotDefinition, NewBot } from '../schema.ts'
import { isWithoutTeammate } from './sessions.ts'

export type BotRow = Omit<Selectable<Tables['bots']>, 'entry'> & Pick<NewBot, 'entry'>
type VersionRow = Omit<Selectable<Tables['botVersions']>, 'definition'> & { definition: BotDefinition }
/** `headersSealed`: values of the headers of its requests (request-headers.ts). */
export type DefinedBot = BotRow & Pick<VersionRow, 'definition' | 'headersSealed'>

/** Entries that an earlier version stored lack the fields in front. */
const ENTRY = `'{"patterns": [], "validFrom": null, "validUntil": null}'::jsonb || b.entry as entry`
const COLUMNS = `b.workspace_id, b.id, b.name, b.enabled, b.version, ${ENTRY}, b.created_at, b.updated_at`
const WITH_DEFINITION = `select ${COLUMNS}, v.definition, v.headers_sealed from bots b
  join bot_versions v on v.workspace_id = b.workspace_id and v.bot_id = b.id and v.version = b.version`

/** Returns bots, newest first, one row more than the limit, with the numbers of their running sessions and of starts. */
export const listBotRows = (
  { tx, workspace }: Context,
  { cursor, limit }: CursorQuery,
  since: Date,
): Promise<(BotRow & { running: number; starts: number })[]> =>
  tx.sql(
    `select ${COLUMNS}, (
       select count(*)::int4 from bot_sessions s where s.workspace_id = b.workspace_id and s.bot_id = b.id
         and ${isWithoutTeammate('s')}) as running, (
       select count(*)::int4 from (
         select 1 from bot_visits t
         where t.workspace_id = b.workspace_id and t.bot_id = b.id and t.started_at >= $4 limit ${MAX_RESULT_STARTS}) counted) as starts
     from bots b
     where b.workspace_id = $1 and b.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') order by b.id desc limit $3`,
    [workspace.id, cursor ?? null, limit + 1, since],
  )

export const findBot = async ({ tx, workspace }: Context, id: string): Promise<DefinedBot | undefined> =>
  (
    await tx.sql<DefinedBot>(`${WITH_DEFINITION} where b.workspace_id = $1 and b.id = $2`, [workspace.id, id])
  )[0]

export const listBotNames = (
  { tx, workspace }: Context,
  ids: string[],
): Promise<Pick<BotRow, 'id' | 'name'>[]> =>
  tx.all(
    db.selectFrom('bots').select(['id', 'name']).where('workspaceId', '=', workspace.id).where(isOneOf(ids)),
  )

export const countBots = async ({ tx, workspace }: Context): Promise<number> =>
  (await tx.first(
    db
      .selectFrom('bots')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspaceId', '=', workspace.id),
  ))!.count

/** Locks the workspace's bots against other writers until the transaction ends. */
export const lockBots = (ctx: Context): Promise<unknown> => lockInWorkspace(ctx.tx, ctx.workspace.id, 'bots')

export const upsertBotRow = ({ tx }: Context, row: BotRow): Promise<unknown> =>
  tx.sql(
    `insert into bots (workspace_id, id, name, enabled, version, entry, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (workspace_id, id) do update set name = excluded.name, enabled = excluded.enabled,
       version = excluded.version, entry = excluded.entry, updated_at = excluded.updated_at`,
    [
      row.workspaceId,
      row.id,
      row.name,
      row.enabled,
      row.version,
      json(row.entry),
      row.createdAt,
      row.updatedAt,
    ],
  )

export const insertVersion = (
  { tx, workspace, now }: Context,
  bot: Pick<DefinedBot, 'id' | 'version' | 'definition' | 'headersSealed'>,
): Promise<unknown> =>
  tx.run(
    db.insertInto('botVersions').values({
      workspaceId: workspace.id,
      botId: bot.id,
      version: bot.version,
      definition: json(bot.definition),
      headersSealed: bot.headersSealed,
      createdAt: now,
    }),
  )

/** Deletes versions that are neither current nor used by a session. */
export const deleteIdleVersions = (ctx: Context, botId: string): Promise<unknown> =>
  ctx.tx.sql(
    `delete from bot_versions v using bots b
     where v.workspace_id = $1 and v.bot_id = $2 and b.workspace_id = v.workspace_id and b.id = v.bot_id
       and v.version <> b.version and not exists (
         select from bot_sessions s
         where s.workspace_id = v.workspace_id and s.bot_id = v.bot_id and s.version = v.version)`,
    [ctx.workspace.id, botId],
  )

export const deleteBotRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('bots').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/** Returns the entries of active bots of several workspaces, oldest first. */
export const listEntries = (
  tx: Tx,
  workspaceIds: string[],
): Promise<Pick<BotRow, 'workspaceId' | 'id' | 'entry'>[]> =>
  tx.sql(
    `select b.workspace_id, b.id, ${ENTRY} from bots b
     where b.workspace_id = any($1::uuid[]) and b.enabled order by b.id`,
    [uuids(workspaceIds)],
  )

/** Returns the current definitions of bots. */
export const listDefinitions = (tx: Tx, keys: Pick<BotRow, 'workspaceId' | 'id'>[]): Promise<DefinedBot[]> =>
  tx.sql(
    `${WITH_DEFINITION}
     where (b.workspace_id, b.id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [uuids(keys.map((key) => key.workspaceId)), uuids(keys.map((key) => key.id))],
  )

/** Returns the sealed headers of a version's requests; null for none. */
export const findVersionHeaders = async (
  { tx, workspace }: Context,
  { botId, version }: Pick<VersionRow, 'botId' | 'version'>,
): Promise<Buffer | null> =>
  (
    await tx.first(
      db
        .selectFrom('botVersions')
        .select('headersSealed')
        .where('workspaceId', '=', workspace.id)
        .where('botId', '=', botId)
        .where('version', '=', version),
    )
  )?.headersSealed ?? null

/** Returns the definitions of versions of active bots, by bot and version, with the bots' names. */
export const listVersions = (
  tx: Tx,
  keys: Pick<VersionRow, 'workspaceId' | 'botId' | 'version'>[],
): Promise<(Pick<VersionRow, 'botId' | 'version' | 'definition'> & Pick<BotRow, 'name'>)[]> =>
  tx.sql(
    `select v.bot_id, v.version, v.definition, b.name from bot_versions v
     join bots b on b.workspace_id = v.workspace_id and b.id = v.bot_id and b.enabled
     where (v.workspace_id, v.bot_id, v.version) in (select * from unnest($1::uuid[], $2::uuid[], $3::int4[]))`,
    [
      uuids(keys.map((key) => key.workspaceId)),
      uuids(keys.map((key) => key.botId)),
      plainList(keys.map((key) => key.version)),
    ],
  )
