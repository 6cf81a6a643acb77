/** Statements on bot sessions. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { alignRows, isDue } from '../../../../database/sql/due-statements.ts'
import { db, isOfWorkspace } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { CustomerInput } from '../script/play-script.ts'

export type SessionRow = Omit<Selectable<Tables['botSessions']>, 'answers' | 'pending'> & {
  answers: Record<string, string>
  /** Messages of the customer since the bot sent a request: the one that led to it, and later ones in order. */
  pending: CustomerInput[]
}

const COLUMNS = `workspace_id, conversation_id, id, bot_id, version, node, answers, misses, step, left_node, left_at, ai_answers,
  started_at, run_at, run_offset_ms, pending`

type ChatKey = Pick<SessionRow, 'workspaceId' | 'conversationId'>
type SessionKey = Pick<SessionRow, 'workspaceId' | 'id'>
const keyLists = (keys: ChatKey[]) => [
  uuids(keys.map((key) => key.workspaceId)),
  uuids(keys.map((key) => key.conversationId)),
]
const OF_KEYS = '(workspace_id, conversation_id) in (select * from unnest($1::uuid[], $2::uuid[]))'

/** Returns the sessions of chats, locked until the transaction ends. */
export const listSessionsForUpdate = (tx: Tx, keys: ChatKey[]): Promise<SessionRow[]> =>
  tx.sql(
    `select ${COLUMNS} from bot_sessions where ${OF_KEYS} order by workspace_id, conversation_id for update`,
    keyLists(keys),
  )

export const deleteSessions = (tx: Tx, keys: ChatKey[]): Promise<unknown> =>
  tx.sql(`delete from bot_sessions where ${OF_KEYS}`, keyLists(keys))

/** Ends a session that is still at this step. */
export const deleteSessionAt = (
  { tx, workspace }: Context,
  { conversationId, sessionId, step }: { conversationId: string; sessionId: string; step: number },
): Promise<unknown> =>
  tx.sql(
    'delete from bot_sessions where workspace_id = $1 and conversation_id = $2 and id = $3 and step = $4',
    [workspace.id, conversationId, sessionId, step],
  )

/** Writes sessions. Each replaces the session of its chat. */
export const upsertSessions = (tx: Tx, rows: SessionRow[]): Promise<unknown> =>
  tx.sql(
    `insert into bot_sessions (${COLUMNS}) select ${COLUMNS}
     from jsonb_to_recordset($1::jsonb) as r (workspace_id uuid, conversation_id uuid, id uuid, bot_id uuid, version integer,
       node text, answers jsonb, misses integer, step integer, left_node text, left_at timestamptz, ai_answers integer,
       started_at timestamptz, run_at timestamptz, run_offset_ms bigint, pending jsonb)
     order by workspace_id, conversation_id
     on conflict (workspace_id, conversation_id) do update set id = excluded.id, bot_id = excluded.bot_id,
       version = excluded.version, node = excluded.node, answers = excluded.answers, misses = excluded.misses,
       step = excluded.step, left_node = excluded.left_node, left_at = excluded.left_at, ai_answers = excluded.ai_answers,
       started_at = excluded.started_at, run_at = excluded.run_at, run_offset_ms = excluded.run_offset_ms,
       pending = excluded.pending`,
    [
      JSON.stringify(
        rows.map((row) => ({
          workspace_id: row.workspaceId,
          conversation_id: row.conversationId,
          id: row.id,
          bot_id: row.botId,
          version: row.version,
          node: row.node,
          answers: row.answers,
          misses: row.misses,
          step: row.step,
          left_node: row.leftNode,
          left_at: row.leftAt,
          ai_answers: row.aiAnswers,
          started_at: row.startedAt,
          run_at: row.runAt,
          run_offset_ms: row.runOffsetMs,
          pending: row.pending,
        })),
      ),
    ],
  )

/** A running session that no teammate ended: it waits until it is idle, but the bot does not answer in it. */
export const isWithoutTeammate = (session: string): string =>
  `not exists (
     select from conversation_activity a
     where a.workspace_id = ${session}.workspace_id and a.conversation_id = ${session}.conversation_id
       and a.person_answered_at > ${session}.started_at)`

/** Returns the latest session among chats that no teammate ended. */
export const findLatestSession = async (
  { tx, workspace }: Context,
  conversationIds: string[],
): Promise<Pick<SessionRow, 'conversationId' | 'botId' | 'startedAt'> | undefined> =>
  (
    await tx.sql<Pick<SessionRow, 'conversationId' | 'botId' | 'startedAt'>>(
      `select s.conversation_id, s.bot_id, s.started_at from bot_sessions s
       where s.workspace_id = $1 and s.conversation_id = any ($2::uuid[]) and ${isWithoutTeammate('s')}
       order by s.started_at desc limit 1`,
      [workspace.id, uuids(conversationIds)],
    )
  )[0]

/** Ends every session of a bot, and returns them. */
export const deleteSessionsOfBot = (ctx: Context, botId: string): Promise<SessionKey[]> =>
  ctx.tx.all(
    db
      .deleteFrom('botSessions')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('botId', '=', botId)
      .returning(['workspaceId', 'id']),
  )

/**
 * Ends due sessions, longest due first, and returns them. Skips rows that another transaction has
 * locked.
 */
export const deleteDueSessions = (
  tx: Tx,
  due: DueMoment,
  { workspaceId, limit }: { workspaceId: string | undefined; limit: number },
): Promise<SessionKey[]> =>
  tx.sql<SessionKey>(
    `delete from bot_sessions s using (
       select d.workspace_id, d.conversation_id from bot_sessions d
       where ${workspaceId === undefined ? `d.run_at <= $2 and ${isOfWorkspace('d')}` : 'd.workspace_id = $5'}
         and ${isDue('d.run_at', 'd.run_offset_ms', { now: '$2', by: '$1', offsetMs: '$3' })}
       order by d.run_at limit $4 for update skip locked
     ) ended
     where s.workspace_id = ended.workspace_id and s.conversation_id = ended.conversation_id
     returning s.workspace_id, s.id`,
    [due.by, due.now, due.offsetMs, limit, ...(workspaceId === undefined ? [] : [workspaceId])],
  )

export const findNextDueSession: NonNullable<WorkSource['nextDue']> = async (
  query: Query,
  workspaceId: string,
) =>
  (
    await query<Pick<SessionRow, 'runAt'>>(
      'select run_at from bot_sessions where workspace_id = $1 order by run_at limit 1',
      [workspaceId],
    )
  )[0]?.runAt

export const alignSessions: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'bot_sessions', waiting: 'true' }, workspaceId, to)
