/** Contacts of messages of the past (src/modules/messaging/messages/DECISIONS.md "Past messages"). */
import type { Context } from '../../../../core/context.ts'
import { listContactsByPhoneForUpdate } from '../queries/contacts.ts'
import {
  fillPastContacts,
  fillPastDetailRows,
  type PastDetails,
  type PastFacts,
} from '../queries/past-contacts.ts'
import { listStoredNumbers } from '../queries/stored-numbers.ts'
import { ATTRIBUTES_MAX, TAGS_MAX } from '../schema.ts'
import { attributesRefusal, readFieldRules } from './field-rules.ts'
import { findOrCreateContacts } from './find-or-create.ts'
import { upsertInboundContacts } from './inbound-contacts.ts'
import { beginContact } from './new-contact.ts'
import { recordTagsInUse } from './tags.ts'

/** The longest name of a contact, in characters. */
const MAX_NAME = 200

/** A customer of a past message: a number (E.164), a chat-network user id, or both. `seenAt`: when they wrote; null: we did. */
export type PastPerson = {
  phone?: string | undefined
  userId?: string | undefined
  name?: string | undefined
  seenAt: Date | null
}

type Placed = { contactIds: (string | undefined)[]; created: number }

/**
 * Finds or stores the contact of each person, without an event. Names fill contacts that have none, and the last-seen time only
 * rises. Returns the contact ids in order; undefined for a new number past the plan's limit. Contacts with a user id come from
 * the operator: they are stored regardless of the limit, as contacts who write are. `ctx.via` must be `import`.
 */
export async function findOrCreatePastContacts(ctx: Context, people: PastPerson[]): Promise<Placed> {
  const contactIds: (string | undefined)[] = new Array(people.length)
  const created = new Set<string>()
  const byOperator = [...people.entries()].filter(([, { userId }]) => userId !== undefined)
  const byNumber = [...people.entries()].filter(([, { userId }]) => userId === undefined)
  if (byNumber.length > 0) {
    const found = await findOrCreateContacts(
      ctx,
      byNumber.map(([, { phone }]) => ({ ctx, fresh: beginContact(ctx, phone!, null) })),
      { alone: true },
    )
    for (const [i, [index]] of byNumber.entries()) {
      const answer = found[i]!
      if (answer === 'full') continue
      contactIds[index] = answer.contact.id
      if (answer.created) created.add(answer.contact.id)
    }
  }
  if (byOperator.length > 0) {
    const found = await upsertInboundContacts(
      ctx,
      byOperator.map(([, { phone, userId }]) => ({
        ctx,
        phone: phone ?? null,
        userId: userId!,
        username: null,
        profileName: null,
        at: null,
        source: 'inbound_message',
      })),
    )
    for (const [i, [index]] of byOperator.entries()) {
      contactIds[index] = found[i]!.contact.id
      if (found[i]!.created) created.add(found[i]!.contact.id)
    }
  }
  const facts = factsOf(people, contactIds)
  if (facts.length > 0) await fillPastContacts(ctx, facts)
  return { contactIds, created: created.size }
}

/** Returns for each contact its first name, and its latest time. */
function factsOf(people: PastPerson[], contactIds: (string | undefined)[]): PastFacts[] {
  const facts = new Map<string, PastFacts>()
  for (const [i, { name, seenAt }] of people.entries()) {
    const contactId = contactIds[i]
    if (contactId === undefined) continue
    const fact = facts.get(contactId) ?? { contactId, name: null, seenAt: null }
    const short = Array.from((name ?? '').trim())
      .slice(0, MAX_NAME)
      .join('')
    if (fact.name === null && short !== '') fact.name = short
    if (seenAt !== null && (fact.seenAt === null || fact.seenAt < seenAt)) fact.seenAt = seenAt
    facts.set(contactId, fact)
  }
  return [...facts.values()].filter(({ name, seenAt }) => name !== null || seenAt !== null)
}

/**
 * Fills custom fields that contacts lack, and adds tags, as far as a contact has room. The transaction has locked the contacts.
 * Returns the details whose values do not match the declared fields: their tags are added only.
 */
export async function fillPastDetails<Details extends PastDetails>(
  ctx: Context,
  details: Details[],
): Promise<Details[]> {
  const filled = details.filter(
    ({ attributes, tags }) => Object.keys(attributes).length > 0 || tags.length > 0,
  )
  if (filled.length === 0) return []
  const workspaceId = ctx.workspace.id
  const writes = filled.map(({ attributes }) => ({ workspaceId, attributes }))
  const rules = await readFieldRules(ctx, writes)
  const refused = new Set(filled.filter((_, i) => attributesRefusal(rules, writes[i]!) !== undefined))
  const rows = filled.map((item) => (refused.has(item) ? { ...item, attributes: {} } : item))
  await recordTagsInUse(
    ctx,
    rows.map(({ tags }) => ({ ctx, tags })),
  )
  await fillPastDetailRows(ctx, rows, { attributes: ATTRIBUTES_MAX, tags: TAGS_MAX })
  return [...refused]
}

/** Returns the ids of the contacts with these numbers, in any spelling, by the requested number. */
export async function listContactsByPhone(ctx: Context, phones: string[]): Promise<Map<string, string>> {
  const keys = phones.map((phone) => ({ workspaceId: ctx.workspace.id, phone }))
  const stored = await listStoredNumbers(ctx.tx, keys)
  const rows = await listContactsByPhoneForUpdate(
    ctx.tx,
    stored.map(({ phone }) => ({ workspaceId: ctx.workspace.id, phone })),
  )
  const ids = new Map(rows.map(({ phone, id }) => [phone, id]))
  return new Map(
    stored.flatMap(({ place, phone }) => {
      const id = ids.get(phone)
      return id === undefined ? [] : [[phones[place]!, id] as const]
    }),
  )
}
