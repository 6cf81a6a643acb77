import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { cursorQuery, placeInList } from '../../core/paging.ts'
import { Instant, InstantInput, JsonObject, REWRITTEN_IN_URLS } from '../../core/text.ts'

/** The maximum of endpoints in a workspace (spec 8.2). */
export const ENDPOINTS_MAX = 25
const URL_LENGTH_MAX = 2048
const EVENT_NAME_MAX_LETTERS = 64

const Address = z
  .string()
  .max(URL_LENGTH_MAX, `Must have at most ${URL_LENGTH_MAX} characters.`)
  // Otherwise the stored address would differ from the one in the request.
  .refine(
    (text) => !REWRITTEN_IN_URLS.test(text),
    'Must not contain white space, control characters, or backslashes.',
  )
  .refine((text) => URL.canParse(text), 'Must be an https address.')
  .transform((text) => {
    const url = new URL(text)
    url.hash = ''
    return url.href
  })
  .meta({
    description: 'Where deliveries go: https, on the public internet.',
    example: 'https://example.com/hooks',
  })

const EventName = z.string().max(EVENT_NAME_MAX_LETTERS, 'Must be the name of an event.')

const EventNames = z.array(EventName).min(1, 'Must have at least one event.').nullable().meta({
  description:
    'The events to subscribe to, no more than there are; null or absent: every event, later-added ones included.',
})

const subscription = {
  events: EventNames.optional(),
  event: EventName.optional().meta({ description: 'One event, instead of `events`.' }),
}
const exclusiveEvents = { path: ['event'], error: 'Must be left out when events is sent.' }
const hasSingleForm = (body: { events?: unknown; event?: unknown }) =>
  body.events === undefined || body.event === undefined

/** Names of events in a query, separated by commas. */
export const eventNamesInQuery = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(EventNames.unwrap())
  .optional()
  .meta({
    description:
      'Names of events, parted by commas: only these. Every event that the key may read unless said.',
    type: 'string',
  })

/** The fields of a body about the events to subscribe to. */
export type Subscription = { events?: string[] | null | undefined; event?: string | undefined }

/** Body of `POST /webhooks` (spec 4.8). */
export const NewWebhook = z
  .strictObject({ url: Address, ...subscription })
  .refine(hasSingleForm, exclusiveEvents)

/** Body of `PATCH /webhooks/{id}`: pause or resume, change events, move. */
export const WebhookPatch = z
  .strictObject({
    active: z.boolean().optional().meta({ description: '`false` pauses, `true` resumes.' }),
    url: Address.optional(),
    ...subscription,
  })
  .refine(hasSingleForm, exclusiveEvents)
export type WebhookPatch = z.output<typeof WebhookPatch>

/** The maximum of events that one call of a replay reads. */
export const MAX_REPLAY = 1_000

/** Body of `POST /webhooks/{id}/replay` (docs/decisions/event-log.md). */
export const Replay = z
  .strictObject({
    from: InstantInput.meta({ description: 'Events that happened from then on; the log keeps 7 days.' }),
    to: InstantInput.optional().meta({ description: 'Events that happened before then; now unless said.' }),
    events: subscription.events,
    event: subscription.event,
    only: z.enum(['all', 'undelivered']).default('all').meta({
      description:
        '`undelivered`: leaves out what the endpoint took already and what still waits for it, so that repeating is harmless.',
    }),
    cursor: placeInList('Must be the `nextCursor` of the previous answer.')
      .optional()
      .meta({ description: "The previous answer's `nextCursor`." }),
  })
  .refine(hasSingleForm, exclusiveEvents)
  .refine((body) => body.to === undefined || body.from < body.to, {
    path: ['to'],
    error: 'Must be later than from.',
  })
export type Replay = z.output<typeof Replay>

const WEBHOOK_STATES = ['active', 'paused', 'disabled', 'stopped'] as const

