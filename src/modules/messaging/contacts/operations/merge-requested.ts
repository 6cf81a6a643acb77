import type { z } from 'zod'
import { isoOf } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import type { ContactRow } from '../queries/contacts.ts'
import { listMerges, type MergeRecord } from '../queries/merges.ts'
import type { MergedContact } from '../schema.ts'
import { columnOf, getContact } from './find-contact.ts'
import { mergeContacts } from './merge-contacts.ts'

/**
 * Merges the contact that `from` names into the contact that `ref` names. A repeated request changes nothing
 * and returns the same, because the merged contact's keys lead to the kept contact. Returns `not_found`, and
 * refuses a contact of the photo network.
 */
export async function mergeByHand(
  ctx: Context,
  ref: string,
  from: string,
): Promise<{ contact: ContactRow; merged: z.input<typeof MergedContact> }> {
  const kept = await getContact(ctx, ref)
  const merged = await getContact(ctx, from)
  if (kept.id === merged.id) return mergedBefore(ctx, kept, [from, ref])
  if (kept.channel !== 'chat' || merged.channel !== 'chat')
    refuse(
      'conflict',
      "A contact of the photo network has no number and can't be merged with another contact.",
    )
  const [merge] = await mergeContacts(ctx, [{ ctx, keptId: kept.id, mergedId: merged.id }])
  if (merge) return { contact: merge.contact, merged: presentMerge(merge.record) }
  // Another request merged or erased one of them meanwhile.
  await getContact(ctx, from)
  return mergedBefore(ctx, await getContact(ctx, ref), [merged.id, kept.id])
}

/**
 * Returns the merge that made one of `names` lead to the contact; undefined if both names are the contact's
 * own.
 */
async function mergedBefore(ctx: Context, contact: ContactRow, names: string[]) {
  const keys = names.map(async (name) => {
    const [column, value] = (await columnOf(ctx, name)) ?? ['phone', null]
    const phone = column === 'userId' ? `chan:${value}` : value
    return {
      workspaceId: ctx.workspace.id,
      keptId: contact.id,
      ...(column === 'id' ? { id: value, phone: null } : { id: null, phone }),
    }
  })
  const [record] = await listMerges(ctx.tx, await Promise.all(keys))
  if (!record) throw invalid([{ path: 'from', message: 'Must be another contact than the one in the path.' }])
  return { contact, merged: presentMerge(record) }
}

const presentMerge = (record: MergeRecord): z.input<typeof MergedContact> => ({
  contactId: record.id,
  phone: record.phone,
  leadId: record.mergedLeadId,
  keptLeadId: record.leadId,
  conversations: record.conversations,
  mergedAt: isoOf(record.mergedAt),
})
