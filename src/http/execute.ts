/**
 * Runs an endpoint for an admitted, validated request: in one transaction, in a batch, or between
 * transactions, with the remembered answer of its Idempotency-Key.
 */

import type { z } from 'zod'
import { batched, HOT_BATCH } from '../core/batch.ts'
import { type Clock, workspaceTime } from '../core/clock.ts'
import {
  beforeCommit,
  type Context,
  type Database,
  type Outside,
  type Reading,
  type Unit,
} from '../core/context.ts'
import { type BatchItem, type Endpoint, isWrite, type Reply } from '../core/endpoint.ts'
import { Refusal } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Sealer } from '../core/sealing.ts'
import { isConnectionFault, ranTooLong, wasRolledBack } from '../database/faults.ts'
import { asRefusal } from './answer.ts'
import type { Caller } from './authentication.ts'
import { outsideRunner } from './execute-outside.ts'
import { type Claim, claimKeys, type Finding, inProgress, rememberAnswers } from './idempotency.ts'
import { type Answer, isRemembered, replyTexts } from './reply-texts.ts'

export type ExecuteOptions = {
  database: Database
  clock: Clock
  outside: Outside
  sealer: Sealer
  onError(error: unknown, value: Endpoint): void
}

export type Admitted = {
  caller: Caller
  input: { params: never; query: never; body: never; file?: never }
  idempotency: { key: string; fingerprint: Buffer } | undefined
  /** Of a request that only reads: it is given up when nobody waits for it any more. */
  callerLeft?: AbortSignal | undefined
}

const MAX_OTHERS_TRIES = 3
const READ_RETRY_SECONDS = 5

/** Why a request that only reads came to nothing. */
function asReadRefusal(error: unknown, callerLeft: AbortSignal): Refusal {
  if (callerLeft.aborted) return new Refusal('invalid', 'The caller left before the answer.', { issues: [] })
  if (!ranTooLong(error)) return asRefusal(error)
  return new Refusal(
    'service_unavailable',
    'This took too long to read and was given up: narrow it by a filter or a longer search, or ask for fewer rows.',
    { retryAfterSeconds: READ_RETRY_SECONDS },
  )
}

/** One request in its transaction's terms. */
type Item = Admitted & { claim: Claim | undefined; now: Date }

/**
 * Runs `work` again when it was rolled back for another's sake: a duplicate that committed first
 * is then answered by what it left, what another used up is refused, and a transaction that deadlocked finds the others gone.
 */
const withOthers = async <T>(work: () => Promise<T>, triesLeft = MAX_OTHERS_TRIES): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (triesLeft > 0 && wasRolledBack(error)) return withOthers(work, triesLeft - 1)
    throw error
  }
}

