/**
 * Sends the request of a bot (DECISIONS.md "Requests"). The call runs between two transactions. Its answer
 * counts once, at the step that asked for it; messages that arrived meanwhile are answered afterwards, in order.
 */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { getContact } from '../../../messaging/contacts/operations/find-contact.ts'
import { getConversation } from '../../../messaging/conversations/operations/read-conversations.ts'
import { holdAllowances } from '../../../messaging/messages/sending/operations/hold-allowances.ts'
import { findVersionHeaders } from '../queries/bots.ts'
import { insertRequest } from '../queries/requests.ts'
import { deleteSessionAt, deleteSessions } from '../queries/sessions.ts'
import { recordTeammateEnds } from '../queries/visits.ts'
import type { CustomerInput, Played, RequestResult } from '../script/play-script.ts'
import { playAfterRequest, playNext } from '../script/play-script.ts'
import {
  type BuiltRequest,
  buildRequest,
  originOf,
  type RequestStep,
  resultOf,
} from '../script/request-call.ts'
import { findWaiting, type WaitingKey } from './find-waiting.ts'
import type { PlanCalls } from './plan-calls.ts'
import { openNodeHeaders } from './request-headers.ts'
import { carryOut } from './run-steps.ts'
import { readSituations } from './situations.ts'

/** The result of all attempts of a call. `error` is public, and null for a 2xx status. */
export type AddressAnswer = {
  status: number | null
  body: string
  truncated: boolean
  error: string | null
  attempts: number
  durationMs: number
}

declare module '../../../../core/context.ts' {
  interface Outside {
    /**
     * Sends a request, and tries again after temporary failures. Refuses private addresses, and follows no
     * redirects. Every failure is an answer.
     */
    callAddress(call: {
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      url: string
      headers: Record<string, string>
      body: string | null
      timeoutMs: number
      retries: number
    }): Promise<AddressAnswer>
  }
}

const SECOND_MS = 1_000
/** The public reason if the job fails in our code. */
const JOB_FAILED = 'The request failed.'

/** Returns the headers of a request. Names are in lower case, so that none is sent twice. */
export const requestHeaders = (
  own: { name: string; value: string }[],
  { body }: Pick<BuiltRequest, 'body'>,
  idempotencyKey: string,
): Record<string, string> => ({
  accept: 'application/json',
  ...Object.fromEntries(own.map(({ name, value }) => [name.toLowerCase(), value])),
  'accept-encoding': 'identity',
  'user-agent': 'Parley-Bots/1',
  'idempotency-key': idempotencyKey,
  ...(body === null ? {} : { 'content-type': 'application/json' }),
})

type Call = Parameters<OutsideContext['outside']['callAddress']>[0]
type Prepared = { call: Call; node: RequestStep; botId: string; version: number }

async function prepare(ctx: Context, key: WaitingKey): Promise<Prepared | undefined> {
  const waiting = await findWaiting(ctx, key, false)
  if (!waiting) return undefined
  const { session, definition } = waiting
  const node = definition.nodes.find(({ id }) => id === session.node)
  if (node?.type !== 'request') return undefined
  const [situation] = await readSituations(ctx, [{ ctx, contact: waiting.contact, definition }])
  const { subject } = situation!
  const built = buildRequest(node, {
    ...subject,
    answers: session.answers,
    text: session.pending[0]?.text ?? '',
  })
  const sealed = await findVersionHeaders(ctx, session)
  const own = openNodeHeaders(ctx.sealer, sealed)
  const headers = requestHeaders(
    Object.hasOwn(own, node.id) ? own[node.id]! : [],
    built,
    // The same at every attempt, also after a crash.
    `${session.id}-${session.step}`,
  )
  return {
    call: { ...built, headers, timeoutMs: node.timeoutSeconds * SECOND_MS, retries: node.retries },
    node,
    botId: session.botId,
    version: session.version,
  }
}

/** Sends the request. Returns the function that continues the session when the job ends. */
export async function callForSession(
  { outside, transaction }: OutsideContext,
  key: WaitingKey,
  enqueueCalls: PlanCalls,
): Promise<(ctx: Context) => Promise<void>> {
  const prepared = await transaction((ctx) => prepare(ctx, key))
  if (!prepared) return (ctx) => endVoid(ctx, key)
  const { call, node } = prepared
  const answer = await outside.callAddress(call)
  const result = resultOf(node, answer)
  const error = 'failed' in result ? result.failed : null
  return async (ctx) => {
    await record(ctx, key, prepared, { ...answer, error })
    await settle(ctx, key, error === null ? result : { failed: failureNote(node, error) }, enqueueCalls)
  }
}

/** Continues the session after the job failed in our code. */
export function giveUpCall(ctx: Context, key: WaitingKey, enqueueCalls: PlanCalls): Promise<void> {
  return settle(ctx, key, { failed: JOB_FAILED }, enqueueCalls)
}

const failureNote = (node: RequestStep, error: string): string =>
  `The bot's request to ${originOf(node)} failed: ${error}`

/** Records the result of a request, unless its chat or bot is gone. */
async function record(
  ctx: Context,
  { conversationId }: WaitingKey,
  { node, botId, version }: Prepared,
  { status, durationMs, attempts, error }: AddressAnswer,
): Promise<void> {
  try {
    const { id } = await getConversation(ctx, conversationId)
    await insertRequest(ctx, {
      botId,
      version,
      node: node.id,
      conversationId: id,
      method: node.method,
      origin: originOf(node),
      attempts,
      status,
      durationMs,
      error,
    })
  } catch (fault) {
    if (!(fault instanceof Refusal && fault.code === 'not_found')) throw fault
  }
}

/** Ends a session whose answer is void, such as after STOP. It would otherwise keep messages for no answer. */
const endVoid = async (ctx: Context, key: WaitingKey): Promise<void> => {
  await deleteSessionAt(ctx, key)
  await recordTeammateEnds(ctx.tx, [{ workspaceId: ctx.workspace.id, id: key.sessionId }])
}

async function settle(
  ctx: Context,
  key: WaitingKey,
  result: RequestResult,
  enqueueCalls: PlanCalls,
): Promise<void> {
  await holdAllowances(ctx, [ctx])
  const waiting = await findWaiting(ctx, key, true)
  if (!waiting) return endVoid(ctx, key)
  const { session, definition, name, phoneNumberId } = waiting
  const bot = { id: session.botId, name, version: session.version, definition }
  const [first, ...inputs] = session.pending
  const queue: CustomerInput[] = inputs
  let [before, contact] = [session, waiting.contact]
  for (let input: CustomerInput | undefined; ; ) {
    const [situation] = await readSituations(ctx, [{ ctx, contact, definition }])
    const played: Played =
      input === undefined
        ? playAfterRequest(definition, before, result, { situation: situation!, text: first?.text ?? '' })
        : playNext(definition, before, input, situation!)
    const { conversationId } = key
    const step = { ctx, contact, conversationId, phoneNumberId, bot, before, played, pending: queue }
    const results = await carryOut(ctx, [step])
    const { silenced, session: after } = results[0]!
    // The chat has reached the limit of automatic messages, so the session ends.
    if (silenced) return void (await deleteSessions(ctx.tx, [session]))
    await enqueueCalls(ctx, [step], results)
    input = queue.shift()
    // Another request keeps the rest of the messages until its answer.
    if (!after || played.calls || input === undefined) return
    before = after
    contact = await getContact(ctx, contact.id)
  }
}
