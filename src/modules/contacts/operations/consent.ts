import type { Context, Unit } from '../../../core/context.ts'
import { type ContactRow, lockContactsById, updateContactRows } from '../queries/contacts.ts'
import { OPT_IN_SOURCE_MAX } from '../schema.ts'
import { byAskedId } from './find-contact.ts'

/**
 * A customer's own word on being written to, and when they gave it. `lifted` is START and its kin, which say nothing
 * where there is nothing to lift; `opted_in` is said in so many words. `source` is kept as the contact's optInSource.
 */
export type ConsentWord = {
  ctx: Context
  contactId: string
  word: 'opted_out' | 'lifted' | 'opted_in'
  source: string
  at: Date
}

/**
 * Writes down customers' own words (docs/decisions/consent.md): after an opt-out the API cannot lift it; what
 * a customer said later counts, in whatever order the words come in. Silent: no person of the business did it (spec 6.3).
 */
export async function recordConsent(unit: Unit, words: ConsentWord[]): Promise<void> {
  if (words.length === 0) return
  const keys = words.map(({ ctx, contactId }) => ({ workspaceId: ctx.workspace.id, contactId }))
  const rows = await byAskedId(unit, keys, lockContactsById)
  const changed = new Map<string, ContactRow>()
  for (const word of words) {
    const row = rows.get(word.contactId)
    const before = row && (changed.get(row.id) ?? row)
    const after = before && afterWord(before, word)
    if (after && after !== before) changed.set(after.id, after)
  }
  if (changed.size > 0) await updateContactRows(unit.tx, [...changed.values()])
}

/** Whether the contact says already what the word says. */
const isSettled = (contact: ContactRow, word: ConsentWord['word']): boolean =>
  word === 'opted_out'
    ? contact.refusedByCustomer
    : word === 'lifted'
      ? contact.optInStatus !== 'opted_out'
      : contact.optInStatus === 'opted_in'

/** The contact after the word; the very same row when the word changes nothing. */
function afterWord(contact: ContactRow, { ctx, word, source, at }: ConsentWord): ContactRow {
  const said = at > ctx.now ? ctx.now : at
  const earlier = contact.consentAt !== null && said < contact.consentAt
  // An opt-out that was lifted before we heard of it ends as an opt-in; other earlier words are over.
  const lifted = word === 'opted_out' && !contact.refusedByCustomer && contact.optInStatus === 'unknown'
  if (earlier && !lifted) return contact
  const heard = earlier ? 'opted_in' : word
  const consentAt = earlier ? contact.consentAt : said
  if (isSettled(contact, heard))
    return consentAt?.getTime() === contact.consentAt?.getTime() ? contact : { ...contact, consentAt }
  return {
    ...contact,
    optInStatus: heard === 'opted_out' ? 'opted_out' : 'opted_in',
    refusedByCustomer: heard === 'opted_out',
    optInSource: source.slice(0, OPT_IN_SOURCE_MAX),
    consentAt,
    updatedAt: ctx.now,
  }
}
