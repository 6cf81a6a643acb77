/** Schemas of writes that carry many rows (DECISIONS.md "Contacts"). */
import { z } from 'zod'
import { describeFields } from '../../../core/describe-fields.ts'
import { NewContact, Tags } from './schema.ts'

const BULK_ROWS_MAX = 500
/** Maximum size of a bulk body, in bytes (spec 8.2). */
export const BULK_BODY_BYTES = 1024 * 1024

const rows = <Row extends z.ZodType>(row: Row) =>
  z
    .array(row)
    .min(1, 'Must have at least one row.')
    .max(BULK_ROWS_MAX, `Must have at most ${BULK_ROWS_MAX} rows. Send the rest in another request.`)

const { $schema: _, ...documentedRow } = describeFields({ ...z.toJSONSchema(NewContact, { io: 'input' }) })

/** Body of `POST /contacts/bulk`. The list accepts any item, because an invalid row gets its own error. */
export const BulkContacts = z
  .strictObject({ contacts: rows(z.unknown().meta(documentedRow)) })
  .meta({ fields: { contacts: 'Contacts to create or update, 1 to 500.' } })

/** Body of `POST /contacts/bulk-tags`. */
export const BulkTags = z
  .strictObject({
    contactIds: rows(z.string()).optional(),
    phones: rows(z.string())
      .optional()
      .meta({ description: 'Phone numbers in any spelling, or `chan:<user id>`.' }),
    addTags: Tags.optional(),
    removeTags: Tags.optional(),
  })
  .refine((body) => (body.contactIds === undefined) !== (body.phones === undefined), {
    path: ['contactIds'],
    error: 'Send either contactIds or phones.',
  })
  .refine((body) => (body.addTags?.length ?? 0) + (body.removeTags?.length ?? 0) > 0, {
    path: ['addTags'],
    error: 'Send at least one tag in addTags or removeTags.',
  })
  .refine((body) => !body.addTags?.some((tag) => body.removeTags?.includes(tag)), {
    path: ['removeTags'],
    error: 'Must not have a tag that is in addTags.',
  })
  .meta({ fields: { contactIds: 'Ids of the contacts, 1 to 500.' } })
export type BulkTags = z.output<typeof BulkTags>

const outcome = {
  index: z.int().meta({ description: 'Position of the row in the request, from 0.' }),
  contactId: z.string().nullable().meta({ description: 'Id of the contact; null if the row was rejected.' }),
  error: z.string().optional().meta({ description: 'Error code of a rejected row, as in any error body.' }),
  message: z.string().optional(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
}

const ROWS_FIELDS = {
  results: 'Result of each row, in the order of the request.',
  'results.status': 'Result of the row.',
  created: 'Number of contacts created.',
  updated: 'Number of contacts updated.',
  refused: 'Number of rejected rows.',
}

/** The result of each row, in order, and the totals. */
export const SavedInBulk = z
  .object({
    results: z.array(z.object({ ...outcome, status: z.enum(['created', 'updated', 'refused']) })),
    created: z.int(),
    updated: z.int(),
    refused: z.int(),
  })
  .meta({ fields: ROWS_FIELDS })

export const TaggedInBulk = z
  .object({
    results: z.array(z.object({ ...outcome, status: z.enum(['updated', 'refused']) })),
    updated: z.int(),
    refused: z.int(),
  })
  .meta({ fields: ROWS_FIELDS })
