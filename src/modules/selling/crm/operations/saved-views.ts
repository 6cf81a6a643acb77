/**
 * Saved views of leads and of the inbox, shared with the team or private to a member
 * (DECISIONS.md "Lists of leads").
 */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { isSameName } from '../../../../core/resolve.ts'
import type { FilterCondition, LeadFilter } from '../filter-schema.ts'
import {
  countViewRows,
  deleteViewRow,
  findViewRow,
  insertViewRow,
  listViewRows,
  lockViews,
  updateViewRow,
  type ViewRow,
} from '../queries/views.ts'
import {
  type NewSavedView,
  type SavedView,
  type SavedViewPatch,
  VIEWS_MAX,
  type ViewPage,
} from '../view-schema.ts'
import { readLeadWords } from './find-lead.ts'
import { hiddenConditions, namesAsIds, understandFilter } from './understand-filter.ts'

const refuseMissing = (): never => refuse('not_found', 'View not found. See GET /views.')

/** Returns the member whose private views the caller sees. */
function memberOf({ actor }: Context): string | null {
  return actor.kind === 'platform' ? null : actor.memberId
}

const present = (row: ViewRow): z.input<typeof SavedView> => ({
  id: row.id,
  page: row.page,
  name: row.name,
  filter: row.filter,
  chats: row.chats,
  q: row.q,
  sort: row.sort,
  dir: row.dir,
  shared: row.memberId === null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const findAnyView = async (ctx: Context, id: string): Promise<ViewRow | undefined> =>
  isUuid(id) ? findViewRow(ctx, memberOf(ctx), id.toLowerCase()) : undefined

/** Returns the view of leads with that id, if the caller may see it. */
export async function findView(ctx: Context, id: string): Promise<ViewRow | undefined> {
  const view = await findAnyView(ctx, id)
  return view?.page === 'leads' ? view : undefined
}

/** Returns all views of a page that the caller may see, oldest first, at most VIEWS_MAX. */
export async function listViews(ctx: Context, page: ViewPage) {
  return (await listViewRows(ctx, memberOf(ctx), page)).map(present)
}

const OF_OTHER_PAGE = { leads: ['chats'], inbox: ['filter', 'sort', 'dir'] } as const

/** Refuses fields that views of this page don't have. */
function refuseForeign(page: ViewPage, body: SavedViewPatch): void {
  const issues = OF_OTHER_PAGE[page]
    .filter((name) => body[name] !== undefined && body[name] !== null)
    .map((name) => ({ path: name, message: `Must be left out for a view of page ${page}.` }))
  if (issues.length > 0) throw invalid(issues)
}

/** Saves a view. Refusals: `invalid` for an invalid filter, `conflict` for a name in use. */
export async function saveView(ctx: Context, body: NewSavedView) {
  refuseForeign(body.page, body)
  await lockViews(ctx)
  if ((await countViewRows(ctx)) >= VIEWS_MAX)
    refuse('conflict', `Saved view limit reached (${VIEWS_MAX}). Delete one first.`)
  const row: ViewRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    page: body.page,
    memberId: ownerOfView(ctx, body.shared),
    name: body.name,
    filter: await withIds(ctx, body.filter ?? null),
    chats: body.chats ?? null,
    q: body.q ?? null,
    sort: body.sort ?? null,
    dir: body.dir ?? null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await refuseTaken(ctx, row)
  await insertViewRow(ctx, row)
  touch(ctx, { view: row.id })
  return present(row)
}

/** Changes a view. Fields that are not in the patch stay. */
export async function changeView(ctx: Context, id: string, patch: SavedViewPatch) {
  await lockViews(ctx)
  const before = (await findAnyView(ctx, id)) ?? refuseMissing()
  refuseForeign(before.page, patch)
  const shared = patch.shared ?? before.memberId === null
  const row: ViewRow = {
    ...before,
    memberId: ownerOfView(ctx, shared),
    name: patch.name ?? before.name,
    filter: patch.filter === undefined ? before.filter : await withIds(ctx, patch.filter),
    chats: patch.chats === undefined ? before.chats : patch.chats,
    q: patch.q === undefined ? before.q : patch.q,
    sort: patch.sort === undefined ? before.sort : patch.sort,
    dir: patch.dir === undefined ? before.dir : patch.dir,
    updatedAt: ctx.now,
  }
  await refuseTaken(ctx, row)
  await updateViewRow(ctx, row)
  touch(ctx, { view: row.id })
  return present(row)
}

export async function deleteView(ctx: Context, id: string): Promise<void> {
  const { id: viewId } = (await findAnyView(ctx, id)) ?? refuseMissing()
  await deleteViewRow(ctx, viewId)
  touch(ctx, { view: viewId })
}

function ownerOfView(ctx: Context, shared: boolean): string | null {
  if (shared) return null
  return (
    memberOf(ctx) ??
    refuse('invalid', "shared: Must be true, because this key doesn't belong to a member.", {
      issues: [{ path: 'shared', message: "Must be true, because this key doesn't belong to a member." }],
    })
  )
}

async function refuseTaken(ctx: Context, { id, page, memberId, name }: ViewRow): Promise<void> {
  const views = await listViewRows(ctx, memberId, page)
  const other = views.find(
    (view) => view.id !== id && view.memberId === memberId && isSameName(view.name, name),
  )
  if (other)
    refuse('conflict', `The view ${other.id} already has this name. Choose another.`, { viewId: other.id })
}

/** Returns the filter with ids instead of names, so that renaming a stage changes no view. */
async function withIds(ctx: Context, filter: LeadFilter | null): Promise<LeadFilter | null> {
  if (filter === null) return null
  const words = await readLeadWords(ctx)
  const { issues } = understandFilter(ctx, words, filter, 'filter')
  issues.push(...hiddenConditions(ctx, filter, 'filter'))
  if (issues.length > 0) throw invalid(issues)
  const conditions = filter.conditions.map((condition): FilterCondition => namesAsIds(words, condition))
  return { ...filter, conditions }
}