/** Builds the function that runs `value`; a batched endpoint keeps its gatherer here. */
export function executor(value: Endpoint, options: ExecuteOptions): (request: Admitted) => Promise<Answer> {
  const running = new Set<string>()
  const texts = replyTexts(value, options)
  const { answerOf, stored, ending } = texts

  const contextOf = (unit: Unit, item: Item): Context => ({
    ...unit,
    workspace: item.caller.workspace,
    actor: item.caller.actor,
    via: item.caller.workspace.sandbox && value.sandboxOnly ? 'sandbox' : 'api',
    now: item.now,
  })

  /** What is remembered of fresh answers: outcomes, refusals by a rule included. */
  const remember = (unit: Unit, items: Item[], answers: Answer[]): void => {
    const kept = items.flatMap((item, i) =>
      item.claim && (!answers[i]!.refusal || isRemembered(answers[i]!.refusal))
        ? [{ claim: item.claim, answer: stored(answers[i]!, item.claim) }]
        : [],
    )
    if (kept.length === 0) return
    const remembered = rememberAnswers(
      unit.tx,
      kept.map((k) => k.claim),
      kept.map((k) => k.answer),
      newId(),
    )
    beforeCommit(unit, remembered)
  }

  const readingOf = ({ callerLeft }: Item): Reading | undefined =>
    callerLeft && { callerLeft, mayTakeLong: value.mayTakeLong ?? false }

  const runBatch = async (items: Item[]): Promise<Answer[]> =>
    options.database.tenant(
      items.map((item) => item.caller.workspace),
      async (unit) => {
        const claimed = items.filter((item) => item.claim)
        const requests = new Map(items.map((item) => [item, { ctx: contextOf(unit, item), ...item.input }]))
        const [found, perform] = await Promise.all([
          claimKeys(
            unit.tx,
            claimed.map((item) => item.claim!),
          ),
          begin([...requests.values()]),
        ])
        const findings = new Map(claimed.map((item, i) => [item, found[i]!]))
        const fresh = items.filter((item) => (findings.get(item)?.kind ?? 'fresh') === 'fresh')
        const results = fresh.length > 0 ? await perform(fresh.map((item) => requests.get(item)!)) : []
        const answers = results.map(answerOf)
        remember(unit, fresh, answers)
        const freshAnswers = new Map(fresh.map((item, i) => [item, answers[i]!]))
        return items.map(
          (item) =>
            freshAnswers.get(item) ??
            ending(findings.get(item) as Exclude<Finding, { kind: 'fresh' }>, item.claim!),
        )
      },
      readingOf(items[0]!),
    )

  type Request = BatchItem<z.ZodType, z.ZodType, z.ZodType>
  type Perform = (fresh: Request[]) => Promise<(Reply | Refusal)[]>

  /** Sends out what the endpoint reads ahead; what it returns performs those that are no retries. */
  const begin = async (requests: Request[]): Promise<Perform> => {
    if (value.handleBatchAhead) return value.handleBatchAhead(requests)
    return async (fresh) => {
      if (value.handleBatch) return value.handleBatch(fresh)
      const [{ ctx, ...input }] = fresh as [Request]
      return [await value.handle!(ctx, input)]
    }
  }

  /** A refusal thrown by a rule has rolled its transaction back; what it answered is kept in one of its own. */
  const rememberRefusal = async (item: Item, refusal: Refusal): Promise<void> => {
    if (!item.claim || !isRemembered(refusal)) return
    await options.database.tenant(item.caller.workspace, async (unit) => {
      const [finding] = await claimKeys(unit.tx, [item.claim!])
      if (finding?.kind === 'fresh') remember(unit, [item], [answerOf(refusal)])
    })
  }

  const runSingle = async (item: Item): Promise<Answer> => {
    try {
      return (await runBatch([item]))[0]!
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await rememberRefusal(item, error)
      return answerOf(error)
    }
  }

  const runOutside = outsideRunner({ value, options, texts, contextOf })

  const gathered = batched((items: Item[]) => runGathered(items), {
    ...HOT_BATCH,
    mayRunAgain: (error) => !isConnectionFault(error),
  })
  const runGathered = (items: Item[]) =>
    items.length === 1 ? withOthers(() => runBatch(items)) : runBatch(items)

  /** What must be asked of the outside before the transaction opens; a remembered answer spares it. */
  const prepared = async (item: Item): Promise<Answer> => {
    const { workspace, actor } = item.caller
    if (item.claim) {
      const [finding] = await options.database.tenant(workspace, (unit) => claimKeys(unit.tx, [item.claim!]))
      if (finding && finding.kind !== 'fresh') return ending(finding, item.claim)
    }
    const transaction = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
      options.database.tenant(workspace, (unit) => work(contextOf(unit, item)))
    try {
      await value.prepare!({ workspace, actor, outside: options.outside, transaction }, item.input)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await rememberRefusal(item, error)
      return answerOf(error)
    }
    return withOthers(() => runSingle(item))
  }

  const run = (item: Item): Promise<Answer> => {
    if (value.prepare) return prepared(item)
    if (value.handleOutside || value.handleUpload) return runOutside(item)
    if (value.handleBatch || value.handleBatchAhead) return gathered(item)
    return withOthers(() => runSingle(item))
  }

  /** A retry waits too: it is asked by whoever goes on from there. */
  const waitAfterwards = async (
    { caller: { workspace, actor } }: Admitted,
    answer: Answer,
  ): Promise<void> => {
    if (!value.afterwards || answer.status >= 400) return
    const ctx = { workspace, actor, outside: options.outside }
    await value
      .afterwards(ctx, JSON.parse(answer.text))
      .catch((error: unknown) => options.onError(error, value))
  }

  return async (request) => {
    const { workspace, actor } = request.caller
    const now = workspaceTime(options.clock, workspace)
    const claim =
      request.idempotency && isWrite(value)
        ? { workspaceId: workspace.id, keyId: actor.keyId, now, ...request.idempotency }
        : undefined
    const name = claim && `${claim.keyId} ${claim.key}`
    if (name && running.has(name)) return answerOf(inProgress())
    if (name) running.add(name)
    try {
      const answer = await run({ ...request, claim, now })
      await waitAfterwards(request, answer)
      return answer
    } catch (error) {
      const refusal = request.callerLeft ? asReadRefusal(error, request.callerLeft) : asRefusal(error)
      if (refusal.code === 'internal_error') options.onError(error, value)
      return answerOf(refusal)
    } finally {
      if (name) running.delete(name)
    }
  }
}
