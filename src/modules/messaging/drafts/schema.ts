import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { characters } from '../contacts/schema.ts'

/** The maximum length of a note. A reply is shorter. */
const TEXT_MAX = 5_000
const FILES_MAX = 10

/** An uploaded file of the draft. */
const DraftFile = z.strictObject({
  mediaId: characters(200, 1).meta({ description: 'Id from `POST /media`.' }),
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

/** A member gets at most this many drafts in one list: the newest. */
export const DRAFTS_MAX = 100

/** The caller's draft in a chat. Without a draft, it is empty and has no time. */
export const Draft = z.object({ ...draft, updatedAt: Instant.nullable() }).meta({ id: 'Draft' })

/** A draft in the list of all the caller's drafts. */
export const ListedDraft = z
  .object({ conversationId: Id, ...draft, updatedAt: Instant })
  .meta({ id: 'ListedDraft' })
