import { endpoint, reply } from '../../../../core/endpoint.ts'
import { Refusal } from '../../../../core/errors.ts'
import { BULK_BODY_BYTES, BulkContacts, BulkTags, SavedInBulk, TaggedInBulk } from '../bulk-schema.ts'
import { saveContactsInBulk } from '../operations/bulk-contacts.ts'
import { tagContactsInBulk } from '../operations/bulk-tags.ts'

const shared = {
  tag: 'Contacts',
  section: '4.10',
  scope: 'contacts:write',
  role: 'agent',
  bucket: 'bulk-writes',
  critical: true,
  bodyLimit: BULK_BODY_BYTES,
} as const

/** The result of one row. */
type Outcome<Status> = { status: Status; contactId: string }

/** Returns the result of each row, in order, and the number of rows with each status. */
function outcomes<Status extends string>(
  rows: (Outcome<Status> | Refusal)[],
  kinds: readonly (Status | 'refused')[],
) {
  const results = rows.map((row, index) =>
    row instanceof Refusal
      ? {
          index,
          status: 'refused' as const,
          contactId: null,
          error: row.code,
          message: row.message,
          issues: row.details.issues,
        }
      : { index, ...row },
  )
  const count = (kind: string) => results.filter(({ status }) => status === kind).length
  return { results, ...Object.fromEntries(kinds.map((kind) => [kind, count(kind)])) }
}

export const postContactsBulk = endpoint({
  ...shared,
  name: 'saveContacts',
  method: 'POST',
  path: '/contacts/bulk',
  summary: 'Create or update many contacts.',
  description:
    'Each row is a body of `POST /contacts` and has its own result, in order. A rejected row does not affect the others. The request is one transaction: Parley stores all valid rows, or none.',
  body: BulkContacts,
  example: {
    contacts: [
      { phone: '+919812345678', displayName: 'Asha Rao', tags: ['vip'] },
      { phone: '+919812345679', optInStatus: 'opted_in', optInSource: 'shop counter' },
    ],
  },
  replies: { 200: SavedInBulk },
  refuses: [],
  handle: async (ctx, { body }) => {
    const saved = await saveContactsInBulk(ctx, body.contacts)
    const rows = saved.map((row) =>
      row instanceof Refusal
        ? row
        : { status: row.created ? ('created' as const) : ('updated' as const), contactId: row.contact.id },
    )
    return reply(200, outcomes(rows, ['created', 'updated', 'refused']))
  },
})

export const postContactsBulkTags = endpoint({
  ...shared,
  name: 'tagContacts',
  method: 'POST',
  path: '/contacts/bulk-tags',
  summary: 'Add tags to many contacts, and remove tags from them.',
  description:
    'Each contact has its own result, in order. A contact that does not exist, or that has too many tags, does not affect the others.',
  action: { title: 'Change tags of contacts' },
  body: BulkTags,
  example: { phones: ['+919812345678', '+919812345679'], addTags: ['summer'], removeTags: ['spring'] },
  replies: { 200: TaggedInBulk },
  refuses: [],
  handle: async (ctx, { body }) => {
    const tagged = await tagContactsInBulk(ctx, body)
    const rows = tagged.map((row) =>
      row instanceof Refusal ? row : { status: 'updated' as const, contactId: row.id },
    )
    return reply(200, outcomes(rows, ['updated', 'refused']))
  },
})
