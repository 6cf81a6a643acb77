/** The history of a message (DECISIONS.md). */
import { DAY_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { hasScope } from '../../../../core/scopes.ts'
import type { Source } from '../../../../core/source.ts'
import {
  type FoundMessage,
  getMessageRow,
  presentSource,
} from '../../../messaging/messages/reading/operations/read-messages.ts'
import { LEASE_MS } from '../../../messaging/messages/trace-schema.ts'
import {
  type DeliveryRow,
  findTraced,
  listDeliveriesOf,
  listMessageEvents,
  listMessagesAfterIt,
  listRunsOfEvents,
  type TracedRow,
} from '../queries.ts'
import { MAX_DELIVERIES, type MessageTrace, type TraceStep } from '../schema.ts'
import { waitingNow } from './now-waiting.ts'
import { parseTrace, stepOf, stepsOfLines } from './read-lines.ts'
import { durationText, subjectOf } from './trace-text.ts'

/** The retention of events and deliveries (spec 6.1, 8.2). */
const LOG_MS = 7 * DAY_MS
const INBOUND_EVENTS = ['message.received', 'flow.completed']
const OUTBOUND_EVENTS = ['message.status', 'message.failed']
/** An automatic message counts as an answer if it follows within this time. */
const ANSWER_MS = 600_000

/** Returns the first step: the message was accepted from its source, or received. */
function firstStep(row: FoundMessage): TraceStep {
  const atMs = row.createdAt.getTime()
  if (row.direction === 'inbound')
    return stepOf({
      atMs,
      kind: 'received',
      text:
        row.sentAt && atMs - row.sentAt.getTime() > 60_000
          ? `Parley received the message ${durationText(atMs - row.sentAt.getTime())} after the customer sent it.`
          : 'Parley received the message from the customer.',
    })
  const source = presentSource(row)
  if (source?.kind === 'phone_app')
    return stepOf({ atMs, kind: 'received', text: 'A person sent the message in the phone app.', source })
  return stepOf({
    atMs,
    kind: 'accepted',
    text: `${source ? subjectOf(source) : 'Parley'} sent the message, and Parley accepted it.`,
    source,
  })
}

const REPORTED = [
  ['sent', 'sentAt'],
  ['delivered', 'deliveredAt'],
  ['read', 'readAt'],
  ['failed', 'failedAt'],
] as const

/** Returns the known states of a message whose steps were not recorded. */
function unrecordedSteps(row: FoundMessage): TraceStep[] {
  const states = REPORTED.flatMap(([status, column]) => {
    const at = row[column]
    if (!at) return []
    const error = status === 'failed' ? row.error : null
    return [
      stepOf({
        atMs: at.getTime(),
        kind: 'report',
        text: `The message has the state ${status}.${error ? ` Error ${error.code}: ${error.message}` : ''}`,
        report: {
          status,
          reportedFor: at.toISOString(),
          errorCode: error?.code ?? null,
          error: error?.message ?? null,
        },
      }),
    ]
  })
  return [
    stepOf({
      atMs: row.createdAt.getTime(),
      kind: 'gone',
      reason: 'unrecorded',
      text: 'The calls of this message were not recorded, because an earlier version of Parley sent it.',
    }),
    ...states,
  ]
}

/** Returns the waits, calls, and reports of our message. */
function outboundSteps(row: FoundMessage, { trace, operator }: TracedRow): TraceStep[] {
  if (row.sourceKind === 'phone_app') return []
  if (trace === null) return row.status === 'queued' ? [] : unrecordedSteps(row)
  const steps = stepsOfLines(parseTrace(trace), LEASE_MS[operator === 'simulator' ? operator : 'cloud'])
  const accepted = row.createdAt.getTime()
  const firstCall = steps.find(({ kind }) => kind === 'call' || kind === 'waited')
  const firstMs = firstCall ? Date.parse(firstCall.at) : accepted
  const late =
    firstCall?.kind === 'call' && firstMs - accepted > 1_000
      ? [
          stepOf({
            atMs: accepted,
            kind: 'waited',
            until: firstCall.at,
            reason: 'worker',
            text: `The message waited ${durationText(firstMs - accepted)} for a process of Parley to send it.`,
          }),
        ]
      : []
  return [...late, ...steps]
}

const deliveryText = ({ status, event, attempt, httpStatus, latencyMs, error }: DeliveryRow): string => {
  if (status === 'pending') return `Attempt ${attempt} to deliver ${event} to a webhook endpoint is due.`
  const took = latencyMs === null ? '' : ` (${durationText(latencyMs)})`
  return status === 'succeeded'
    ? `The webhook endpoint accepted ${event} with status ${httpStatus}${took}.`
    : `Attempt ${attempt} to deliver ${event} failed${took}. ${error ?? ''}`.trim()
}

const deliveryStep = (row: DeliveryRow): TraceStep =>
  stepOf({
    atMs: (row.attemptedAt ?? row.dueAt).getTime(),
    kind: 'delivery',
    text: deliveryText(row),
    delivery: {
      id: row.id,
      webhookId: row.endpointId,
      event: row.event,
      attempt: row.attempt,
      status: row.status === 'succeeded' || row.status === 'failed' ? row.status : 'pending',
      httpStatus: row.httpStatus,
      error: row.error,
      durationMs: row.latencyMs,
      nextAt: (row.status === 'pending' ? row.dueAt : row.nextAt)?.toISOString() ?? null,
    },
  })

/** Returns the endpoints whose deliveries the caller may see (spec 4.8). */
function visibleEndpoints(ctx: Context) {
  const { actor } = ctx
  const mayManage = hasScope(ctx, 'webhooks:manage')
  const isAdmin = actor.kind === 'platform' || (actor.role === 'admin' && mayManage)
  return { isAdmin, keyId: actor.kind === 'key' && mayManage ? actor.keyId : null }
}

/** Returns the webhook deliveries of the message's events, and the runs of automations that they started. */
async function eventSteps(ctx: Context, row: FoundMessage): Promise<TraceStep[]> {
  const events = await listMessageEvents(
    ctx,
    row,
    row.direction === 'inbound' ? INBOUND_EVENTS : OUTBOUND_EVENTS,
  )
  const ids = events.map(({ id }) => id)
  const visible = visibleEndpoints(ctx)
  const [deliveries, runs] = await Promise.all([
    ids.length > 0 && (visible.isAdmin || visible.keyId !== null) ? listDeliveriesOf(ctx, ids, visible) : [],
    ids.length > 0 && hasScope(ctx, 'automations:read') ? listRunsOfEvents(ctx, row.contactId, ids) : [],
  ])
  const steps = [
    ...deliveries.slice(0, MAX_DELIVERIES).map(deliveryStep),
    ...runs.map(({ id, automationId, status, createdAt }) =>
      stepOf({
        atMs: createdAt.getTime(),
        kind: 'automation',
        text: 'The event started a run of an automation.',
        run: { id, automationId, status },
      }),
    ),
  ]
  if (deliveries.length > MAX_DELIVERIES)
    steps.push(
      stepOf({
        atMs: deliveries[MAX_DELIVERIES]!.dueAt.getTime(),
        kind: 'gone',
        reason: 'too_many',
        text: `Only the first ${MAX_DELIVERIES} webhook deliveries are shown.`,
      }),
    )
  if (ctx.now.getTime() - row.createdAt.getTime() > LOG_MS)
    steps.push(
      stepOf({
        atMs: row.createdAt.getTime(),
        kind: 'gone',
        reason: 'log',
        text: 'Webhook deliveries are kept for 7 days. Older ones are gone.',
      }),
    )
  return steps
}

/** Returns the automatic messages that followed a customer's message, until the customer wrote again. */
async function answerSteps(ctx: Context, row: FoundMessage): Promise<TraceStep[]> {
  const following = await listMessagesAfterIt(ctx, row)
  const next = following.findIndex(({ direction }) => direction === 'inbound')
  return following.slice(0, next < 0 ? undefined : next).flatMap((message) => {
    const { id, createdAt, sourceKind, sourceId, sourceName } = message
    const isAutomatic =
      sourceKind !== null && !['member', 'api_key', 'campaign', 'phone_app'].includes(sourceKind)
    if (!isAutomatic || createdAt.getTime() - row.createdAt.getTime() > ANSWER_MS) return []
    const source: Source = { kind: sourceKind as Source['kind'], id: sourceId, name: sourceName }
    return [
      stepOf({
        atMs: createdAt.getTime(),
        kind: 'answered',
        text: `${subjectOf(source)} sent a message in this chat.`,
        source,
        messageId: id,
      }),
    ]
  })
}

/** Returns the history of a message by our id or the channel's. */
export async function readTrace(ctx: Context, ref: string): Promise<MessageTrace> {
  const row = await getMessageRow(ctx, ref)
  const isInbound = row.direction === 'inbound'
  const [traced, ofEvents, answers] = await Promise.all([
    findTraced(ctx, row.id),
    eventSteps(ctx, row),
    isInbound ? answerSteps(ctx, row) : [],
  ])
  const own = isInbound || !traced ? [] : outboundSteps(row, traced)
  const steps = [firstStep(row), ...own, ...answers, ...ofEvents].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  )
  return {
    messageId: row.id,
    direction: row.direction,
    status: row.status === 'received' ? null : row.status,
    steps,
    now: traced ? waitingNow(ctx, row, traced, steps) : null,
  }
}
