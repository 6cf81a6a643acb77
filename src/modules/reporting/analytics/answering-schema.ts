import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { AnalyticsQuery, Day } from './schema.ts'

export const PeriodQuery = AnalyticsQuery.pick({ days: true })

/** Max failed messages that are read. */
export const MAX_FAILURES = 10_000
/** Max chats that are read, last active first, and max messages of each. */
export const MAX_CHATS = 500
export const MAX_MESSAGES = 60

const count = z.number().int()
const seconds = z.number().int().nullable().meta({ description: 'Time in seconds; null if there was none.' })

export const FailureCauses = z
  .object({
    from: Day,
    to: Day,
    failures: z.array(
      z.object({
        code: z.number().int().nullable().meta({ description: "The operator's error code." }),
        title: z.string().nullable(),
        count,
      }),
    ),
    isPartial: z.boolean().meta({
      description: `Whether there were more than ${MAX_FAILURES} failures, so that only some are counted.`,
    }),
  })
  .meta({ id: 'FailureCauses' })

export const AnswerTimes = z
  .object({
    from: Day,
    to: Day,
    chats: count.meta({
      description: `Number of chats in the figures: the most recently active ones, at most ${MAX_CHATS}.`,
    }),
    answers: count,
    medianSeconds: seconds,
    p90Seconds: seconds.meta({ description: 'Time within which 9 of 10 answers were sent, in seconds.' }),
    byDay: z.array(z.object({ date: Day, answers: count, medianSeconds: seconds })),
    team: z.array(
      z.object({
        memberId: Id.nullable().meta({
          description:
            'The member; null for answers without a member, such as those by a shared key or the phone app.',
        }),
        name: z.string().nullable(),
        messages: count,
        answers: count,
        medianSeconds: seconds,
      }),
    ),
  })
  .meta({ id: 'AnswerTimes' })
