/** Sends the request of a step with example values. Nothing is saved (DECISIONS.md "Requests"). */
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { newId } from '../../../../core/ids.ts'
import { requireScope } from '../../../../core/scopes.ts'
import type { RequestTest } from '../schema.ts'
import { buildRequest, parseAnswerBody, resultOf } from '../script/request-call.ts'
import { getBot } from './bots.ts'
import { requestHeaders } from './call-address.ts'
import { headersOf, openNodeHeaders } from './request-headers.ts'
import { TEST_PHONE } from './test-bot.ts'

/** The result of a test, as the page and the API show it. */
export type RequestTestOutcome = {
  request: ReturnType<typeof buildRequest>
  status: number | null
  durationMs: number
  error: string | null
  answer: unknown
  values: { path: string; saveTo: string; value: string | number | boolean | null }[]
}

/** Returns the request, its answer, and the values that the bot would save. Does not try again. */
export async function testRequest(
  ctx: AnsweringContext<RequestTestOutcome>,
  id: string,
  { node, answers, contact, text }: RequestTest,
): Promise<RequestTestOutcome> {
  ctx.outside.refuseWebhookAddress(node.url.replace(/\{\{[^{}]*\}\}/g, 'x'), 'node.url')
  const own = await ctx.transaction(async (txCtx) => {
    requireScope(txCtx, 'automations:read', 'A bot test')
    const { definition, headersSealed } = await getBot(txCtx, id)
    const stored = { nodes: definition.nodes, headers: openNodeHeaders(txCtx.sealer, headersSealed) }
    return headersOf(node, stored, 'node.headers')
  })
  const { countryCode } = ctx.workspace
  const subject = { contact: { ...contact, phone: TEST_PHONE }, answers, text, open: undefined, countryCode }
  const request = buildRequest(node, subject)
  const answer = await ctx.outside.callAddress({
    ...request,
    headers: requestHeaders(own, request, ctx.requestKey ?? newId()),
    timeoutMs: node.timeoutSeconds * 1_000,
    retries: 0,
  })
  const result = resultOf(node, answer)
  const outcome: RequestTestOutcome = {
    request,
    status: answer.status,
    durationMs: answer.durationMs,
    error: 'failed' in result ? result.failed : null,
    answer: answer.status === null ? null : shownAnswer(answer.body),
    values:
      'failed' in result
        ? []
        : node.save.map((place, index) => ({ ...place, value: result.values[index] ?? null })),
  }
  return ctx.lastTransaction(async () => outcome)
}

const SHOWN_TEXT_MAX = 4_096

/** Returns the JSON of an answer, or the beginning of its text. */
const shownAnswer = (body: string): unknown => parseAnswerBody(body) ?? body.slice(0, SHOWN_TEXT_MAX)
