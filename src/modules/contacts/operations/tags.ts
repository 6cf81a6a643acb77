/**
 * The tags of a workspace (docs/decisions/tags.md). Whatever is put on a contact is known from then on;
 * renaming or removing a tag is carried to the contacts by background work.
 */
import type { Context, Unit } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { touch } from '../../../core/event.ts'
import { isUuid, newId } from '../../../core/ids.ts'
import { enqueue } from '../../../core/job.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import { lockInWorkspace } from '../../../core/workspace-lock.ts'
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
import { forgetTag, rememberTag, wasTagSeen } from './tags-seen.ts'

const missing = (): never => refuse('not_found', 'Tag not found. See GET /tags.')

/** Its row is no lock by itself: a new name stores it anew, and who waited for the old row would find none. */
async function getTagForUpdate(ctx: Context, id: string): Promise<TagRow> {
  if (!isUuid(id)) return missing()
  await lockInWorkspace(ctx.tx, ctx.workspace.id, `tag ${id.toLowerCase()}`)
  return (await findTagForUpdate(ctx, id)) ?? missing()
}

/** One page of tags, newest first. */
export async function listTags(
  ctx: Context,
  page: CursorQuery,
): Promise<{ rows: TagRow[]; nextCursor: string | null }> {
  return cutPage(await listTagRows(ctx, page), page.limit, (row) => row.id)
}

/** Declares a tag; `conflict` when it is known. */
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

/** Renames or recolours a tag; a new name is carried to every contact, silently (spec 6.3). */
export async function changeTag(ctx: Context, id: string, patch: TagPatch): Promise<TagRow> {
  const before = await getTagForUpdate(ctx, id)
  const after = { ...before, ...patch, color: patch.color === undefined ? before.color : patch.color }
  if (after.name === before.name && after.color === before.color) return before
  const row = { ...after, updatedAt: ctx.now }
  if (row.name === before.name) await updateTagColor(ctx, row)
  else {
    // Stored anew rather than updated: a name that another transaction takes meanwhile is waited for, not an error.
    await deleteTagRow(ctx, id)
    await storeNamed(ctx, row)
    forgetTag(ctx.workspace.id, before.name)
    await carryToContacts(ctx, before.name, row.name)
  }
  touch(ctx, { tag: id })
  return row
}

/** Removes a tag, and takes it off every contact, silently (spec 6.3). */
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
  const known = await findTagByName(ctx, row.name)
  refuse(
    'conflict',
    `The tag ${JSON.stringify(row.name)} already exists. Choose another name.`,
    known ? { tagId: known.id } : {},
  )
}

async function carryToContacts(ctx: Context, oldName: string, newName: string | null): Promise<void> {
  await insertTagChange(ctx, oldName, newName)
  await enqueue(ctx, retagContacts, {})
}

/** Makes the tags that contacts are about to carry known to their workspaces. */
export async function noteTagsInUse(unit: Unit, items: { ctx: Context; tags: string[] }[]): Promise<void> {
  const inUse = new Map<string, TagInUse>()
  for (const { ctx, tags } of items)
    for (const name of tags)
      if (!wasTagSeen(ctx.workspace.id, name))
        inUse.set(`${ctx.workspace.id} ${name}`, { workspaceId: ctx.workspace.id, name, at: ctx.now })
  if (inUse.size === 0) return
  const stored = await insertTagsInUse(unit.tx, [...inUse.values()])
  // Those stored by this transaction may yet be rolled back: the next write that carries them sees them.
  for (const { workspaceId, name } of stored) rememberTag(workspaceId, name)
}
