import { z } from 'zod'
import { must, object, operatorId } from './fields.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const pictured = /\p{Extended_Pictographic}|^\p{Regional_Indicator}{2}$|^[0-9#*]\uFE0F?\u20E3$/u
const LONGEST = 64

/** Whether the text is one emoji, however many code points it is made of. */
const isEmoji = (text: string): boolean =>
  text.length <= LONGEST && pictured.test(text) && [...graphemes.segment(text)].length === 1

/** An emoji on a message; the empty text takes it back (docs/formats.md section 2). */
export const ReactionPayload = object({
  message_id: operatorId,
  emoji: z
    .string(must('a string'))
    .refine((text) => text === '' || isEmoji(text), 'Must be one emoji, or empty to remove the reaction.'),
}).meta({ id: 'ReactionPayload' })
