import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { isTimeZone, minutesOf } from '../../../core/values/calendar.ts'
import { Instant } from '../../../core/values/text.ts'

const MAX_ADDRESS = 2_000
const MAX_KEY = 200
const base64url = z
  .string()
  .max(MAX_KEY)
  .regex(/^[\w-]+$/, 'Must be base64url without padding.')

export const NewSubscription = z.strictObject({
  endpoint: z.string().max(MAX_ADDRESS).meta({
    description: 'Address of the browser at its push service.',
    example: 'https://push.example.com/send/c3Vic2NyaXB0aW9u',
  }),
  p256dh: base64url.meta({
    description: 'Public key of the browser, base64url.',
    example: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  }),
  auth: base64url.meta({
    description: 'Shared secret of the browser, base64url.',
    example: 'c2hhcmVkLXNlY3JldC0wMQ',
  }),
})
export type NewSubscription = z.output<typeof NewSubscription>

export const Subscription = z
  .object({
    id: Id,
    device: z.string().meta({ description: 'Browser and system, as it names itself.' }),
    current: z.boolean().meta({ description: 'Whether this session created it.' }),
    createdAt: Instant,
  })
  .meta({ id: 'PushSubscription' })

const time = z.string().refine((text) => minutesOf(text) !== undefined)
const Quiet = z.object({
  timeZone: z.string().refine(isTimeZone),
  weekly: z.array(z.object({ day: z.int().min(1).max(7), from: time, to: time })).max(50),
})

/**
 * The member's choices, in `preferences.push`. The pages write them; a part that Parley can't read counts as
 * not set.
 */
export const PushSettings = z
  .object({
    /** Whether customers' messages are pushed; other notifications follow their kinds. */
    messages: z.boolean().catch(true).default(true),
    /** Whether messages in chats without an assignee are pushed. */
    unassigned: z.boolean().catch(true).default(true),
    /** Whether a notification shows the text. */
    text: z.boolean().catch(true).default(true),
    /** Hours in which nothing is pushed. */
    quiet: Quiet.nullable().catch(null).default(null),
  })
  .catch({ messages: true, unassigned: true, text: true, quiet: null })
export type PushSettings = z.output<typeof PushSettings>
