/** Members' unsent drafts of messages (src/modules/messaging/conversations/DECISIONS.md). */
import type { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { touch } from '../../../core/event.ts'
import { holdConversation } from '../conversations/operations/hold-conversation.ts'
import { getInboxConversation } from '../conversations/operations/read-conversations.ts'
import { type DraftKey, deleteDraftRow, findDraftRow, listDraftRows, upsertDraftRow } from './queries.ts'
import { DRAFTS_MAX, type Draft, type ListedDraft, type NewDraft } from './schema.ts'

const NOTHING: z.input<typeof Draft> = { text: '', mode: 'reply', files: [], updatedAt: null }

function writerOf({ actor }: Context): string {
  // These endpoints accept only sessions.
  if (actor.kind !== 'member') throw new Error('a draft belongs to a member')
  return actor.memberId
}

async function keyOf(ctx: Context, conversationId: string): Promise<DraftKey> {
  const memberId = writerOf(ctx)
  const { id } = await getInboxConversation(ctx, conversationId)
  return { conversationId: id, memberId }
}

/** Returns the caller's own draft in a chat. Refuses `not_found`. */
export async function readDraft(ctx: Context, conversationId: string): Promise<z.input<typeof Draft>> {
  const row = await findDraftRow(ctx, await keyOf(ctx, conversationId))
  return row ? { ...row, updatedAt: row.updatedAt.toISOString() } : NOTHING
}

/** Returns the caller's drafts in all chats, newest first. */
export async function listDrafts(ctx: Context): Promise<z.input<typeof ListedDraft>[]> {
  const rows = await listDraftRows(ctx, writerOf(ctx), DRAFTS_MAX)
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }))
}

/** Stores the caller's draft. An empty draft deletes it. The last write from any device applies. */
export async function saveDraft(
  ctx: Context,
  conversationId: string,
  draft: NewDraft,
): Promise<z.input<typeof Draft>> {
  const key = await keyOf(ctx, conversationId)
  // The notice names the writer of the draft, so that only their pages read it again.
  touch(ctx, { draft: key.memberId })
  if (draft.text === '' && draft.files.length === 0) {
    await deleteDraftRow(ctx, key)
    return NOTHING
  }
  // A concurrent erasure deletes the draft too.
  await holdConversation(ctx, key.conversationId)
  await upsertDraftRow(ctx, { workspaceId: ctx.workspace.id, ...key, ...draft, updatedAt: ctx.now })
  return { ...draft, updatedAt: ctx.now.toISOString() }
}
