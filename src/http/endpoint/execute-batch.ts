/** Runs requests of one endpoint in one transaction: a batch of concurrent requests, or a single request. */
import type { z } from 'zod'
import { batched, HOT_BATCH } from '../../core/batch.ts'
import { beforeCommit, type Reading, type Unit } from '../../core/context.ts'
import type { PlainEndpoint } from '../../core/endpoint.ts'
import { Refusal } from '../../core/errors.ts'
import type { BatchItem, HandleFresh, HotEndpoint } from '../../core/hot-endpoint.ts'
import { isConnectionFault } from '../../database/faults.ts'
import { contextOf, type Execution, type Item } from './execution.ts'
import { claimKeys, type Finding, lockUnusedKeys } from './idempotency.ts'
import { createOptimism } from './optimism.ts'
import { isKept, remember, rememberRefusal } from './remember-answers.ts'
import type { Answer } from './reply-texts.ts'
import { retryRolledBack } from './retry-rolled-back.ts'

type Request = BatchItem<z.ZodType>
type Perform = HandleFresh<z.ZodType>
type RunBatch = (items: Item[]) => Promise<Answer[]>
type RunOne = (item: Item) => Promise<Answer>

const requestOf = (execution: Execution, unit: Unit, item: Item): Request => ({
  ctx: contextOf(execution, unit, item),
  ...item.input,
})

/**
 * Runs batches: `begin` sends the endpoint's reads with the look-up of idempotency keys, and returns the
 * function that handles the requests that are no retries.
 */
const batchRunner = (
  execution: Execution,
  begin: (requests: Request[]) => Promise<Perform>,
  readingOf: (item: Item) => Reading | undefined = () => undefined,
): RunBatch => {
  const { options, texts } = execution
  return async (items) =>
    options.database.tenant(
      items.map((item) => item.caller.workspace),
      async (unit) => {
        const claimed = items.filter((item) => item.claim)
        const requests = new Map(items.map((item) => [item, requestOf(execution, unit, item)]))
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
        const answers = results.map((result, i) => texts.answerOf(result, fresh[i]!.caller.actor))
        remember(
          execution,
          unit,
          fresh.map((item, i) => ({ item, finding: findings.get(item), answer: answers[i]! })),
        )
        const freshAnswers = new Map(fresh.map((item, i) => [item, answers[i]!]))
        return items.map(
          (item) =>
            freshAnswers.get(item) ??
            texts.ending(findings.get(item) as Exclude<Finding, { kind: 'fresh' }>, item.claim!),
        )
      },
      readingOf(items[0]!),
    )
}

/** Runs a batch on the assumption that it contains no retry; if it does, the transaction fails. */
const runRecalled = (execution: Execution<HotEndpoint>, items: Item[], perform: Perform): Promise<Answer[]> =>
  execution.options.database.tenant(
    items.map((item) => item.caller.workspace),
    async (unit) => {
      const claims = items.flatMap(({ claim }) => claim ?? [])
      beforeCommit(unit, lockUnusedKeys(unit.tx, claims))
      const results = await perform(items.map((item) => requestOf(execution, unit, item)))
      const answers = results.map((result, i) => execution.texts.answerOf(result, items[i]!.caller.actor))
      // An answer that isn't stored can't conflict with the stored answer of a retry, so the keys must be
      // read.
      if (items.some(({ claim }, i) => claim && !isKept(answers[i]!)))
        throw new Error('an answer that is not kept takes a look at its key')
      remember(
        execution,
        unit,
        items.map((item, i) => ({ item, finding: undefined, answer: answers[i]! })),
      )
      return answers
    },
  )

/** Runs batches from memory when it suffices and recently did; runs the others, and failed ones, with `reading`. */
function recalledFirst(execution: Execution<HotEndpoint>, reading: RunBatch): RunBatch {
  const { mayTry, succeeded, failed } = createOptimism()
  return async (items) => {
    const perform = mayTry()
      ? execution.value.recall(
          items.map(({ caller: { workspace }, now, input }) => ({ ctx: { workspace, now }, ...input })),
        )
      : undefined
    if (!perform) return reading(items)
    try {
      const answers = await runRecalled(execution, items, perform)
      succeeded()
      return answers
    } catch (error) {
      // The commit may have succeeded, so a second run could repeat its effects.
      if (isConnectionFault(error)) throw error
      failed()
      return reading(items)
    }
  }
}

/** Runs each request in its own transaction. A read is canceled when its caller disconnects. */
export function singleRunner(execution: Execution<PlainEndpoint>): RunOne {
  const { value } = execution
  const begin = async (): Promise<Perform> => async (fresh) => {
    const [{ ctx, ...input }] = fresh as [Request]
    return [await value.handle(ctx, input)]
  }
  const runBatch = batchRunner(execution, begin, ({ callerLeft }) => callerLeft && { callerLeft })
  const runSingle = async (item: Item): Promise<Answer> => {
    try {
      return (await runBatch([item]))[0]!
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await rememberRefusal(execution, item, error)
      return execution.texts.refusalOf(error)
    }
  }
  return (item) => retryRolledBack(() => runSingle(item))
}

/** Runs concurrent requests in a shared transaction. */
export function hotRunner(execution: Execution<HotEndpoint>): RunOne {
  const runBatch = batchRunner(execution, (requests) => execution.value.readAhead(requests))
  const reading: RunBatch = (items) =>
    items.length === 1 ? retryRolledBack(() => runBatch(items)) : runBatch(items)
  const { value, options } = execution
  const run = recalledFirst(execution, reading)
  const traced = options.traceBatches?.(value, run)
  const runOne = batched(traced?.run ?? run, {
    ...HOT_BATCH,
    mayRunAgain: (error) => !isConnectionFault(error),
    onBatch: (requests, waitedMs, tookMs) => options.onBatch(value, requests, waitedMs, tookMs),
  })
  if (!traced) return runOne
  return (item) => {
    traced.enter(item)
    return runOne(item)
  }
}
