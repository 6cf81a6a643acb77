/** Saved replies (spec 4.3, 4.10; src/modules/messaging/templates/DECISIONS.md). */
import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { isUuid, newId } from '../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import * as queries from './queries.ts'
import { NewQuickReply, QUICK_REPLIES_MAX, type QuickReplyPatch } from './schema.ts'

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

/** The result of importing a reply. name_clash: another reply has its shortcut. limit: the workspace has no room. */
export type ImportedQuickReply = 'stored' | 'known' | 'invalid' | 'name_clash' | 'limit'

/**
 * Saves replies of another tool, in order, and changes no stored reply. A shortcut that has characters of another
 * kind gets `-` for them. A reply with the same shortcut and text is known.
 */
export async function importQuickReplies(
  ctx: Context,
  replies: { shortcut: string; text: string }[],
): Promise<ImportedQuickReply[]> {
  if (replies.length === 0) return []
  await queries.lockQuickReplies(ctx)
  const parsed = replies.map(({ shortcut, text }) =>
    NewQuickReply.safeParse({ shortcut: shortcutFrom(shortcut), text: text.trim() }),
  )
  const keys = parsed.flatMap(({ data }) => (data ? keyOf(data.shortcut) : []))
  const texts = new Map(
    (await queries.listQuickRepliesByShortcut(ctx, keys)).map((row) => [row.shortcutKey, row.text]),
  )
  let room = QUICK_REPLIES_MAX - (await queries.countQuickReplies(ctx))
  const rows: queries.QuickReplyRow[] = []
  const results = parsed.map(({ data }): ImportedQuickReply => {
    if (!data) return 'invalid'
    const existing = texts.get(keyOf(data.shortcut))
    if (existing !== undefined) return existing === data.text ? 'known' : 'name_clash'
    if (room <= 0) return 'limit'
    room--
    texts.set(keyOf(data.shortcut), data.text)
    const times = { createdAt: ctx.now, updatedAt: ctx.now }
    rows.push({
      workspaceId: ctx.workspace.id,
      id: newId(),
      shortcutKey: keyOf(data.shortcut),
      ...data,
      ...times,
    })
    return 'stored'
  })
  if (rows.length > 0) await queries.insertQuickReplyRows(ctx, rows)
  touch(ctx, { quickReply: rows.map(({ id }) => id) })
  return results
}

const shortcutFrom = (text: string): string =>
  text
    .trim()
    .replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

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
