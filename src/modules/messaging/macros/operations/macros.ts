/** Creates, changes, deletes, and lists macros (DECISIONS.md). */
import type { Context } from '../../../../core/context.ts'
import { invalidReference, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import * as queries from '../queries.ts'
import { MACROS_MAX, type MacroPatch, type NewMacro } from '../schema.ts'
import { findMissingParts } from './missing-parts.ts'

const notFound = (): never => refuse('not_found', 'Macro not found. See GET /macros.')

const present = ({ id, name, actions, createdAt, updatedAt }: queries.MacroRow) => ({
  id,
  name,
  actions,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const keyOf = (name: string): string => name.toLowerCase()

/** Refuses a name of another macro than `ownId`, naming that macro. */
async function refuseTaken(ctx: Context, nameKey: string, ownId?: string): Promise<void> {
  const existing = await queries.findMacroByName(ctx, nameKey)
  if (existing && existing.id !== ownId)
    refuse('conflict', `The macro ${existing.id} already has this name. Choose another.`, {
      macroId: existing.id,
    })
}

/** Refuses (`invalid_reference`) actions that name a missing reply, team, or member. */
async function checkActions(ctx: Context, actions: NewMacro['actions']): Promise<void> {
  // A tag may be new: it is stored when the macro adds it for the first time.
  const missing = await findMissingParts(ctx, { ...actions, addTags: undefined, removeTags: undefined })
  if (missing.length > 0) throw invalidReference(missing)
}

/** Returns a page of macros, newest first. */
export async function listMacros(ctx: Context, page: CursorQuery) {
  const { rows, nextCursor } = cutPage(await queries.listMacroRows(ctx, page), page.limit, (row) => row.id)
  return { macros: rows.map(present), nextCursor }
}

/** Saves a macro. Refuses `conflict` for a name that is in use, and above the workspace's limit. */
export async function saveMacro(ctx: Context, { name, actions }: NewMacro) {
  await checkActions(ctx, actions)
  await queries.lockMacros(ctx)
  await refuseTaken(ctx, keyOf(name))
  if (await queries.hasMacros(ctx, MACROS_MAX))
    refuse('conflict', `Macro limit reached (${MACROS_MAX}). Delete one first.`)
  const row = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    name,
    nameKey: keyOf(name),
    actions,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await queries.insertMacroRow(ctx, row)
  touch(ctx, { macro: row.id })
  return present(row)
}

export async function changeMacro(ctx: Context, id: string, patch: MacroPatch) {
  if (patch.actions) await checkActions(ctx, patch.actions)
  await queries.lockMacros(ctx)
  const before = await getMacro(ctx, id)
  if (patch.name === undefined && patch.actions === undefined) return present(before)
  const name = patch.name ?? before.name
  const after = {
    ...before,
    name,
    nameKey: keyOf(name),
    actions: patch.actions ?? before.actions,
    updatedAt: ctx.now,
  }
  await refuseTaken(ctx, after.nameKey, before.id)
  await queries.updateMacroRow(ctx, after)
  touch(ctx, { macro: after.id })
  return present(after)
}

/** Returns a macro. Refuses with `not_found`. */
export const getMacro = async (ctx: Context, id: string): Promise<queries.MacroRow> =>
  (isUuid(id) ? await queries.findMacroRow(ctx, id.toLowerCase()) : undefined) ?? notFound()

export async function deleteMacro(ctx: Context, id: string): Promise<void> {
  if (!isUuid(id) || (await queries.deleteMacroRow(ctx, id)) === 0) notFound()
  touch(ctx, { macro: id })
}
