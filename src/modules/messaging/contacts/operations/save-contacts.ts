import { beforeCommit, type Context, type Unit } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { userIdIn } from '../../../../core/values/phone.ts'
import { type ContactRow, updateContactRows } from '../queries/contacts.ts'
import { type NewContact, TAGS_MAX } from '../schema.ts'
import { announceChange, type ContactChange, changedFields, patched } from './change-contact.ts'
import { contactLimitReached } from './contact-room.ts'
import { recordTagChanges } from './contact-tags.ts'
import { attributesRefusal, type FieldRules, readFieldRules } from './field-rules.ts'
import {
  assumeNoneStored,
  type Found,
  findOrCreateContacts,
  readStoredContacts,
  type StoredSnapshot,
  type Wanted,
} from './find-or-create.ts'
import { announceNewContact, beginContact } from './new-contact.ts'
import { notANumber, settledPhones, settleNumbers } from './settle-numbers.ts'
import { recordTagsInUse } from './tags.ts'

/** `addTags`: adds the tags to the contact's tags instead of replacing them. */
export type SaveItem = { ctx: Context; body: NewContact; addTags?: boolean }
export type Saved = { contact: ContactRow; created: boolean }

/**
 * Prepares storing or updating contacts by number, many requests in one transaction (spec 4.4). Reads
 * everything in one round trip, and returns a function that writes the items passed to it. That function
 * returns one result per item, in order.
 *
 * The second of two duplicates updates the contact of the first. Refusals: `invalid`, `plan_limit_reached`
 * for a new number, `contact_opted_out`.
 */
export async function beginSaving(
  items: SaveItem[],
): Promise<(items: SaveItem[]) => Promise<(Saved | Refusal)[]>> {
  const unit = items[0]!.ctx
  const numbers = await readNumbersOf(unit, items)
  const keys = items.flatMap((item) => {
    const phone = numbers.get(item.body)!
    return phone instanceof Refusal ? [] : [{ workspace: item.ctx.workspace, phone }]
  })
  const [rules, sight] = await Promise.all([
    readFieldRules(unit, items.map(attributesOf)),
    readStoredContacts(unit, keys),
  ])
  return (fresh) => save(fresh, numbers, rules, { sight })
}

/**
 * Returns the numbers of the items; undefined if stored contacts decide what a text means.
 */
export function numbersWithoutRead(
  items: { ctx: Pick<Context, 'workspace'>; body: NewContact }[],
): Numbers | undefined {
  const requests = items.flatMap(({ ctx: { workspace }, body }) =>
    textsOf(body).map(({ text }) => ({ workspace, text, body })),
  )
  const phones = settledPhones(requests)
  if (phones === undefined) return undefined
  const numbers: Numbers = new Map()
  for (const [i, { body }] of requests.entries()) addNumber(numbers, body, phones[i]!)
  return numbers
}

/**
 * Stores contacts without a read. Assumes that no number is stored and the limit isn't reached. Its
 * statements fail, and with them the transaction, if that is wrong.
 */
export async function saveNewContacts(items: SaveItem[], numbers: Numbers): Promise<(Saved | Refusal)[]> {
  const unit = items[0]!.ctx
  const sight = assumeNoneStored(
    unit,
    items.map((item) => item.ctx.workspace),
  )
  const rules = await readFieldRules(unit, items.map(attributesOf))
  return save(items, numbers, rules, { alone: false, sight })
}

/** Stores the rows of one request, which may block others of its workspace. */
export async function saveContacts(items: SaveItem[]): Promise<(Saved | Refusal)[]> {
  if (items.length === 0) return []
  const unit = items[0]!.ctx
  const numbers = await readNumbersOf(unit, items)
  return save(items, numbers, await readFieldRules(unit, items.map(attributesOf)), { alone: true })
}

