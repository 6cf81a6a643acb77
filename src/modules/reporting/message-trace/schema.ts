import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { SourceSchema } from '../../../core/source.ts'
import { Instant } from '../../../core/values/text.ts'

/** The webhook deliveries that a trace shows at most. */
export const MAX_DELIVERIES = 200

const STEP_KINDS = [
  'accepted',
  'received',
  'waited',
  'call',
  'report',
  'failed',
  'skipped',
  'answered',
  'automation',
  'delivery',
  'gone',
] as const

/** One step of a message's history. */
const TraceStep = z
  .object({
    at: Instant.meta({ description: 'When it happened, in UTC.' }),
    kind: z.enum(STEP_KINDS),
    text: z.string().meta({ example: 'The operator accepted the message after 120 ms.' }),
    until: Instant.nullable(),
    reason: z.string().nullable().meta({ example: 'order' }),
    source: SourceSchema.nullable(),
    call: z
      .object({
        attempt: z.number().int(),
        result: z.enum(['accepted', 'refused', 'not_sent', 'unknown', 'unrecorded']),
        httpStatus: z.number().int().nullable(),
        errorCode: z.number().int().nullable(),
        error: z.string().nullable(),
        durationMs: z.number().int().nullable(),
      })
      .nullable(),
    report: z
      .object({
        status: z.string(),
        reportedFor: Instant,
        errorCode: z.number().int().nullable(),
        error: z.string().nullable(),
      })
      .nullable(),
    delivery: z
      .object({
        id: Id,
        webhookId: Id,
        event: z.string(),
        attempt: z.number().int(),
        status: z.enum(['pending', 'succeeded', 'failed']),
        httpStatus: z.number().int().nullable(),
        error: z.string().nullable(),
        durationMs: z.number().int().nullable(),
        nextAt: Instant.nullable(),
      })
      .nullable(),
    messageId: Id.nullable(),
    run: z.object({ id: Id, automationId: Id, status: z.string() }).nullable(),
  })
  .meta({
    id: 'TraceStep',
    description: 'One step of the history of a message.',
    fields: {
      kind: 'Kind of step. `gone`: steps that Parley does not have, such as deliveries older than 7 days.',
      text: 'The step as a sentence.',
      until: 'End of a wait, in UTC; null for other steps.',
      reason:
        'Reason for a wait (such as `order`, `pace`, `worker`, or `backing_off`), for a skipped message, or for missing steps (`log`, `unrecorded`, or `too_many`); null for other steps.',
      source: 'Source of an accepted message or of an automatic answer; null for other steps.',
      call: 'A call to the operator; null for other steps.',
      'call.attempt': 'Number of the call, from 1.',
      'call.result':
        'Result of the call. `not_sent`: it did not reach the operator. `unknown`: the message may have been sent. `unrecorded`: the process ended, or the report arrived, before the answer was recorded.',
      'call.httpStatus': 'HTTP status of the answer; null without one.',
      'call.errorCode': "The operator's error code; null without an error.",
      'call.error': "The operator's error, or the reason why there was no answer; null without one.",
      'call.durationMs': 'Duration of the call in milliseconds; null if it was not recorded.',
      report: 'A report of the operator; null for other steps. Repeated reports are left out.',
      'report.status': 'The reported state, such as `delivered`.',
      'report.reportedFor': "The operator's time of the state, in UTC.",
      'report.errorCode': "The operator's error code; null without an error.",
      'report.error': "The operator's error; null without one.",
      delivery: 'A webhook delivery of an event of the message; null for other steps.',
      'delivery.webhookId': 'Id of the webhook endpoint.',
      'delivery.event': 'Name of the event.',
      'delivery.attempt': 'Number of the attempt, from 1.',
      'delivery.status': 'State of the attempt.',
      'delivery.httpStatus': 'HTTP status of the receiver; null without an answer.',
      'delivery.error': 'Why the attempt failed; null if it did not.',
      'delivery.durationMs': 'Duration of the attempt in milliseconds; null until it ended.',
      'delivery.nextAt': 'When the next attempt is due, in UTC; null for none.',
      messageId: 'Id of the automatic answer; null for other steps.',
      run: 'Run of an automation that this message started; null for other steps.',
      'run.id': 'Id of the run.',
      'run.automationId': 'Id of the automation.',
      'run.status': 'State of the run.',
    },
  })
export type TraceStep = z.input<typeof TraceStep>

const WAITS = [
  'content',
  'campaign_paused',
  'number_closed',
  'backing_off',
  'call',
  'report',
  'retry',
  'order',
  'recipient_pace',
  'restricted',
  'worker',
  'pace',
  'delivery',
  'webhook',
] as const

/** The history of a message, and the thing that it waits for. */
export const MessageTrace = z
  .object({
    messageId: Id,
    direction: z.enum(['inbound', 'outbound']),
    status: z.string().nullable(),
    steps: z.array(TraceStep),
    now: z
      .object({ kind: z.enum(WAITS), text: z.string(), since: Instant, until: Instant.nullable() })
      .nullable(),
  })
  .meta({
    id: 'MessageTrace',
    description: 'The history of a message.',
    fields: {
      direction: 'From a customer (`inbound`) or from you (`outbound`).',
      status: "Delivery state of your message; null for a customer's.",
      steps: 'The steps, in the order in which they happened.',
      now: 'The thing that the message waits for now; null if it waits for nothing.',
      'now.kind': 'Kind of wait.',
      'now.text': 'The wait as a sentence.',
      'now.since': 'Start of the wait, in UTC.',
      'now.until': 'Known end of the wait, in UTC; null if unknown.',
    },
  })
export type MessageTrace = z.input<typeof MessageTrace>
