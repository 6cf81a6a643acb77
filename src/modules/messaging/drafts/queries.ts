/** SQL for drafts. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../core/context.ts'
import { db, json } from '../../../database/sql/sql.ts'
import type { Tables } from '../../../database/sql/tables.ts'
import type { NewDraft } from './schema.ts'

export type DraftRow = Omit<Selectable<Tables['drafts']>, 'mode' | 'files'> & Pick<NewDraft, 'mode' | 'files'>

/** The key of a draft: its writer and its chat. */
export type DraftKey = Pick<DraftRow, 'conversationId' | 'memberId'>

export const findDraftRow = (
  ctx: Context,
  { conversationId, memberId }: DraftKey,
): Promise<DraftRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('drafts')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .where('memberId', '=', memberId),
  ) as Promise<DraftRow | undefined>

/** Returns the newest drafts of a member in all chats. */
export const listDraftRows = (ctx: Context, memberId: string, limit: number): Promise<DraftRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('drafts')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .where('memberId', '=', memberId)
      .orderBy('updatedAt', 'desc')
      .limit(limit),
  ) as Promise<DraftRow[]>

/** Stores a draft and replaces the previous one. */
export const upsertDraftRow = (ctx: Context, row: DraftRow): Promise<number> => {
  const written = { text: row.text, mode: row.mode, files: json(row.files), updatedAt: row.updatedAt }
  return ctx.tx.run(
    db
      .insertInto('drafts')
      .values({ ...row, ...written })
      .onConflict((conflict) =>
        conflict.columns(['workspaceId', 'conversationId', 'memberId']).doUpdateSet(written),
      ),
  )
}

export const deleteDraftRow = (ctx: Context, { conversationId, memberId }: DraftKey): Promise<number> =>
  ctx.tx.run(
    db
      .deleteFrom('drafts')
      .where('workspaceId', '=', ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .where('memberId', '=', memberId),
  )
