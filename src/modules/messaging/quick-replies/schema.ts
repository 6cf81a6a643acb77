import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { requiredText } from '../contacts/schema.ts'

/** The maximum of saved replies in a workspace. */
export const QUICK_REPLIES_MAX = 1_000
const SHORTCUT_MAX = 50
/** The longest text message (docs/formats.md section 2), because a saved reply is sent as one. */
const TEXT_MAX = 4_096

const Shortcut = z
  .string()
  .trim()
  .transform((text) => text.replace(/^\//, '').normalize('NFC'))
  .refine(
    (text) => new RegExp(`^[\\p{L}\\p{M}\\p{N}_-]{1,${SHORTCUT_MAX}}$`, 'u').test(text),
    `Must be 1 to ${SHORTCUT_MAX} letters, digits, _ or -. A / in front is optional.`,
  )
  .meta({
    description:
      'Text that a teammate types to find the reply. Unique in the workspace, in any case. A leading `/` is removed.',
    example: 'hours',
  })

const ReplyText = requiredText(TEXT_MAX).meta({ example: 'We are open from 10 to 7, Monday to Saturday.' })

/** A saved reply (spec 4.3). */
export const QuickReply = z
  .object({
    id: Id,
    shortcut: z.string(),
    text: z.string(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'QuickReply',
    description: 'A saved reply.',
    fields: { shortcut: 'Text that a teammate types to find it.', text: 'Text of the reply.' },
  })

export const NewQuickReply = z
  .strictObject({ shortcut: Shortcut, text: ReplyText })
  .meta({ fields: { text: 'Text of the reply.' } })
export type NewQuickReply = z.output<typeof NewQuickReply>

export const QuickReplyPatch = NewQuickReply.partial().meta({ fields: { text: 'Text of the reply.' } })
export type QuickReplyPatch = z.output<typeof QuickReplyPatch>
