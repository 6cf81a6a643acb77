import { z } from 'zod'
import { TEXT_MAX } from '../messages/schema.ts'

const short = (max: number) =>
  z.string().min(1, 'must not be empty').max(max, `must be at most ${max} characters`)

/** What a customer sends: one of them. */
const CONTENT = ['text', 'buttonId', 'listId', 'mediaId'] as const

/** Body of `POST /sandbox/inbound` (spec 4.9): exactly one of text, buttonId, listId, and, beyond it, mediaId. */
export const InboundBody = z
  .strictObject({
    from: short(200).meta({
      description: 'Number with country code, or `chan:<user id>` for a customer without one.',
      example: '+919812345678',
    }),
    name: short(200).optional().meta({ description: 'Profile name.' }),
    username: short(100).optional().meta({ description: 'Username of a customer without a number.' }),
    text: z
      .string()
      .max(TEXT_MAX)
      .refine((text) => text.trim() !== '', 'must not be empty')
      .optional(),
    buttonId: short(256).optional().meta({ description: 'A tapped reply button; comes with `title`.' }),
    listId: short(200).optional().meta({ description: 'A picked list row; comes with `title`.' }),
    title: short(200).optional(),
    mediaId: short(200)
      .optional()
      .meta({ description: 'A file that the customer sends: an id of `POST /media`.' }),
    caption: short(1024).optional().meta({ description: 'Stands under a picture, film or document.' }),
  })
  .superRefine((body, context) => {
    const given = CONTENT.filter((field) => body[field] !== undefined)
    if (given.length !== 1)
      context.addIssue({
        code: 'custom',
        path: given.length === 0 ? ['text'] : [given[1]!],
        message: `send exactly one of ${CONTENT.join(', ')}`,
      })
    else if ((given[0] === 'buttonId' || given[0] === 'listId') && body.title === undefined)
      context.addIssue({ code: 'custom', path: ['title'], message: `is required with ${given[0]}` })
  })
export type InboundBody = z.output<typeof InboundBody>

/** Longest step of a sandbox clock: a year. */
export const MAX_ADVANCE_SECONDS = 31_536_000

/**
 * A sandbox's clock ends here: whatever is computed from its time (a window, a schedule, a file's life) still lies in a year of
 * four digits, as instants are written.
 */
const CLOCK_END = new Date('9998-01-01T00:00:00.000Z')

/** How many milliseconds a clock that is `offsetMs` ahead may still be moved. */
export const longestAdvance = (realNow: Date, offsetMs: number): number =>
  CLOCK_END.getTime() - realNow.getTime() - offsetMs

export const ClockBody = z.strictObject({
  advanceSeconds: z
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_ADVANCE_SECONDS, `must be at most ${MAX_ADVANCE_SECONDS}`),
})
