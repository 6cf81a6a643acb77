import { z } from 'zod'
import { must, object, operatorId } from './fields.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const pictured = /\p{Extended_Pictographic}|^\p{Regional_Indicator}{2}$|^[0-9#*]\uFE0F?\u20E3$/u
const LONGEST = 64

/** Returns whether the text is one emoji, of any number of code points. */
const isEmoji = (text: string): boolean =>
  text.length <= LONGEST && pictured.test(text) && [...graphemes.segment(text)].length === 1

/** An emoji on a message; an empty text removes it (docs/formats.md section 2). */
export const ReactionPayload = object({
  message_id: operatorId,
  emoji: z
    .string(must('a string'))
    .refine((text) => text === '' || isEmoji(text), 'Must be one emoji, or empty to remove the reaction.'),
}).meta({
  id: 'ReactionPayload',
  description: 'A reaction to a message.',
  fields: { message_id: "The channel's id of the message.", emoji: 'One emoji; empty removes the reaction.' },
})
