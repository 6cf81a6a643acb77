import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { BulkTags } from '../bulk-schema.ts'
import {
  type ContactKey,
  type ContactRow,
  listContactsByKeyForUpdate,
  lockContactsById,
} from '../queries/contacts.ts'
import { TAGS_MAX } from '../schema.ts'
import { type ContactChange, storeChanges } from './change-contact.ts'
import { indexContacts, lookUp } from './contact-index.ts'
import { findByRequestedId } from './find-contact.ts'
import { settleCustomers } from './settle-numbers.ts'

/**
 * Adds tags to contacts and removes tags from them. Returns one result per row, in order. Refuses a row that
 * names no contact, and a row whose contact would have more than 50 tags (spec 2.6).
 */
export async function tagContactsInBulk(ctx: Context, body: BulkTags): Promise<(ContactRow | Refusal)[]> {
  const named = body.contactIds
    ? await findByIds(ctx, body.contactIds)
    : await findByPhones(ctx, body.phones ?? [])
  const retagged = new Map<string, ContactChange | Refusal>()
  for (const contact of named)
    if (!(contact instanceof Refusal)) retagged.set(contact.id, retag(ctx, contact, body))
  const changes = [...retagged.values()].filter(
    (change): change is ContactChange => !(change instanceof Refusal),
  )
  const stored = new Map((await storeChanges(ctx, changes)).map((row) => [row.id, row]))
  return named.map((contact) => {
    if (contact instanceof Refusal) return contact
    const outcome = retagged.get(contact.id)
    return outcome instanceof Refusal ? outcome : stored.get(contact.id)!
  })
}

function retag(
  ctx: Context,
  before: ContactRow,
  { addTags = [], removeTags = [] }: BulkTags,
): ContactChange | Refusal {
  const remaining = before.tags.filter((tag) => !removeTags.includes(tag))
  const tags = [...new Set([...remaining, ...addTags])]
  if (tags.length > TAGS_MAX)
    return invalid([
      {
        path: 'addTags',
        message: `A contact can have at most ${TAGS_MAX} tags. This one would have ${tags.length}.`,
      },
    ])
  return { ctx, before, after: { ...before, tags } }
}

const notFound = (): Refusal => new Refusal('not_found', 'Contact not found. See GET /contacts.')

async function findByIds(ctx: Context, ids: string[]): Promise<(ContactRow | Refusal)[]> {
  const byId = await findByRequestedId(
    ctx,
    ids.filter(isUuid).map((id) => ({ workspaceId: ctx.workspace.id, contactId: id.toLowerCase() })),
    lockContactsById,
  )
  return ids.map((id) => byId.get(id.toLowerCase()) ?? notFound())
}

async function findByPhones(ctx: Context, phones: string[]): Promise<(ContactRow | Refusal)[]> {
  const { workspace } = ctx
  const names = await settleCustomers(
    ctx,
    phones.map((text, index) => ({ workspace, text, path: `phones[${index}]` })),
  )
  const keys = names.map((name): ContactKey | Refusal =>
    name instanceof Refusal ? name : { workspaceId: workspace.id, ...name },
  )
  const valid = keys.filter((key): key is ContactKey => !(key instanceof Refusal))
  const index = indexContacts(await listContactsByKeyForUpdate(ctx.tx, valid))
  return keys.map((key) => (key instanceof Refusal ? key : (lookUp(index, key) ?? notFound())))
}
