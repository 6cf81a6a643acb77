/**
 * Merges contacts of one person (DECISIONS.md "Merges"). The kept contact keeps its id and takes
 * over all data of the merged contact, whose keys lead to the kept contact from then on.
 */
import { isoOf } from '../../../../core/clock.ts'
import type { Context, Unit } from '../../../../core/context.ts'
import { emit } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { INTAKE_TURN, lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { actingPerson } from '../../../platform/workspaces/operations/acting-person.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { listTeams } from '../../../platform/workspaces/operations/workspace-members.ts'
import { contactMerged } from '../events.ts'
import { saveMergedNames } from '../queries/aliases.ts'
import { type ContactRow, lockErasures, updateContactRows } from '../queries/contacts.ts'
import {
  deleteMergedContacts,
  freeMergedKeys,
  insertMerges,
  listMerges,
  lockContactsForMerge,
  type MergeRecord,
} from '../queries/merges.ts'
import { ATTRIBUTES_MAX, nameOf, TAGS_MAX } from '../schema.ts'
import { countContacts, lockContactRoom, settleContactRoom } from './contact-room.ts'
import { findKeptIds } from './find-contact.ts'
import { ATTRIBUTES_BYTES_MAX } from './merge-attributes.ts'
import { mergedRow, namesOfMerged, withNote } from './merge-rules.ts'

/** Two contacts of one person, by our ids. The id of a merged contact leads to its kept contact. */
export type MergeItem = { ctx: Context; keptId: string; mergedId: string }

/** A completed merge: the current contact, and a record of the changes. */
export type Merge = { contact: ContactRow; record: MergeRecord }

type Pair = { place: number; ctx: Context; kept: ContactRow; merged: ContactRow }

const LIMITS = { tags: TAGS_MAX, attributes: ATTRIBUTES_MAX, bytes: ATTRIBUTES_BYTES_MAX }

/**
 * Merges contacts in order; later items see the results of earlier items. Returns one result per item:
 * undefined if both are the same contact already, one is missing, or one is of the photo network and so has
 * no number.
 *
 * Call it before the transaction takes other locks. It waits for the intake and prevents erasures and
 * campaigns, as an erasure does. During a batch, put `mergeTwoContacts` in the queue instead (jobs.ts).
 */
export async function mergeContacts(unit: Unit, items: MergeItem[]): Promise<(Merge | undefined)[]> {
  const done: (Merge | undefined)[] = items.map(() => undefined)
  if (items.length === 0) return done
  const workspaces = [...new Map(items.map(({ ctx }) => [ctx.workspace.id, ctx])).values()].sort((a, b) =>
    a.workspace.id < b.workspace.id ? -1 : 1,
  )
  await Promise.all(
    workspaces.flatMap((ctx) => [
      lockInWorkspace(ctx.tx, ctx.workspace.id, INTAKE_TURN),
      lockErasures(ctx, { shared: false }),
    ]),
  )
  const room = await lockContactRoom(
    unit,
    workspaces.map(({ workspace }) => workspace),
  )
  let left: Placed[] = items.map((item, place) => ({ ...item, place }))
  while (left.length > 0) {
    const { first, others } = firstOfEach(await withPresentIds(unit, left))
    const pairs = await lockPairs(unit, first)
    if (pairs.length > 0)
      for (const [i, merge] of (await mergePairs(unit, pairs)).entries()) done[pairs[i]!.place] = merge
    for (const { ctx } of pairs) countContacts(room, ctx.workspace.id, -1)
    left = others
  }
  await settleContactRoom(unit, room)
  return done
}

type Placed = MergeItem & { place: number }

const keysOf = ({ ctx, keptId, mergedId }: MergeItem) =>
  [keptId, mergedId].map((contactId) => ({ workspaceId: ctx.workspace.id, contactId }))

async function withPresentIds(unit: Unit, items: Placed[]): Promise<Placed[]> {
  const present = await findKeptIds(unit, items.flatMap(keysOf))
  const idOf = (id: string) => present.get(id) ?? id
  return items.map((item) => ({ ...item, keptId: idOf(item.keptId), mergedId: idOf(item.mergedId) }))
}

/** Returns items that share no contact, and the remaining items, which run after them. */
function firstOfEach(items: Placed[]): { first: Placed[]; others: Placed[] } {
  const used = new Set<string>()
  const first: Placed[] = []
  const others: Placed[] = []
  for (const item of items) {
    const isFree = !used.has(item.keptId) && !used.has(item.mergedId)
    ;(isFree ? first : others).push(item)
    used.add(item.keptId).add(item.mergedId)
  }
  return { first, others }
}

/** Locks the contacts of the items. Pairs that can't be merged are left out. */
async function lockPairs(unit: Unit, items: Placed[]): Promise<Pair[]> {
  const locked = await lockContactsForMerge(unit.tx, items.flatMap(keysOf))
  const rows = new Map(locked.map((row) => [row.id, row]))
  return items.flatMap(({ place, ctx, keptId, mergedId }) => {
    const [kept, merged] = [rows.get(keptId), rows.get(mergedId)]
    const isPair = kept?.channel === 'chat' && merged?.channel === 'chat' && keptId !== mergedId
    return isPair ? [{ place, ctx, kept, merged }] : []
  })
}

async function mergePairs(unit: Unit, pairs: Pair[]): Promise<Merge[]> {
  const teams = await listTeams(unit.tx, [...new Set(pairs.map(({ ctx }) => ctx.workspace.id))])
  const planned = pairs.map((pair) => ({ ...pair, ...mergedRow(pair.kept, pair.merged, pair.ctx.now) }))
  const merges = planned.map(({ ctx, kept, merged }) => ({
    workspaceId: ctx.workspace.id,
    id: merged.id,
    keptId: kept.id,
    phone: merged.phone,
    mergedAt: ctx.now,
  }))
  const notes = Object.fromEntries(
    planned.map(({ ctx, merged, lines }) => [
      merged.id,
      {
        id: newId(),
        actor: actingPerson(ctx, teams),
        via: ctx.via,
        head: `Merged with ${merged.phone}.`,
        lines,
      },
    ]),
  )
  await insertMerges(unit.tx, merges, { limits: LIMITS, notes })
  await freeMergedKeys(unit.tx, merges)
  await updateContactRows(
    unit.tx,
    planned.map(({ row }) => row),
  )
  await saveMergedNames(
    unit.tx,
    planned.flatMap(({ ctx, row, merged }) =>
      namesOfMerged(row, merged).map((name) => ({
        ...name,
        workspaceId: ctx.workspace.id,
        contactId: row.id,
        createdAt: ctx.now,
      })),
    ),
    planned.map(({ row }) => row),
  )
  await deleteMergedContacts(unit.tx, merges)
  const records = new Map((await listMerges(unit.tx, merges)).map((record) => [record.id, record]))
  const done = planned.map((plan) => ({ ...plan, record: records.get(plan.merged.id)! }))
  const unnoted = done.filter(({ record, lines }) => lines.length > 0 && !record.leadId && !record.hasChat)
  const noted = new Map(unnoted.map(({ row, merged, lines }) => [row.id, withNote(row, merged.phone, lines)]))
  if (noted.size > 0) await updateContactRows(unit.tx, [...noted.values()])
  await Promise.all(
    planned.map(({ ctx, row, merged }) =>
      recordActivity(ctx, 'contact.merged', { contactId: row.id, mergedContactId: merged.id }),
    ),
  )
  return done.map(({ ctx, row, record }) => {
    const contact = noted.get(row.id) ?? row
    announceMerge(ctx, contact, record)
    return { contact, record }
  })
}

function announceMerge(ctx: Context, contact: ContactRow, record: MergeRecord): void {
  emit(
    ctx,
    contactMerged,
    {
      contactId: contact.id,
      phone: contact.phone,
      name: nameOf(contact),
      mergedContactId: record.id,
      mergedPhone: record.phone,
      leadId: record.leadId,
      mergedLeadId: record.mergedLeadId,
      conversations: record.conversations.map(({ id, keptId }) => ({
        conversationId: keptId,
        mergedConversationId: id,
      })),
      via: ctx.via === 'api' || ctx.via === 'dashboard' ? ctx.via : 'platform',
      mergedAt: isoOf(record.mergedAt),
    },
    { contactId: contact.id },
  )
}
