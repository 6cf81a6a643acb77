/** Saved segments (spec 4.10; DECISIONS.md "Audiences"). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import type { ContactCondition } from '../../contacts/operations/list-contacts.ts'
import { mayWalkContacts, requireContactWalk } from '../../contacts/operations/walk-contacts.ts'
import { countMatched, countReachable, resolveSegment } from '../audience.ts'
import {
  deleteSegmentRow,
  findSegment,
  findSegmentByName,
  findSegmentForUpdate,
  hasSegments,
  insertSegmentRow,
  listSegmentRows,
  lockSegments,
  type SegmentRow,
  updateSegmentRow,
} from '../queries/segments.ts'
import type { NewSegment, SegmentDefinition, SegmentPatch } from '../segment-schema.ts'

/** The limit of saved segments in a workspace. */
const MAX_SEGMENTS = 1_000

const notFound = (): never => refuse('not_found', 'Segment not found. See GET /segments.')

const present = (row: SegmentRow) => ({
  id: row.id,
  name: row.name,
  segment: row.definition,
  matched: row.matched,
  matchedAt: row.matchedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Refuses a name that a segment other than `ownId` has, and names that segment. */
async function refuseTaken(ctx: Context, name: string, ownId?: string): Promise<void> {
  const existing = await findSegmentByName(ctx, name)
  if (existing && existing.id !== ownId)
    refuse('conflict', `The segment ${existing.id} already has this name. Choose another.`, {
      segmentId: existing.id,
    })
}

/** Counts a segment. Returns undefined while too many requests read this workspace's many contacts. */
const count = async (ctx: Context, definition: SegmentDefinition) =>
  (await mayWalkContacts(ctx.tx, ctx.workspace.id))
    ? { matched: await countMatched(ctx, definition), matchedAt: ctx.now }
    : undefined

/**
 * Counts the contacts of conditions that are not saved. Refuses `invalid_reference` for unknown contacts, and
 * `rate_limited` while too many requests count this workspace's many contacts.
 */
export async function countSegment(ctx: Context, segment: SegmentDefinition) {
  await requireContactWalk(ctx)
  return countReachable(ctx, await resolveSegment(ctx, segment))
}

/** Returns a page of segments, newest first, with the counts from their last save. */
export async function listSegments(ctx: Context, page: CursorQuery) {
  const { rows, nextCursor } = cutPage(await listSegmentRows(ctx, page), page.limit, (row) => row.id)
  return { segments: rows.map(present), nextCursor }
}

/** Returns a segment with its current count. The count is not stored, because a read changes nothing. */
export async function readSegment(ctx: Context, id: string) {
  const row = (isUuid(id) ? await findSegment(ctx.tx, ctx.workspace.id, id) : undefined) ?? notFound()
  return present({ ...row, ...(await count(ctx, row.definition)) })
}

/** Returns a saved segment as a condition for the list of contacts. Refuses `not_found`. */
export async function segmentAsCondition(ctx: Context, id: string): Promise<ContactCondition> {
  const { definition } = (await findSegment(ctx.tx, ctx.workspace.id, id)) ?? notFound()
  const { contactIds, lastSeenWithinDays, ...others } = definition
  return {
    ...others,
    ids: contactIds,
    seenSince: lastSeenWithinDays === undefined ? undefined : later(ctx.now, -lastSeenWithinDays * DAY_MS),
  }
}

/**
 * Saves a segment. Refuses `conflict` for a taken name or at the limit, and `invalid_reference` for unknown
 * contacts.
 */
export async function saveSegment(ctx: Context, { name, segment }: NewSegment) {
  const definition = await resolveSegment(ctx, segment)
  const counted = (await count(ctx, definition)) ?? { matched: null, matchedAt: null }
  await lockSegments(ctx)
  await refuseTaken(ctx, name)
  if (await hasSegments(ctx, MAX_SEGMENTS))
    refuse('conflict', `Segment limit reached (${MAX_SEGMENTS}). Delete one first.`)
  const row = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    name,
    definition,
    ...counted,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await insertSegmentRow(ctx, row)
  touch(ctx, { segment: row.id })
  return present(row)
}

/** Changes a segment; `segment` replaces the whole definition. Existing campaigns keep their definition. */
export async function changeSegment(ctx: Context, id: string, patch: SegmentPatch) {
  const definition = patch.segment && (await resolveSegment(ctx, patch.segment))
  const counted = definition && ((await count(ctx, definition)) ?? { matched: null, matchedAt: null })
  await lockSegments(ctx)
  const before = (isUuid(id) ? await findSegmentForUpdate(ctx, id) : undefined) ?? notFound()
  const name = patch.name ?? before.name
  await refuseTaken(ctx, name, before.id)
  if (name === before.name && definition === undefined) return present(before)
  const row = { ...before, name, definition: definition ?? before.definition, ...counted, updatedAt: ctx.now }
  await updateSegmentRow(ctx, row)
  touch(ctx, { segment: row.id })
  return present(row)
}

/** Deletes a segment. Existing campaigns do not change. */
export async function deleteSegment(ctx: Context, id: string): Promise<void> {
  if (!isUuid(id) || (await deleteSegmentRow(ctx, id)) === 0) notFound()
  touch(ctx, { segment: id })
}
