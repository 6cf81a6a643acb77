/** Shapes of internal notes. */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { characters } from '../contacts/schema.ts'
import type { NoteRow } from './queries/conversations.ts'

const NOTE_MAX = 5_000

/** An internal note. The customer never receives it (spec 4.4). */
export const Note = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    body: z.string(),
    author: z
      .string()
      .meta({ description: 'Name of the member, or label of a key that belongs to no member.' }),
    createdAt: Instant,
  })
  .meta({
    id: 'Note',
    description: 'An internal note on a conversation; customers never see it.',
    fields: { body: 'Text of the note.' },
  })

/** Teammates that one note can mention. */
const MENTIONS_MAX = 20

export const NewNote = z
  .strictObject({
    body: characters(NOTE_MAX, 1),
    mentions: z
      .array(Id)
      .max(MENTIONS_MAX)
      .optional()
      .meta({ description: 'Members mentioned in the note. They receive a notification in the dashboard.' }),
  })
  .meta({ fields: { body: 'Text of the note.' } })

export const presentNote = (row: NoteRow): z.input<typeof Note> => ({
  id: row.id,
  conversationId: row.conversationId,
  body: row.body,
  author: row.authorName,
  createdAt: row.createdAt.toISOString(),
})
