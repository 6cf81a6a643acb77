/**
 * Runs an endpoint for an admitted, validated request (in a transaction, a batch, or between transactions),
 * with the stored answer of its Idempotency-Key.
 */
import { workspaceTime } from '../../core/clock.ts'
import { hidesDetails } from '../../core/customer-details.ts'
import { isWrite, type PlainEndpoint } from '../../core/endpoint.ts'
import { Refusal } from '../../core/errors.ts'
import { isConnectionFault, isStatementTimeout } from '../../database/faults.ts'
import { asRefusal, shouldLog } from '../wire/answer.ts'
import { callerIdOf } from '../wire/caller.ts'
import { hotRunner, singleRunner } from './execute-batch.ts'
import { outsideRunner } from './execute-outside.ts'
import { preparedRunner } from './execute-prepared.ts'
import type { Admitted, ExecuteOptions, Execution, Item, WorkspaceEndpoint } from './execution.ts'
import { answerMask, refuseMasked } from './hidden-details.ts'
import { type Claim, claimOf, inProgress } from './idempotency.ts'
import { type Answer, replyTexts } from './reply-texts.ts'

const READ_RETRY_SECONDS = 5
/**
 * Bytes of a key's digest that identify a running request: a number is faster to look up than a text.
 * Unrelated requests collide less than once in ten billion; the second is then told to try again.
 */
const NAME_BYTES = 6

/** Returns the refusal for a failed read-only request. */
function asReadRefusal(error: unknown, callerLeft: AbortSignal): Refusal {
  if (callerLeft.aborted)
    return new Refusal('invalid', 'The client closed the connection before the response.', { issues: [] })
  if (!isStatementTimeout(error)) return asRefusal(error)
  return new Refusal(
    'service_unavailable',
    'The search took too long. Add a filter, search for a longer text, or ask for fewer rows.',
    { retryAfterSeconds: READ_RETRY_SECONDS },
  )
}

/** Returns the function that runs the endpoint. That of a hot endpoint keeps its queue. */
function runnerOf({ value, ...parts }: Execution): (item: Item) => Promise<Answer> {
  switch (value.kind) {
    case 'plain':
      return plainRunner({ value, ...parts })
    case 'outside':
    case 'upload':
      return outsideRunner({ value, ...parts })
    case 'hot':
      return hotRunner({ value, ...parts })
  }
}

/** Prepares requests if the endpoint does, queues them if it runs them in turn, and waits afterwards if it says so. */
function plainRunner(execution: Execution<PlainEndpoint>): (item: Item) => Promise<Answer> {
  const { prepare, inTurn, afterwards } = execution.value
  const single = singleRunner(execution)
  const prepared = prepare ? preparedRunner(execution, prepare, single) : single
  const run: typeof prepared = inTurn
    ? (item) => inTurn(item.caller.workspace.id, () => prepared(item), isConnectionFault)
    : prepared
  return afterwards ? waitingRunner(execution, afterwards, run) : run
}

/** Waits after each successful answer, of a retry too. A failed wait changes no answer. */
const waitingRunner =
  (
    { value, options }: Execution<PlainEndpoint>,
    afterwards: NonNullable<PlainEndpoint['afterwards']>,
    run: (item: Item) => Promise<Answer>,
  ) =>
  async (item: Item): Promise<Answer> => {
    const answer = await run(item)
    if (answer.status < 400)
      await afterwards(
        { workspace: item.caller.workspace, outside: options.outside },
        JSON.parse(answer.text),
      ).catch((error: unknown) => options.onError(error, value))
    return answer
  }

const claimOfRequest = ({ caller, idempotency }: Admitted, now: Date): Claim | undefined =>
  idempotency && claimOf({ workspaceId: caller.workspace.id, keyId: callerIdOf(caller) }, idempotency, now)

/** Builds the function that runs `value`. */
export function executor(
  value: WorkspaceEndpoint,
  options: ExecuteOptions,
): (request: Admitted) => Promise<Answer> {
  const running = new Set<number>()
  const execution = { value, options, texts: replyTexts(value, options) }
  const { refusalOf } = execution.texts
  const run = runnerOf(execution)
  const masked = answerMask(value)
  /** Stored answers are whole: each is masked on its way to a caller. */
  const shown = ({ caller }: Admitted, answer: Answer): Answer =>
    hidesDetails(caller) ? masked(answer) : answer
  return async (request) => {
    const now = workspaceTime(options.clock, request.caller.workspace)
    const claim = isWrite(value) ? claimOfRequest(request, now) : undefined
    const name = claim?.digest.readUIntBE(0, NAME_BYTES)
    if (name !== undefined && running.has(name)) return refusalOf(inProgress())
    if (name !== undefined) running.add(name)
    try {
      if (hidesDetails(request.caller)) refuseMasked(request.input.body)
      return shown(request, await run({ ...request, claim, now }))
    } catch (error) {
      const refusal =
        request.callerLeft && !isWrite(value) ? asReadRefusal(error, request.callerLeft) : asRefusal(error)
      if (shouldLog(refusal, error)) options.onError(error, value)
      return shown(request, refusalOf(refusal))
    } finally {
      if (name !== undefined) running.delete(name)
    }
  }
}
