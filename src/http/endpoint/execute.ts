/**
 * Runs an endpoint for an admitted, validated request (in a transaction, a batch, or between transactions),
 * with the stored answer of its Idempotency-Key.
 */
import { workspaceTime } from '../../core/clock.ts'
import { type Endpoint, isWrite } from '../../core/endpoint.ts'
import { Refusal } from '../../core/errors.ts'
import { isConnectionFault, isStatementTimeout } from '../../database/faults.ts'
import { asRefusal, shouldLog } from '../wire/answer.ts'
import { callerIdOf } from '../wire/caller.ts'
import { gatheredRunner, singleRunner } from './execute-batch.ts'
import { outsideRunner } from './execute-outside.ts'
import { preparedRunner } from './execute-prepared.ts'
import type { Admitted, ExecuteOptions, Execution, Item } from './execution.ts'
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

/** Chooses the runner that the endpoint declares. The runner of a batched endpoint keeps its queue. */
function plainRunnerOf(execution: Execution): (item: Item) => Promise<Answer> {
  const { value } = execution
  if (value.prepare) return preparedRunner(execution, singleRunner(execution))
  if (value.handleOutside || value.handleUpload) return outsideRunner(execution)
  if (value.handleBatchAhead) return gatheredRunner(execution)
  return singleRunner(execution)
}

/** Chooses the runner, and queues requests if the endpoint runs them in turn. */
function runnerOf(execution: Execution): (item: Item) => Promise<Answer> {
  const { inTurn } = execution.value
  const run = plainRunnerOf(execution)
  if (!inTurn) return run
  return (item) => inTurn(item.caller.workspace.id, () => run(item), isConnectionFault)
}

const claimOfRequest = ({ caller, idempotency }: Admitted, now: Date): Claim | undefined =>
  idempotency && claimOf({ workspaceId: caller.workspace.id, keyId: callerIdOf(caller) }, idempotency, now)

/** A retry waits too, because its caller may continue from the same step. */
async function waitAfterwards(
  { value, options }: Execution,
  request: Admitted,
  answer: Answer,
): Promise<void> {
  if (!value.afterwards || answer.status >= 400) return
  const { workspace, actor } = request.caller
  await value
    .afterwards({ workspace, actor, outside: options.outside }, JSON.parse(answer.text))
    .catch((error: unknown) => options.onError(error, value))
}

/** Builds the function that runs `value`. */
export function executor(value: Endpoint, options: ExecuteOptions): (request: Admitted) => Promise<Answer> {
  const running = new Set<number>()
  const execution = { value, options, texts: replyTexts(value, options) }
  const { refusalOf } = execution.texts
  const run = runnerOf(execution)
  return async (request) => {
    const now = workspaceTime(options.clock, request.caller.workspace)
    const claim = isWrite(value) ? claimOfRequest(request, now) : undefined
    const name = claim?.digest.readUIntBE(0, NAME_BYTES)
    if (name !== undefined && running.has(name)) return refusalOf(inProgress())
    if (name !== undefined) running.add(name)
    try {
      const answer = await run({ ...request, claim, now })
      await waitAfterwards(execution, request, answer)
      return answer
    } catch (error) {
      const refusal =
        request.callerLeft && !isWrite(value) ? asReadRefusal(error, request.callerLeft) : asRefusal(error)
      if (shouldLog(refusal, error)) options.onError(error, value)
      return refusalOf(refusal)
    } finally {
      if (name !== undefined) running.delete(name)
    }
  }
}
