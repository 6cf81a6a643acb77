import type { Context, Unit } from '../../../../core/context.ts'
import { type ContactRow, lockContactsById, updateContactRows } from '../queries/contacts.ts'
import { OPT_IN_SOURCE_MAX } from '../schema.ts'
import { findByRequestedId } from './find-contact.ts'

/**
 * A customer's own decision about messages, and when they gave it. `lifted` is START and similar keywords,
 * which mean nothing without an opt-out. `opted_in` is an explicit consent. `source` is stored as the
 * contact's optInSource.
 */
export type ConsentWord = {
  ctx: Context
  contactId: string
  word: 'opted_out' | 'lifted' | 'opted_in'
  source: string
  at: Date
}

/**
 * Stores customers' own decisions (DECISIONS.md "Contacts"). The API can't lift their opt-out. The latest
 * decision applies, in any order of arrival. Fires no event, because no person in the business made the
 * change (spec 6.3).
 */
export async function recordConsent(unit: Unit, words: ConsentWord[]): Promise<void> {
  if (words.length === 0) return
  const keys = words.map(({ ctx, contactId }) => ({ workspaceId: ctx.workspace.id, contactId }))
  const rows = await findByRequestedId(unit, keys, lockContactsById)
  const changed = new Map<string, ContactRow>()
  for (const word of words) {
    const row = rows.get(word.contactId)
    const before = row && (changed.get(row.id) ?? row)
    const after = before && applyDecision(before, word)
    if (after && after !== before) changed.set(after.id, after)
  }
  if (changed.size > 0) await updateContactRows(unit.tx, [...changed.values()])
}

/** Returns whether the contact already has the state that the decision sets. */
const isSettled = (contact: ContactRow, word: ConsentWord['word']): boolean =>
  word === 'opted_out'
    ? contact.refusedByCustomer
    : word === 'lifted'
      ? contact.optInStatus !== 'opted_out'
      : contact.optInStatus === 'opted_in'

/** Returns the contact after the decision, and the same row if the decision changes nothing. */
function applyDecision(contact: ContactRow, { ctx, word, source, at }: ConsentWord): ContactRow {
  const decidedAt = at > ctx.now ? ctx.now : at
  const earlier = contact.consentAt !== null && decidedAt < contact.consentAt
  // If the customer lifted an opt-out before we received the opt-out, the result is an opt-in. Other earlier
  // decisions no longer apply.
  const lifted = word === 'opted_out' && !contact.refusedByCustomer && contact.optInStatus === 'unknown'
  if (earlier && !lifted) return contact
  const decision = earlier ? 'opted_in' : word
  const consentAt = earlier ? contact.consentAt : decidedAt
  if (isSettled(contact, decision))
    return consentAt?.getTime() === contact.consentAt?.getTime() ? contact : { ...contact, consentAt }
  return {
    ...contact,
    optInStatus: decision === 'opted_out' ? 'opted_out' : 'opted_in',
    refusedByCustomer: decision === 'opted_out',
    optInSource: source.slice(0, OPT_IN_SOURCE_MAX),
    consentAt,
    updatedAt: ctx.now,
  }
}
