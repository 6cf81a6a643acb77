import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'
import { characters } from '../contacts/schema.ts'

/** The longest note: a reply is shorter. */
const TEXT_MAX = 5_000
const FILES_MAX = 10

/** A file that was uploaded and goes with the draft. */
const DraftFile = z.strictObject({
  mediaId: characters(200, 1).meta({ description: 'As `POST /media` answered it.' }),
  filename: characters(200),
  mimeType: characters(100),
  sizeBytes: z.int().nonnegative(),
})

const draft = {
  text: characters(TEXT_MAX),
  mode: z.enum(['reply', 'note'], 'Must be reply or note.'),
  files: z.array(DraftFile).max(FILES_MAX, `Must have at most ${FILES_MAX} files.`),
}

/** Body of `PUT /drafts/{conversationId}`. */
export const NewDraft = z.strictObject(draft)
export type NewDraft = z.output<typeof NewDraft>

/** What of their drafts a member is shown at once: the newest. */
export const DRAFTS_MAX = 100

/** What the caller has begun to write in a chat; empty, and without a time, when that is nothing. */
export const Draft = z.object({ ...draft, updatedAt: Instant.nullable() }).meta({ id: 'Draft' })

/** One of all that the caller has begun to write. */
export const ListedDraft = z
  .object({ conversationId: Id, ...draft, updatedAt: Instant })
  .meta({ id: 'ListedDraft' })
