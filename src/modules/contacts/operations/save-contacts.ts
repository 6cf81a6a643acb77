import { beforeCommit, type Context } from '../../../core/context.ts'
import { invalid, Refusal } from '../../../core/errors.ts'
import { parseCustomerRef } from '../../../core/phone.ts'
import { type ContactRow, updateContactRows } from '../queries/contacts.ts'
import { type NewContact, TAGS_MAX } from '../schema.ts'
import { announceChange, changedFields, patched } from './change-contact.ts'
import { contactLimitReached } from './contact-room.ts'
import { attributesRefusal, type FieldRules, readFieldRules } from './field-rules.ts'
import {
  assumeNobodyStored,
  type Found,
  findOrCreateContacts,
  lookForContacts,
  type Sight,
  type Wanted,
} from './find-or-create.ts'
import { announceNewContact, beginContact } from './new-contact.ts'
import { noteTagsInUse } from './tags.ts'

/** `addTags`: its tags go beside those that the contact has, instead of in their place. */
export type SaveItem = { ctx: Context; body: NewContact; addTags?: boolean }
export type Saved = { contact: ContactRow; created: boolean }

/**
 * Stores or updates contacts by number, many requests in one transaction (spec 4.4): one answer an
 * item, in order. The second of two duplicates updates what the first stored. Refusals: `invalid`,
 * `plan_limit_reached` for a new number, `contact_opted_out`. What must be read is read at once; what is returned
 * writes, for those of the items that are given to it.
 */
export async function beginSaving(
  items: SaveItem[],
): Promise<(items: SaveItem[]) => Promise<(Saved | Refusal)[]>> {
  const unit = items[0]!.ctx
  const keys = items.flatMap((item) => {
    const phone = numberOf(item)
    return phone instanceof Refusal ? [] : [{ workspace: item.ctx.workspace, phone }]
  })
  const [rules, sight] = await Promise.all([
    readFieldRules(unit, items.map(attributesOf)),
    lookForContacts(unit, keys),
  ])
  return (fresh) => save(fresh, rules, { sight })
}

/**
 * The same without a look: it takes it that none of the numbers is stored and that there is room for them. Its statements fail
 * by themselves, and with them the transaction, where that is wrong.
 */
export async function saveNewContacts(items: SaveItem[]): Promise<(Saved | Refusal)[]> {
  const unit = items[0]!.ctx
  const sight = assumeNobodyStored(
    unit,
    items.map((item) => item.ctx.workspace),
  )
  const rules = await readFieldRules(unit, items.map(attributesOf))
  return save(items, rules, { alone: false, sight })
}

/** The same for the rows of one request, which may make others of its workspace wait. */
export async function saveContacts(items: SaveItem[]): Promise<(Saved | Refusal)[]> {
  if (items.length === 0) return []
  return save(items, await readFieldRules(items[0]!.ctx, items.map(attributesOf)), { alone: true })
}

async function save(
  items: SaveItem[],
  rules: FieldRules,
  how: { alone?: boolean; sight?: Sight },
): Promise<(Saved | Refusal)[]> {
  const unit = items[0]!.ctx
  const prepared = items.map((item) => prepare(item, rules))
  const wanted = prepared.filter((item): item is Wanted => !(item instanceof Refusal))
  if (wanted.length === 0) return prepared as Refusal[]
  const found = await findOrCreateContacts(unit, wanted, how)
  const answers = new Map(wanted.map((item, index) => [item, found[index]!]))
  // As each item leaves it: the next one of the same contact starts from there.
  const current = new Map<string, ContactRow>()
  const dirty = new Set<string>()
  const results = prepared.map((item, index) =>
    item instanceof Refusal ? item : settle(item, answers.get(item)!, items[index]!, current, dirty),
  )
  if (dirty.size > 0) {
    const rows = [...dirty].map((id) => current.get(id)!)
    beforeCommit(unit, updateContactRows(unit.tx, rows))
  }
  // Those that carry what their row asked for: refused rows put no tag into use.
  const tagged = items.flatMap(({ ctx, body: { tags } }, i) =>
    tags && tags.length > 0 && !(results[i] instanceof Refusal) ? [{ ctx, tags }] : [],
  )
  if (tagged.length > 0) beforeCommit(unit, noteTagsInUse(unit, tagged))
  return results
}

const attributesOf = ({ ctx, body }: SaveItem) => ({
  workspaceId: ctx.workspace.id,
  attributes: body.attributes,
})

/** The number that an item is about, by either of its names. */
function numberOf({ ctx, body: { phone, e164 } }: SaveItem): string | Refusal {
  if (phone === undefined) return readNumber(ctx, 'e164', e164 ?? '')
  const number = readNumber(ctx, 'phone', phone)
  if (number instanceof Refusal || e164 === undefined) return number
  const other = readNumber(ctx, 'e164', e164)
  if (other instanceof Refusal || other === number) return other
  return invalid([{ path: 'e164', message: 'must be the same number as phone when both are sent' }])
}

function readNumber(ctx: Context, path: string, written: string): string | Refusal {
  const customer = parseCustomerRef(written, ctx.workspace.countryCode)
  if (customer?.kind === 'phone') return customer.e164
  const message = customer
    ? 'a customer without a number becomes a contact by writing in'
    : 'must be a phone number'
  return invalid([{ path, message }])
}

/** The contact that an item would store, or why it cannot. */
function prepare(item: SaveItem, rules: FieldRules): Wanted | Refusal {
  const { ctx, body } = item
  const phone = numberOf(item)
  if (phone instanceof Refusal) return phone
  const mistyped = attributesRefusal(rules, attributesOf(item))
  if (mistyped) return mistyped
  const fresh = patched(beginContact(ctx, phone, null), body)
  return fresh instanceof Refusal ? fresh : { ctx, fresh }
}

function settle(
  { ctx }: Wanted,
  answer: Found,
  { body, addTags }: SaveItem,
  current: Map<string, ContactRow>,
  dirty: Set<string>,
): Saved | Refusal {
  if (answer === 'full') return contactLimitReached(ctx.workspace)
  const before = current.get(answer.contact.id) ?? answer.contact
  if (answer.created) {
    announceNewContact(ctx, before, 'api')
    return { contact: before, created: true }
  }
  const asked = addTags ? withTagsOf(before, body) : body
  const after = asked instanceof Refusal ? asked : patched(before, asked)
  if (after instanceof Refusal) return after
  const changed = changedFields(before, after)
  if (changed.length === 0) return { contact: before, created: false }
  const updated = { ...after, updatedAt: ctx.now }
  current.set(updated.id, updated)
  dirty.add(updated.id)
  announceChange(ctx, updated, changed)
  return { contact: updated, created: false }
}

/** The body with the tags that the contact has already. */
function withTagsOf({ tags: had }: ContactRow, body: NewContact): NewContact | Refusal {
  if (!body.tags) return body
  const tags = [...new Set([...had, ...body.tags])]
  if (tags.length <= TAGS_MAX) return { ...body, tags }
  return invalid([{ path: 'tags', message: `must hold at most ${TAGS_MAX} tags, with those of the contact` }])
}
