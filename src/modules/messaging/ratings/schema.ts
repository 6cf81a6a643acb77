import { z } from 'zod'
import { windowDays } from '../../../core/day-window.ts'
import { Id } from '../../../core/ids.ts'
import en from './texts/en.json' with { type: 'json' }

/** Customers read it in their language, from the catalogs. */
export const STANDARD_QUESTION = en.question

const QUESTION_MAX = 1_024
/** A day. Later, customers no longer remember the chat. */
const DELAY_MAX = 1_440

const RATING_SETTINGS_FIELDS = {
  enabled: 'Whether customers are asked for a rating.',
  question: 'Question that customers are asked. They read the standard question in their language.',
  delayMinutes: 'Minutes between resolving the chat and asking.',
}

/** The settings for chat ratings by customers (DECISIONS.md). */
export const RatingSettings = z
  .strictObject({
    enabled: z.boolean().default(false),
    question: z
      .string()
      .trim()
      .min(1, 'Must not be empty.')
      .max(QUESTION_MAX, `Must be at most ${QUESTION_MAX} characters.`)
      .default(STANDARD_QUESTION),
    templateId: Id.nullable().default(null).meta({
      description:
        'Id of an approved template that asks while the 24-hour window is closed; null to ask only in an open window.',
    }),
    delayMinutes: z
      .int(`Must be a whole number from 0 to ${DELAY_MAX}.`)
      .min(0, `Must be a whole number from 0 to ${DELAY_MAX}.`)
      .max(DELAY_MAX, `Must be a whole number from 0 to ${DELAY_MAX}.`)
      .default(0)
      .meta({ description: 'Minutes between resolving the chat and asking.' }),
  })
  .meta({ fields: RATING_SETTINGS_FIELDS })
export type RatingSettings = z.output<typeof RatingSettings>

/** The rating settings in a response. */
export const RatingSettingsShown = z
  .object({ enabled: z.boolean(), question: z.string(), templateId: Id.nullable(), delayMinutes: z.int() })
  .meta({
    id: 'RatingSettings',
    description: 'Whether and how customers are asked to rate a chat.',
    fields: RATING_SETTINGS_FIELDS,
  })

export const RatingsQuery = z.object({
  days: windowDays,
})

/** Totals of the ratings of chats. */
export const Ratings = z
  .object({
    days: z.number().int(),
    asked: z
      .number()
      .int()
      .meta({ description: 'Number of chats for which the customer was asked, in these days.' }),
    rated: z.number().int().meta({ description: 'Number of those chats that were rated.' }),
    average: z
      .number()
      .nullable()
      .meta({ description: 'Average rating, with two decimals; null without ratings.' }),
    byScore: z
      .array(z.object({ score: z.number().int(), ratings: z.number().int() }))
      .meta({ description: 'Number of chats by rating, from 1 to 5.' }),
  })
  .meta({
    id: 'Ratings',
    description: 'Ratings of a period.',
    fields: {
      days: 'Number of days counted, today included.',
      'byScore.score': 'The rating, from 1 to 5.',
      'byScore.ratings': 'How many chats got this rating.',
    },
  })
