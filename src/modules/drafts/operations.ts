/** What members have begun to write (docs/decisions/drafts.md). */
import type { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { touch } from '../../core/event.ts'
import { holdConversation } from '../conversations/operations/hold-conversation.ts'
import { getConversation } from '../conversations/operations/read-conversations.ts'
import { type DraftKey, deleteDraftRow, findDraftRow, upsertDraftRow } from './queries.ts'
import type { Draft, NewDraft } from './schema.ts'

const NOTHING: z.input<typeof Draft> = { text: '', mode: 'reply', files: [], updatedAt: null }

async function keyOf(ctx: Context, conversationId: string): Promise<DraftKey> {
  // These endpoints take sessions alone.
  if (ctx.actor.kind !== 'member') throw new Error('a draft belongs to a member')
  const { id } = await getConversation(ctx, conversationId)
  return { conversationId: id, memberId: ctx.actor.memberId }
}

/** The caller's own draft in a chat. Refuses `not_found`. */
export async function readDraft(ctx: Context, conversationId: string): Promise<z.input<typeof Draft>> {
  const row = await findDraftRow(ctx, await keyOf(ctx, conversationId))
  return row ? { ...row, updatedAt: row.updatedAt.toISOString() } : NOTHING
}

/** Keeps the caller's draft; an empty one is none. The last one written counts, whichever device it comes from. */
export async function saveDraft(
  ctx: Context,
  conversationId: string,
  draft: NewDraft,
): Promise<z.input<typeof Draft>> {
  const key = await keyOf(ctx, conversationId)
  touch(ctx, { draft: key.conversationId })
  if (draft.text === '' && draft.files.length === 0) {
    await deleteDraftRow(ctx, key)
    return NOTHING
  }
  // An erasure that is under way takes the draft along.
  await holdConversation(ctx, key.conversationId)
  await upsertDraftRow(ctx, { workspaceId: ctx.workspace.id, ...key, ...draft, updatedAt: ctx.now })
  return { ...draft, updatedAt: ctx.now.toISOString() }
}
