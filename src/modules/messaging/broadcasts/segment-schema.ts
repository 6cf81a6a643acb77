/** Schemas of a campaign's segment (spec 4.4 `segment`; DECISIONS.md "Audiences"). */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { characters, OPT_IN_STATUSES, TagName } from '../contacts/schema.ts'

const MAX_TAGS = 50
/** The largest list that fits into a body of 64 KB. */
const MAX_CONTACT_IDS = 1_600
const MAX_DAYS = 3_650
const MAX_NAME = 200

const SegmentTags = z
  .array(TagName)
  .max(MAX_TAGS, `Must have at most ${MAX_TAGS} tags.`)
  .transform((tags) => [...new Set(tags)])

const filters = {
  tags: SegmentTags.refine(
    (tags) => tags.length > 0,
    'Must have at least one tag. To filter by no tag, leave it out.',
  )
    .optional()
    .meta({ description: 'Contacts with any of these tags.' }),
  excludeTags: SegmentTags.optional().meta({ description: 'Without contacts that have any of these tags.' }),
  optInStatus: z.enum(OPT_IN_STATUSES).optional(),
  lastSeenWithinDays: z
    .int(`Must be a whole number from 1 to ${MAX_DAYS}.`)
    .min(1, `Must be a whole number from 1 to ${MAX_DAYS}.`)
    .max(MAX_DAYS, `Must be a whole number from 1 to ${MAX_DAYS}.`)
    .optional()
    .meta({ description: 'Contacts who wrote within this number of 24-hour periods.' }),
}
const contactIds = z
  .array(Id.transform((id) => id.toLowerCase()))
  .max(MAX_CONTACT_IDS, `Must have at most ${MAX_CONTACT_IDS} ids.`)
  .optional()
  .meta({
    description:
      'Ids of the contacts. Cannot be combined with other conditions. An empty list selects no contact.',
  })

type Fields = { contactIds?: unknown; segmentId?: unknown }

/** Adds issues for fields that cannot be combined with a list of contacts or a saved segment. */
function refuseMixture({ value, issues }: { value: Fields; issues: unknown[] }): void {
  const names = Object.entries(value).flatMap(([name, field]) => (field === undefined ? [] : [name]))
  for (const field of ['contactIds', 'segmentId'])
    if (names.includes(field) && names.length > 1)
      issues.push({
        code: 'custom',
        input: value,
        path: [field],
        message: 'Must be the only field of a segment.',
      })
}

/** The definition of a saved segment. Without any field: every contact of the chat network. */
export const SegmentDefinition = z
  .strictObject({ ...filters, contactIds })
  .check(refuseMixture)
  .meta({ description: 'Conditions that must all match, or a list of contacts. `{}` selects all contacts.' })
export type SegmentDefinition = z.output<typeof SegmentDefinition>

/** `segment` of a campaign: a definition, or a saved segment by its id. */
export const AudienceSegment = z
  .strictObject({ ...filters, contactIds, segmentId: Id.optional() })
  .check(refuseMixture)
  .meta({
    description:
      'Conditions that must all match, a list of contacts, or a saved segment. `{}` selects all contacts.',
  })
export type AudienceSegment = z.output<typeof AudienceSegment>

const SegmentName = characters(MAX_NAME)
  .trim()
  .refine((name) => name !== '', 'Must not be empty.')
  .meta({ minLength: 1, example: 'Regulars in Pune' })

export const NewSegment = z
  .strictObject({ name: SegmentName, segment: SegmentDefinition })
  .meta({ fields: { name: 'Name of the segment.' } })
export type NewSegment = z.output<typeof NewSegment>

export const SegmentPatch = NewSegment.partial().meta({ fields: { name: 'Name of the segment.' } })
export type SegmentPatch = z.output<typeof SegmentPatch>

/** Body of `POST /segments/count`. */
export const SegmentCountBody = NewSegment.pick({ segment: true })

/** Reply of `POST /segments/count`. */
export const SegmentCount = z.object({
  matched: z.number().int().meta({ description: 'Number of contacts that match.' }),
  reachable: z.number().int().meta({ description: 'Those of them who neither opted out nor are blocked.' }),
})

/** A saved segment (spec 4.10). */
export const Segment = z
  .object({
    id: Id,
    name: z.string(),
    segment: z.object({
      tags: z.array(z.string()).optional(),
      excludeTags: z.array(z.string()).optional(),
      optInStatus: z.enum(OPT_IN_STATUSES).optional(),
      lastSeenWithinDays: z.number().optional(),
      contactIds: z.array(Id).optional(),
    }),
    matched: z.number().int().nullable().meta({
      description: 'Number of contacts in the segment; null until they were counted.',
    }),
    matchedAt: Instant.nullable().meta({
      description: 'When they were counted, in UTC: now for one segment, at the last change in lists.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Segment',
    description: 'A saved group of contacts.',
    fields: {
      name: 'Name of the segment.',
      segment: 'Conditions of the segment, or its list of contacts.',
      'segment.tags': 'Contacts with any of these tags.',
      'segment.excludeTags': 'Without contacts that have any of these tags.',
      'segment.lastSeenWithinDays': 'Contacts who wrote within this number of days.',
      'segment.contactIds': 'Ids of the contacts.',
    },
  })
