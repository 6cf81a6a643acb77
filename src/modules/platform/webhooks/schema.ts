import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { customerData } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery, rowIdParam } from '../../../core/paging.ts'
import { HEADERS_MAX, HeaderName, HeaderValue, headerList } from '../../../core/values/own-headers.ts'
import { Instant, InstantInput, JsonObject, REWRITTEN_IN_URLS } from '../../../core/values/text.ts'

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
    description: 'Address that receives the events: https, on the public internet.',
    example: 'https://example.com/hooks',
  })

const EventName = z.string().max(EVENT_NAME_MAX_LETTERS, 'Must be the name of an event.')

const EventNames = z.array(EventName).min(1, 'Must have at least one event.').nullable().meta({
  description: 'Events to subscribe to. Null or omitted: every event, including events added later.',
})

const NewHeader = z.strictObject({
  name: HeaderName,
  value: HeaderValue.meta({
    description: 'Value of the header. It is stored encrypted and never returned.',
    example: 'Bearer 6f1f2c',
  }),
})
const HeaderPatch = z.strictObject({
  name: HeaderName,
  value: HeaderValue.optional().meta({
    description:
      'New value of the header. Left out: the stored value stays. Required for a new name, and when the endpoint moves to another host.',
    example: 'Bearer 6f1f2c',
  }),
})

const subscription = {
  events: EventNames.optional(),
  event: EventName.optional().meta({ description: 'One event to subscribe to, instead of `events`.' }),
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
    description: 'Only these events: names separated by commas. Default: every event that the key can read.',
    type: 'string',
  })

/** The fields of a body about the events to subscribe to. */
export type Subscription = { events?: string[] | null | undefined; event?: string | undefined }

/** Body of `POST /webhooks` (spec 4.8). */
export const NewWebhook = z
  .strictObject({
    url: Address,
    ...subscription,
    headers: headerList(NewHeader)
      .default([])
      .meta({
        description: `Headers that every delivery has besides those of Parley, such as an API key of your gateway. At most ${HEADERS_MAX}.`,
      }),
  })
  .refine(hasSingleForm, exclusiveEvents)

/** Body of `PATCH /webhooks/{id}`: pause or resume, change events, move. */
export const WebhookPatch = z
  .strictObject({
    active: z.boolean().optional().meta({ description: '`false` pauses, `true` resumes.' }),
    url: Address.optional(),
    ...subscription,
    headers: headerList(HeaderPatch).optional().meta({
      description:
        'All own headers: the list replaces the earlier list. A header without `value` keeps its stored value.',
    }),
  })
  .refine(hasSingleForm, exclusiveEvents)
export type WebhookPatch = z.output<typeof WebhookPatch>

/** The maximum of events that one call of a replay reads. */
export const MAX_REPLAY = 1_000

/** Body of `POST /webhooks/{id}/replay` (docs/decisions/event-log.md). */
export const Replay = z
  .strictObject({
    from: InstantInput.meta({
      description: 'Only events that happened at this time or later. The log keeps 7 days.',
    }),
    to: InstantInput.optional().meta({
      description: 'Only events that happened before this time. Default: now.',
    }),
    events: subscription.events,
    event: subscription.event,
    only: z.enum(['all', 'undelivered']).default('all').meta({
      description:
        '`undelivered`: skips events that the endpoint received or that still wait for it, so that you can safely repeat the call.',
    }),
    cursor: rowIdParam('Must be the `nextCursor` of the previous answer.')
      .optional()
      .meta({ description: 'The `nextCursor` of the previous answer.' }),
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
        'Address of the endpoint. A key receives only the scheme and host, unless it registered the endpoint or is an admin key without its own scopes.',
    }),
    events: z.array(z.string()).nullable().meta({
      description: 'Events of the subscription; null for every event, including events added later.',
    }),
    headers: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the header.' }),
          set: z.literal(true).meta({ description: 'Always true: the value is set, and never returned.' }),
        }),
      )
      .nullable()
      .meta({
        description:
          'Own headers of the endpoint, without their values. Null for a key that does not receive the complete address.',
      }),
    active: z.boolean(),
    state: z.enum(WEBHOOK_STATES).meta({
      description:
        '`paused` by a member, `disabled` by Parley after failures, or `stopped` because the key that registered it stopped working.',
    }),
    disabledAt: Instant.nullable(),
    disabledReason: z.string().nullable(),
    oldSecretExpiresAt: Instant.nullable().meta({
      description: 'Until when the secret from before the last rotation also signs, in UTC.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    ...component('WebhookEndpoint', 'An endpoint that receives events.'),
    fields: {
      active: 'Whether the endpoint receives events.',
      disabledReason: 'Why it was disabled; null while it works.',
    },
  })

