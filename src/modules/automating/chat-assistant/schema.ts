import { z } from 'zod'
import { LANGUAGES } from '../../../core/values/languages.ts'
import { requiredText } from '../../messaging/contacts/schema.ts'

const INSTRUCTION_MAX = 500

/** Body of `POST /conversations/{id}/draft`. */
export const DraftRequest = z.strictObject({
  instruction: requiredText(INSTRUCTION_MAX).optional().meta({
    description: 'Wish for the draft, such as `shorter` or `in Hindi`.',
  }),
})
export type DraftRequest = z.output<typeof DraftRequest>

/** Body of `POST /conversations/{id}/summary`. */
export const SummaryRequest = z.strictObject({
  language: z
    .enum(LANGUAGES)
    .optional()
    .meta({ description: "Language of the summary. Default: the workspace's language." }),
})
export type SummaryRequest = z.output<typeof SummaryRequest>

/** A text that the assistant wrote for a member. */
export const AssistantText = z
  .object({
    text: z.string().meta({ description: 'Plain text of at most 2,000 characters. It was not sent.' }),
  })
  .meta({ id: 'AssistantText', description: 'Text that the assistant wrote for a teammate.' })
