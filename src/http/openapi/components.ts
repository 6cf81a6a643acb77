import type { Part } from './schemas.ts'

const whole = (description: string, example: number): Part => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
})

/** Response headers (spec 4.1.1, 8.1). */
export const headers: Record<string, Part> = {
  'RateLimit-Limit': whole(
    'Burst size of the bucket closest to empty. Absent while the rate limiter is unreachable.',
    600,
  ),
  'RateLimit-Remaining': whole('Requests left in that bucket.', 599),
  'RateLimit-Reset': whole('Seconds until that bucket is full.', 1),
  'Retry-After': whole('Seconds to wait before trying again.', 2),
  'WWW-Authenticate': {
    description: 'Authentication method that the server expects.',
    schema: { type: 'string', const: 'Bearer' },
  },
  'X-Request-Id': {
    description:
      "Id of the request: yours, or one that Parley created. It identifies the request in Parley's log.",
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description:
      'Present if the response repeats the stored response of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
}

const webhookHeader = (name: string, description: string, schema: Part): Part => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

/** Request headers, of the API and of webhooks (spec 6.1, 6.2). */
export const parameters: Record<string, Part> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe, such as `order-4711-confirmation`. Within 24 hours, the same request with the same key gets the first response and has no second effect. A different request with the key returns an error. Each API key has its own idempotency keys.',
    // No `example`: reference pages prefill it, and the reader's second write would be refused because the
    // first used the key.
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: "Your own id for this request. The response and Parley's log contain it.",
    schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
  },
  WebhookId: webhookHeader('x-webhook-id', 'Id of the event. The same on retries and redeliveries.', {
    type: 'string',
    format: 'uuid',
  }),
  WebhookEvent: webhookHeader('x-webhook-event', 'Name of the event.', { type: 'string' }),
  WebhookTimestamp: webhookHeader(
    'x-webhook-timestamp',
    'When this attempt was signed, in Unix seconds. Reject a time that differs from your clock by more than five minutes.',
    { type: 'string', pattern: '^\\d+$' },
  ),
  WebhookSignature: webhookHeader(
    'x-webhook-signature',
    '`sha256=` and the lowercase hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the secret of the endpoint. For 24 hours after a rotation, it has two values, separated by a comma: accept the delivery if either matches. Compare in constant time.',
    { type: 'string' },
  ),
}

/** The authentication of callers (spec 5). */
export const securitySchemes: Record<string, Part> = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key of the workspace, sent as `Authorization: Bearer <API_KEY>`. In a form, enter only the key.',
  },
}