/** An endpoint in answers, always without its secret (spec 2.11). */
export const Webhook = z
  .object({
    id: z.string(),
    url: z.string().meta({
      description:
        'Scheme and host alone, unless the key is an admin key without scopes of its own or registered the endpoint.',
    }),
    events: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Null: every event, later-added ones included.' }),
    active: z.boolean(),
    state: z.enum(WEBHOOK_STATES).meta({
      description:
        '`paused` by a person, `disabled` by the service after failures, `stopped` with the key that registered it.',
    }),
    disabledAt: Instant.nullable(),
    disabledReason: z.string().nullable(),
    oldSecretExpiresAt: Instant.nullable().meta({
      description: 'Until when the secret before the last rotation signs too.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    fields: {
      active: 'Whether the endpoint receives events.',
      disabledReason: 'Why it was disabled; null while it works.',
    },
  })

export const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const

/** Query of `GET /webhooks/{id}/deliveries` (spec 4.8, docs/decisions/webhooks.md). */
export const DeliveryFilter = z.object({
  ...cursorQuery,
  event: EventName.optional().meta({ description: 'Only attempts of this event.', example: 'lead.created' }),
  status: z
    .enum(DELIVERY_STATES, `Must be one of ${DELIVERY_STATES.join(', ')}.`)
    .optional()
    .meta({ description: 'Only attempts in this state.' }),
  eventId: Id.optional().meta({ description: 'Only attempts of this one event.' }),
})

/** One attempt of one event at one endpoint (docs/clarifications.md "Webhooks"). */
export const Delivery = z
  .object({
    id: z.string(),
    eventId: z
      .string()
      .meta({ description: 'Sent as `x-webhook-id`; the same on retries and redeliveries.' }),
    event: z.string(),
    attempt: z.int().meta({ description: '1 to 12.' }),
    manual: z.boolean().meta({ description: 'A test or a redelivery: not retried.' }),
    replayed: z.boolean().meta({ description: 'Asked for by a replay: retried like any other.' }),
    status: z.enum(DELIVERY_STATES),
    httpStatus: z.int().nullable(),
    latencyMs: z.int().nullable(),
    error: z.string().nullable(),
    request: z
      .object({ url: z.string(), headers: z.record(z.string(), z.string()) })
      .nullable()
      .meta({ description: 'The headers of its signature only when the key may read the event.' }),
    response: z
      .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })
      .nullable()
      .meta({
        description:
          'Null when there was no answer, or the key may not read the event. `body` is its beginning.',
      }),
    data: JsonObject.nullable().meta({
      description: 'What was sent as `data`; null when the key may not read the event, or it left the log.',
    }),
    createdAt: Instant,
    attemptedAt: Instant.nullable(),
    nextAttemptAt: Instant.nullable(),
  })
  .meta({
    fields: {
      status: 'What became of the attempt.',
      httpStatus: 'HTTP status of the answer; null without an answer.',
      latencyMs: 'Time until the answer, in milliseconds; null without an attempt.',
      error: 'What went wrong; null if nothing did.',
      'request.url': 'Address that was called.',
      'request.headers': 'Headers that were sent.',
      'response.status': 'HTTP status of the answer.',
      'response.headers': 'Headers of the answer.',
      'response.body': 'Beginning of the body of the answer.',
      attemptedAt: 'When the attempt was made, in UTC; null until then.',
      nextAttemptAt: 'When the next attempt is due, in UTC; null for none.',
    },
  })

/** The largest difference between the time of a signature and the receiver's clock (spec 8.2). */
export const SIGNATURE_TOLERANCE_SECONDS = 300

/** How the signatures of an attempt were made, recomputed from the log. */
export const SignatureCheck = z
  .object({
    deliveryId: z.string(),
    timestamp: z.int().nullable().meta({
      description: '`x-webhook-timestamp`, in seconds since 1970. Null: nothing has been sent yet.',
    }),
    signedContent: z.string().nullable().meta({
      description:
        '`<timestamp>.<raw body>`, what `x-webhook-signature` is made of; `webhook-signature` has `<id>.` before it. Null when nothing has been sent, or the event left the log.',
    }),
    signatures: z.array(
      z.object({
        header: z.enum(['x-webhook-signature', 'webhook-signature']),
        value: z.string(),
        secret: z.enum(['current', 'previous']).nullable().meta({
          description:
            'The signing secret that makes this value of the signed content. Null: neither; it was rotated away since, or personal data of the event was erased since.',
        }),
      }),
    ),
    toleranceSeconds: z.int().meta({
      description: 'Receivers refuse what was signed earlier than so long ago.',
      example: SIGNATURE_TOLERANCE_SECONDS,
    }),
  })
  .meta({
    fields: {
      deliveryId: 'Id of the delivery.',
      signatures: 'Signature headers of the attempt.',
      'signatures.header': 'Name of the header.',
      'signatures.value': 'One signature in the header.',
    },
  })
export type SignatureCheck = z.input<typeof SignatureCheck>

/** An event kind in `GET /webhooks/events`. */
export const EventDescription = z
  .object({
    event: z.string(),
    description: z.string().meta({ description: 'When it fires.' }),
    scope: z.string().meta({ description: 'The scope that a narrowed key needs to read it.' }),
    adminOnly: z.boolean(),
    payload: z.array(z.string()).meta({ description: 'The fields of `data`.' }),
    schema: JsonObject.meta({ description: 'JSON Schema of `data`.' }),
    example: JsonObject,
  })
  .meta({ fields: { adminOnly: 'Whether only admin keys can read it.', example: 'Example of `data`.' } })

/** A delivery's body, as receivers get it. */
export const EventSample = z.object({
  id: z.string(),
  event: z.string(),
  createdAt: Instant,
  data: JsonObject,
})

/** An event in the log: the body that webhooks deliver (spec 6.1). */
export const LoggedEvent = z
  .object({ id: Id, event: z.string(), createdAt: Instant, data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'LoggedEvent', description: 'An event, as webhooks deliver it.' })

/** Body of `POST /sandbox/events`. */
export const TriggeredEvent = z.strictObject({
  event: EventName,
  data: JsonObject.default({}).meta({ description: "Fields that take the place of the example's." }),
})