async function save(
  items: SaveItem[],
  numbers: Numbers,
  rules: FieldRules,
  options: { alone?: boolean; sight?: StoredSnapshot },
): Promise<(Saved | Refusal)[]> {
  const unit = items[0]!.ctx
  const prepared = items.map((item) => prepare(item, numbers, rules))
  const valid = prepared.filter((item): item is Wanted => !(item instanceof Refusal))
  if (valid.length === 0) return prepared as Refusal[]
  const found = await findOrCreateContacts(unit, valid, options)
  const answers = new Map(valid.map((item, index) => [item, found[index]!]))
  // The result of each item. The next item of the same contact starts from it.
  const current = new Map<string, ContactRow>()
  const changes: ContactChange[] = []
  const results = prepared.map((item, index) =>
    item instanceof Refusal ? item : settle(item, answers.get(item)!, items[index]!, current, changes),
  )
  if (changes.length > 0) {
    const rows = [...new Set(changes.map(({ after }) => after.id))].map((id) => current.get(id)!)
    beforeCommit(unit, updateContactRows(unit.tx, rows))
    beforeCommit(unit, recordTagChanges(unit, changes))
  }
  // Only items that are stored: refused rows add no tag.
  const tagged = items.flatMap(({ ctx, body: { tags } }, i) =>
    tags && tags.length > 0 && !(results[i] instanceof Refusal) ? [{ ctx, tags }] : [],
  )
  if (tagged.length > 0) beforeCommit(unit, recordTagsInUse(unit, tagged))
  return results
}

const attributesOf = ({ ctx, body }: SaveItem) => ({
  workspaceId: ctx.workspace.id,
  attributes: body.attributes,
})

/** The number of each item, or its error. */
type Numbers = Map<NewContact, string | Refusal>

/** Returns the texts that name an item's number: one, or two that must be the same number. */
const textsOf = ({ phone, e164 }: NewContact): { path: 'phone' | 'e164'; text: string }[] => [
  ...(phone === undefined ? [] : [{ path: 'phone' as const, text: phone }]),
  ...(e164 === undefined ? [] : [{ path: 'e164' as const, text: e164 }]),
]

async function readNumbersOf(unit: Unit, items: SaveItem[]): Promise<Numbers> {
  const requests = items.flatMap(({ ctx: { workspace }, body }) =>
    textsOf(body).map((namedText) => ({ ...namedText, body, workspace })),
  )
  const settled = await settleNumbers(unit, requests)
  const numbers: Numbers = new Map()
  for (const [i, { body, path, text }] of requests.entries()) {
    addNumber(numbers, body, settled[i]?.phone ?? refuseName(path, text))
  }
  return numbers
}

function addNumber(numbers: Numbers, body: NewContact, phone: string | Refusal): void {
  const earlier = numbers.get(body)
  numbers.set(body, earlier === undefined ? phone : sameNumber(earlier, phone))
}

const sameNumber = (phone: string | Refusal, e164: string | Refusal): string | Refusal => {
  if (phone instanceof Refusal || e164 instanceof Refusal) return phone instanceof Refusal ? phone : e164
  return phone === e164
    ? phone
    : invalid([{ path: 'e164', message: 'Must be the same number as phone when you send both.' }])
}

const refuseName = (path: string, text: string): Refusal =>
  userIdIn(text) === undefined
    ? notANumber(path, text)
    : invalid([
        {
          path,
          message: 'Must be a phone number. A customer without one becomes a contact when they write to you.',
        },
      ])

/** Returns the contact that an item would store, or its error. */
function prepare(item: SaveItem, numbers: Numbers, rules: FieldRules): Wanted | Refusal {
  const { ctx, body } = item
  const phone = numbers.get(body) ?? notANumber('e164', '')
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
  changes: ContactChange[],
): Saved | Refusal {
  if (answer === 'full') return contactLimitReached(ctx.workspace)
  const before = current.get(answer.contact.id) ?? answer.contact
  if (answer.created) {
    announceNewContact(ctx, before, 'api')
    return { contact: before, created: true }
  }
  const merged = addTags ? withTagsOf(before, body) : body
  const after = merged instanceof Refusal ? merged : patched(before, merged)
  if (after instanceof Refusal) return after
  const changed = changedFields(before, after)
  if (changed.length === 0) return { contact: before, created: false }
  const updated = { ...after, updatedAt: ctx.now }
  current.set(updated.id, updated)
  changes.push({ ctx, before, after: updated })
  announceChange(ctx, updated, changed)
  return { contact: updated, created: false }
}

/** Returns the body with the contact's current tags added. */
function withTagsOf({ tags: currentTags }: ContactRow, body: NewContact): NewContact | Refusal {
  if (!body.tags) return body
  const tags = [...new Set([...currentTags, ...body.tags])]
  if (tags.length <= TAGS_MAX) return { ...body, tags }
  return invalid([
    { path: 'tags', message: `Must have at most ${TAGS_MAX} tags, including the contact's own.` },
  ])
}
