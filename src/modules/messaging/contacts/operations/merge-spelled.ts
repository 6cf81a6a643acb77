import type { Context } from '../../../../core/context.ts'
import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
import { listContactsByKey } from '../queries/contacts.ts'
import { listSpelledPhones } from '../queries/stored-numbers.ts'
import { indexContacts, place } from './contact-index.ts'
import { queueMerges } from './spellings.ts'

/** Contacts per step. */
const MAX_STEP = 1_000

/**
 * Merges contacts that an earlier version stored under several spellings of one number. Processes one step,
 * in the order of numbers after `after`. Returns where the next step starts; undefined after the last step.
 */
export async function mergeSpelledContacts(ctx: Context, after: string): Promise<string | undefined> {
  const workspaceId = ctx.workspace.id
  const phones = await listSpelledPhones(ctx.tx, { workspaceId, after, limit: MAX_STEP })
  const spelled = phones.flatMap((phone) => otherSpellings(phone).map((spelling) => ({ phone, spelling })))
  const keys = spelled.flatMap(({ phone, spelling }) => [phone, spelling])
  const index = indexContacts(
    await listContactsByKey(
      ctx.tx,
      [...new Set(keys)].map((phone) => ({ workspaceId, phone, userId: null })),
    ),
  )
  const pairs = spelled.flatMap(({ phone, spelling }) => {
    // Each pair is found from both sides.
    if (phone > spelling) return []
    const [contact, other] = [phone, spelling].map((key) => index.byPhone.get(place(workspaceId, key)))
    return contact && other ? [{ ctx, contact, other }] : []
  })
  await queueMerges(pairs)
  return phones.length < MAX_STEP ? undefined : phones.at(-1)
}
