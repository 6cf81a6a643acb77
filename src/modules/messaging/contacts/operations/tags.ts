/**
 * The tags of a workspace (DECISIONS.md "Tags"). A tag on a contact is stored automatically. Background
 * work applies renamed and removed tags to the contacts.
 */
import type { Context, Unit } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { retagContacts } from '../jobs.ts'
import {
  deleteTagRow,
  findTagByName,
  findTagForUpdate,
  insertTag,
  insertTagChange,
  insertTagsInUse,
  isTagChanging,
  listTagRows,
  type TagInUse,
  type TagRow,
  updateTagColor,
} from '../queries/tags.ts'
import type { NewTag, TagPatch } from '../settings-schema.ts'
import { forgetTag, rememberTag, wasTagSeen } from './known-tags.ts'

const notFound = (): never => refuse('not_found', 'Tag not found. See GET /tags.')

/**
 * Locks by workspace, because the row alone doesn't suffice: a rename inserts a new row, and a transaction
 * that waited for the old row would find none.
 */
async function getTagForUpdate(ctx: Context, id: string): Promise<TagRow> {
  if (!isUuid(id)) return notFound()
  await lockInWorkspace(ctx.tx, ctx.workspace.id, `tag ${id.toLowerCase()}`)
  return (await findTagForUpdate(ctx, id)) ?? notFound()
}

/** Returns one page of tags, newest first. */
export async function listTags(
  ctx: Context,
  page: CursorQuery,
): Promise<{ rows: TagRow[]; nextCursor: string | null }> {
  return cutPage(await listTagRows(ctx, page), page.limit, (row) => row.id)
}

/** Declares a tag. Returns `conflict` when the tag exists. */
export async function declareTag(ctx: Context, { name, color = null }: NewTag): Promise<TagRow> {
  const row = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    name,
    color,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await storeNamed(ctx, row)
  touch(ctx, { tag: row.id })
  return row
}

/** Renames or recolors a tag. A new name is applied to every contact without events (spec 6.3). */
export async function changeTag(ctx: Context, id: string, patch: TagPatch): Promise<TagRow> {
  const before = await getTagForUpdate(ctx, id)
  const after = { ...before, ...patch, color: patch.color === undefined ? before.color : patch.color }
  if (after.name === before.name && after.color === before.color) return before
  const row = { ...after, updatedAt: ctx.now }
  if (row.name === before.name) await updateTagColor(ctx, row)
  else {
    // Insert a new row instead of updating: if another transaction takes the name, the insert waits instead
    // of failing.
    await deleteTagRow(ctx, id)
    await storeNamed(ctx, row)
    forgetTag(ctx.workspace.id, before.name)
    await carryToContacts(ctx, before.name, row.name)
  }
  touch(ctx, { tag: id })
  return row
}

/** Deletes a tag, and removes it from every contact without events (spec 6.3). */
export async function deleteTag(ctx: Context, id: string): Promise<void> {
  const tag = await getTagForUpdate(ctx, id)
  await deleteTagRow(ctx, id)
  forgetTag(ctx.workspace.id, tag.name)
  await carryToContacts(ctx, tag.name, null)
  touch(ctx, { tag: id })
}

async function storeNamed(ctx: Context, row: TagRow): Promise<void> {
  if (await isTagChanging(ctx, row.name))
    refuse(
      'conflict',
      `The deleted tag ${JSON.stringify(row.name)} is still being removed from contacts. Try again shortly.`,
    )
  if (await insertTag(ctx, row)) return
  const existing = await findTagByName(ctx, row.name)
  refuse(
    'conflict',
    `The tag ${JSON.stringify(row.name)} already exists. Choose another name.`,
    existing ? { tagId: existing.id } : {},
  )
}

async function carryToContacts(ctx: Context, oldName: string, newName: string | null): Promise<void> {
  await insertTagChange(ctx, oldName, newName)
  await enqueue(ctx, retagContacts, {})
}

/** Stores the tags that contacts are about to carry. */
export async function recordTagsInUse(unit: Unit, items: { ctx: Context; tags: string[] }[]): Promise<void> {
  const inUse = new Map<string, TagInUse>()
  for (const { ctx, tags } of items)
    for (const name of tags)
      if (!wasTagSeen(ctx.workspace.id, name))
        inUse.set(`${ctx.workspace.id} ${name}`, { workspaceId: ctx.workspace.id, name, at: ctx.now })
  if (inUse.size === 0) return
  const stored = await insertTagsInUse(unit.tx, [...inUse.values()])
  // Tags that this transaction stored may still be rolled back, so only the next write that carries them adds
  // them.
  for (const { workspaceId, name } of stored) rememberTag(workspaceId, name)
}