export const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const

/** Query of `GET /webhooks/{id}/deliveries` (spec 4.8, DECISIONS.md). */
export const DeliveryFilter = z.object({
  ...cursorQuery,
  event: EventName.optional().meta({
    description: 'Only attempts for events with this name.',
    example: 'lead.created',
  }),
  status: z
    .enum(DELIVERY_STATES, `Must be one of ${DELIVERY_STATES.join(', ')}.`)
    .optional()
    .meta({ description: 'Only attempts in this state.' }),
  eventId: Id.optional().meta({ description: 'Only attempts for the event with this id.' }),
})

/** One attempt of one event at one endpoint (docs/clarifications.md "Webhooks"). */
export const Delivery = z
  .object({
    id: z.string(),
    eventId: z.string().meta({
      description: 'Id of the event, sent as `x-webhook-id`. The same on retries and redeliveries.',
    }),
    event: z.string(),
    attempt: z.int().meta({ description: 'Number of the attempt, 1 to 12.' }),
    manual: z.boolean().meta({ description: 'Whether it is a test or a redelivery, which is not retried.' }),
    replayed: z
      .boolean()
      .meta({ description: 'Whether a replay requested it. It is retried like any other delivery.' }),
    status: z.enum(DELIVERY_STATES),
    httpStatus: z.int().nullable(),
    latencyMs: z.int().nullable(),
    error: z.string().nullable(),
    request: z
      .object({ url: z.string(), headers: z.record(z.string(), z.string()) })
      .nullable()
      .meta({
        description:
          'The request that was sent. The signature headers are included only if the key can read the event.',
      }),
    response: z
      .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })
      .nullable()
      .meta({
        description:
          'The answer of the endpoint. Null without an answer, or if the key cannot read the event.',
      }),
    data: customerData(JsonObject).nullable().meta({
      description:
        'The `data` that was sent. Null if the key cannot read the event, or if the event is no longer in the log.',
    }),
    createdAt: Instant,
    attemptedAt: Instant.nullable(),
    nextAttemptAt: Instant.nullable(),
  })
  .meta({
    ...component('WebhookDelivery', 'An attempt to deliver an event.'),
    fields: {
      status: 'Result of the attempt.',
      httpStatus: 'HTTP status of the answer; null without an answer.',
      latencyMs: 'Time until the answer, in milliseconds; null without an attempt.',
      error: 'The error; null if there was none.',
      'request.url': 'Address that was called.',
      'request.headers': 'Headers that were sent, without the own headers of the endpoint.',
      'response.status': 'HTTP status of the answer.',
      'response.headers': 'Headers of the answer.',
      'response.body': 'Beginning of the body of the answer.',
      attemptedAt: 'When the attempt was made, in UTC; null until then.',
      nextAttemptAt: 'When the next attempt is due, in UTC; null for none.',
    },
  })

/** The largest difference between the time of a signature and the receiver's clock (spec 8.2). */
export const SIGNATURE_TOLERANCE_SECONDS = 300

/** The steps of an attempt's signatures, recomputed from the log. */
export const SignatureCheck = z
  .object({
    deliveryId: z.string(),
    timestamp: z.int().nullable().meta({
      description: '`x-webhook-timestamp`, in seconds since 1970. Null if nothing was sent yet.',
    }),
    signedContent: z.string().nullable().meta({
      description:
        '`<timestamp>.<raw body>`, the signed content of `x-webhook-signature`. For `webhook-signature`, `<id>.` comes before it. Null if nothing was sent yet, or if the event is no longer in the log.',
    }),
    signatures: z.array(
      z.object({
        header: z.enum(['x-webhook-signature', 'webhook-signature']),
        value: z.string(),
        secret: z.enum(['current', 'previous']).nullable().meta({
          description:
            'The signing secret that makes this value from the signed content. Null if neither secret does: the secret was rotated since, or personal data of the event was erased since.',
        }),
      }),
    ),
    toleranceSeconds: z.int().meta({
      description: 'Maximum age of a timestamp that receivers accept, in seconds.',
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
    scope: z.string().meta({ description: 'Scope that a key limited to scopes needs to read the event.' }),
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
  data: customerData(JsonObject),
})

/** An event in the log: the body that webhooks deliver (spec 6.1). */
export const LoggedEvent = z
  .object({ id: Id, event: z.string(), createdAt: Instant, data: customerData(JsonObject) })
  .meta({ id: 'LoggedEvent', description: 'An event, as webhooks deliver it.' })

/** Body of `POST /sandbox/events`. */
export const TriggeredEvent = z.strictObject({
  event: EventName,
  data: JsonObject.default({}).meta({ description: 'Fields that replace those of the example.' }),
})
