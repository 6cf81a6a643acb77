import { z } from 'zod'
import { customerName, customerText } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { SearchText } from '../../messaging/contacts/schema.ts'

/** The kinds of results, in the order of the answer. */
const FOUND_KINDS = ['contact', 'message', 'direct_message', 'lead', 'task', 'template', 'broadcast'] as const

export const SearchQuery = z.object({
  q: SearchText.meta({
    description:
      'Part of a name, number, username, email address, note, or title. In messages: the beginnings of words.',
    example: 'asha',
  }),
})

/** A result of any kind. */
export const Found = z
  .object({
    kind: z.enum(FOUND_KINDS),
    id: Id,
    title: customerText(z.string()),
    snippet: customerName(z.string())
      .nullable()
      .meta({ description: 'Text that distinguishes matches with the same title.' }),
    parentId: Id.nullable().meta({
      description: 'Id of the conversation of a message or direct message, or of the lead of a task.',
    }),
    at: Instant.meta({ description: 'When it was created, in UTC.' }),
  })
  .meta({
    id: 'Found',
    description: 'A search result.',
    fields: {
      kind: 'Kind of match. `direct_message`: a message of the photo network.',
      id: 'Id of the match.',
      title: 'Name or title of the match.',
    },
  })
