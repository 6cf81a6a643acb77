/** Records which tags contacts get and lose, for the threads of their chats. */
import type { Context, Unit } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { columnsOfSource, sourceOf } from '../../../../core/source.ts'
import { insertTagChanges, listTagChangeRows, type TagChangeRow } from '../queries/contact-tags.ts'
import type { ContactRow } from '../queries/contacts.ts'

type Tagged = { ctx: Context; before: Pick<ContactRow, 'tags'>; after: Pick<ContactRow, 'id' | 'tags'> }

/** Returns the tags that changes add and remove. */
const tagChangesOf = (changes: readonly Tagged[]): TagChangeRow[] =>
  changes.flatMap(({ ctx, before, after }) => {
    const row = (tag: string, added: boolean): TagChangeRow => ({
      workspaceId: ctx.workspace.id,
      id: newId(),
      contactId: after.id,
      tag,
      added,
      ...columnsOfSource(sourceOf(ctx)),
      createdAt: ctx.now,
    })
    return [
      ...after.tags.filter((tag) => !before.tags.includes(tag)).map((tag) => row(tag, true)),
      ...before.tags.filter((tag) => !after.tags.includes(tag)).map((tag) => row(tag, false)),
    ]
  })

/** Records the tags that changes add and remove, in their transaction. */
export const recordTagChanges = (unit: Unit, changes: readonly Tagged[]): Promise<unknown> => {
  const rows = tagChangesOf(changes)
  return rows.length === 0 ? Promise.resolve() : insertTagChanges(unit.tx, rows)
}

/** Returns at most `limit` + 1 changes of a contact's tags, newest first, for other modules. */
export const listTagChanges = (ctx: Context, contactId: string, page: CursorQuery): Promise<TagChangeRow[]> =>
  listTagChangeRows(ctx, contactId, page)
