/** Saved replies (spec 4.3, 4.10; src/modules/messaging/templates/DECISIONS.md). */
import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { isUuid, newId } from '../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import * as queries from './queries.ts'
import { type NewQuickReply, QUICK_REPLIES_MAX, type QuickReplyPatch } from './schema.ts'

const notFound = (): never => refuse('not_found', 'Saved reply not found. See GET /quick-replies.')

const present = ({ id, shortcut, text, createdAt, updatedAt }: queries.QuickReplyRow) => ({
  id,
  shortcut,
  text,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const keyOf = (shortcut: string): string => shortcut.toLowerCase()

/** Refuses a shortcut of another saved reply than `ownId`, naming that reply. */
async function refuseTaken(ctx: Context, shortcutKey: string, ownId?: string): Promise<void> {
  const existing = await queries.findQuickReplyByShortcut(ctx, shortcutKey)
  if (existing && existing.id !== ownId)
    refuse('conflict', `The saved reply ${existing.id} already has this shortcut. Choose another.`, {
      quickReplyId: existing.id,
    })
}

/** Returns a saved reply, if it exists. */
export const findQuickReply = (ctx: Context, id: string): Promise<{ text: string } | undefined> =>
  queries.findQuickReplyRow(ctx, id.toLowerCase())

/** Returns a page of saved replies, newest first. */
export async function listQuickReplies(ctx: Context, page: CursorQuery) {
  const { rows, nextCursor } = cutPage(
    await queries.listQuickReplyRows(ctx, page),
    page.limit,
    (row) => row.id,
  )
  return { quickReplies: rows.map(present), nextCursor }
}

/**
 * Saves a reply; refuses with `conflict` a shortcut that is in use, and a reply above the workspace's limit.
 */
export async function saveQuickReply(ctx: Context, { shortcut, text }: NewQuickReply) {
  await queries.lockQuickReplies(ctx)
  await refuseTaken(ctx, keyOf(shortcut))
  if (await queries.hasQuickReplies(ctx, QUICK_REPLIES_MAX))
    refuse('conflict', `Saved reply limit reached (${QUICK_REPLIES_MAX}). Delete one first.`)
  const row = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    shortcut,
    shortcutKey: keyOf(shortcut),
    text,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await queries.insertQuickReplyRow(ctx, row)
  touch(ctx, { quickReply: row.id })
  return present(row)
}

export async function changeQuickReply(ctx: Context, id: string, patch: QuickReplyPatch) {
  await queries.lockQuickReplies(ctx)
  const before = (isUuid(id) ? await queries.findQuickReplyForUpdate(ctx, id) : undefined) ?? notFound()
  const shortcut = patch.shortcut ?? before.shortcut
  const after = { ...before, shortcut, shortcutKey: keyOf(shortcut), text: patch.text ?? before.text }
  if (after.shortcut === before.shortcut && after.text === before.text) return present(before)
  await refuseTaken(ctx, after.shortcutKey, before.id)
  const changed = { ...after, updatedAt: ctx.now }
  await queries.updateQuickReplyRow(ctx, changed)
  touch(ctx, { quickReply: changed.id })
  return present(changed)
}

export async function deleteQuickReply(ctx: Context, id: string): Promise<void> {
  if (!isUuid(id) || (await queries.deleteQuickReplyRow(ctx, id)) === 0) notFound()
  touch(ctx, { quickReply: id })
}
