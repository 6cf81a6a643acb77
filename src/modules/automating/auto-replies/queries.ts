/** Every statement on auto-replies. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../core/context.ts'
import type { CursorQuery } from '../../../core/paging.ts'
import { instants, uuids } from '../../../database/sql/binary-arrays.ts'
import { db, json, plainList } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import { lockInWorkspace } from '../../../database/sql/workspace-lock.ts'
import type { NewAutoReply } from './schema.ts'

type Shaped = Pick<NewAutoReply, 'kind' | 'reply' | 'match' | 'schedule'>
type StoredRow = Omit<Selectable<Tables['autoReplies']>, keyof Shaped> & Shaped
/** `keywords` are regular expressions if `match` is `regex`. */
export type AutoReplyRow = Omit<StoredRow, 'patterns'>

const COLUMNS = `id, workspace_id, kind, enabled, position, phone_number_ids, reply, keywords, match, days_silent,
  cooldown_minutes, schedule, created_at, updated_at, patterns, valid_from, valid_until`

/** The match in the column beside regular expressions, for earlier versions. */
const MATCH_BESIDE_PATTERNS = 'exact'

const fromStored = ({ patterns, ...row }: StoredRow): AutoReplyRow =>
  patterns === null ? row : { ...row, match: 'regex', keywords: patterns }

const own = (workspaceId: string) =>
  db.selectFrom('autoReplies').selectAll().where('workspaceId', '=', workspaceId)

/** Returns auto-replies, newest first: one row more than the limit, to show whether there is a next page. */
export const listAutoReplyRows = async (
  { tx, workspace }: Context,
  { cursor, limit }: CursorQuery,
): Promise<AutoReplyRow[]> =>
  (
    (await tx.all(
      own(workspace.id)
        .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
        .orderBy('id', 'desc')
        .limit(limit + 1),
    )) as StoredRow[]
  ).map(fromStored)

export const findAutoReply = async (
  { tx, workspace }: Context,
  id: string,
): Promise<AutoReplyRow | undefined> => {
  const row = (await tx.first(own(workspace.id).where('id', '=', id))) as StoredRow | undefined
  return row && fromStored(row)
}

/** Counts the auto-replies, and those with regular expressions. */
export const countAutoReplies = async ({
  tx,
  workspace,
}: Context): Promise<{ count: number; withPatterns: number }> =>
  (await tx.first(
    db
      .selectFrom('autoReplies')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.count<number>('patterns').as('withPatterns'),
      ])
      .where('workspaceId', '=', workspace.id),
  ))!

/** Locks the workspace's auto-replies against other writers until the transaction ends. */
export const lockAutoReplies = (ctx: Context): Promise<unknown> =>
  lockInWorkspace(ctx.tx, ctx.workspace.id, 'auto-replies')

/** Inserts or replaces an auto-reply. */
export const upsertAutoReply = ({ tx }: Context, row: AutoReplyRow): Promise<unknown> =>
  tx.sql(
    `insert into auto_replies (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6::uuid[], $7, $8::text[], $9, $10, $11, $12, $13, $14, $15::text[], $16, $17)
     on conflict (workspace_id, id) do update set
       enabled = excluded.enabled, position = excluded.position, phone_number_ids = excluded.phone_number_ids,
       reply = excluded.reply, keywords = excluded.keywords, match = excluded.match, days_silent = excluded.days_silent,
       cooldown_minutes = excluded.cooldown_minutes, schedule = excluded.schedule, updated_at = excluded.updated_at,
       patterns = excluded.patterns, valid_from = excluded.valid_from, valid_until = excluded.valid_until`,
    [
      row.id,
      row.workspaceId,
      row.kind,
      row.enabled,
      row.position,
      row.phoneNumberIds,
      json(row.reply),
      row.match === 'regex' ? [] : row.keywords,
      row.match === 'regex' ? MATCH_BESIDE_PATTERNS : row.match,
      row.daysSilent,
      row.cooldownMinutes,
      row.schedule,
      row.createdAt,
      row.updatedAt,
      row.match === 'regex' ? row.keywords : null,
      row.validFrom,
      row.validUntil,
    ],
  )

export const deleteAutoReplyRow = (ctx: Context, id: string): Promise<number> =>
  ctx.tx.run(db.deleteFrom('autoReplies').where('workspaceId', '=', ctx.workspace.id).where('id', '=', id))

/** Returns the active auto-replies of several workspaces, in the order of their check. */
export const listEnabled = async (tx: Tx, workspaceIds: string[], kinds: string[]): Promise<AutoReplyRow[]> =>
  (
    await tx.sql<StoredRow>(
      `select ${COLUMNS} from auto_replies
       where workspace_id = any($1::uuid[]) and enabled and kind = any($2::text[]) order by position, id`,
      [uuids(workspaceIds), plainList(kinds)],
    )
  ).map(fromStored)

/** Returns all auto-replies, each kind in the order of its check. */
export const listInOrder = async ({ tx, workspace }: Context): Promise<AutoReplyRow[]> =>
  ((await tx.all(own(workspace.id).orderBy('position').orderBy('id'))) as StoredRow[]).map(fromStored)

type UseRow = Selectable<Tables['autoReplyUses']>
export type Use = Pick<UseRow, 'workspaceId' | 'conversationId' | 'autoReplyId'> &
  Pick<AutoReplyRow, 'cooldownMinutes'> & { at: Date }

/**
 * Records that chats get replies now, each pair at most once, and returns the pairs that are not in their
 * cooldown.
 */
export async function claimUses(
  tx: Tx,
  uses: Use[],
): Promise<Pick<UseRow, 'conversationId' | 'autoReplyId'>[]> {
  const keys = [
    uuids(uses.map((use) => use.workspaceId)),
    uuids(uses.map((use) => use.conversationId)),
    uuids(uses.map((use) => use.autoReplyId)),
  ]
  const [, claimed] = await Promise.all([
    tx.sql(
      `insert into auto_reply_uses (workspace_id, conversation_id, auto_reply_id, sent_at)
       select workspace_id, conversation_id, auto_reply_id, '-infinity' from unnest($1::uuid[], $2::uuid[], $3::uuid[])
         as n (workspace_id, conversation_id, auto_reply_id)
       order by workspace_id, conversation_id, auto_reply_id
       on conflict (workspace_id, conversation_id, auto_reply_id) do nothing`,
      keys,
    ),
    tx.sql<Pick<UseRow, 'conversationId' | 'autoReplyId'>>(
      `update auto_reply_uses u set sent_at = n.at
       from (
         select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::int4[])
           as n (workspace_id, conversation_id, auto_reply_id, at, minutes)
         order by workspace_id, conversation_id, auto_reply_id
       ) n
       where u.workspace_id = n.workspace_id and u.conversation_id = n.conversation_id and u.auto_reply_id = n.auto_reply_id
         and u.sent_at <= after_ms(n.at, n.minutes * -60000::float8)
       returning u.conversation_id, u.auto_reply_id`,
      [...keys, instants(uses.map((use) => use.at)), plainList(uses.map((use) => use.cooldownMinutes))],
    ),
  ])
  return claimed
}
