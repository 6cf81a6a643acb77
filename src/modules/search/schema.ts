import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'
import { SearchText } from '../contacts/schema.ts'

/** The kinds of results, in the order of the answer. */
const FOUND_KINDS = ['contact', 'message', 'lead', 'task', 'template', 'broadcast'] as const

export const SearchQuery = z.object({
  q: SearchText.meta({
    description:
      'Part of a name, number, username, e-mail address, note or title; of messages the beginnings of words.',
    example: 'asha',
  }),
})

/** A result of any kind. */
export const Found = z
  .object({
    kind: z.enum(FOUND_KINDS),
    id: Id,
    title: z.string(),
    snippet: z.string().nullable().meta({ description: 'What tells it from others of that title.' }),
    parentId: Id.nullable().meta({ description: 'The conversation of a message, the lead of a task.' }),
    at: Instant.meta({ description: 'When it was made.' }),
  })
  .meta({
    id: 'Found',
    description: 'A search result.',
    fields: {
      kind: 'What was found.',
      id: 'Id of what was found.',
      title: 'Name or title of what was found.',
    },
  })
