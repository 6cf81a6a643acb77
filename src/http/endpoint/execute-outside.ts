/**
 * Runs an outside operation and stores the answer of its Idempotency-Key: with the last effect if the
 * operation marks that transaction, else in a separate transaction. An operation that answered keeps its key,
 * even if storing the answer fails (docs/decisions/requests.md).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { workspaceTime } from '../../core/clock.ts'
import { beforeCommit, type Context, type Tx } from '../../core/context.ts'
import type {
  AnsweringContext,
  OutsideEndpoint,
  OutsideRequest,
  Reply,
  UploadEndpoint,
} from '../../core/endpoint.ts'
import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { contextOf, type Execution, type Item } from './execution.ts'
import { type Finding, requestKeyOf } from './idempotency.ts'
import { claimOutside, fence, finishOutside, releaseOutside } from './idempotency-outside.ts'
import { type Answer, isRemembered } from './reply-texts.ts'
import { retryRolledBack } from './retry-rolled-back.ts'

/** The signal of a request that continues after its caller left. */
const STAYS = new AbortController().signal

/** The Idempotency-Key that a request owns. Without a key, no answer is stored. */
type HeldKey = {
  take(): Promise<Finding>
  /** Throws in the first request when another request has taken over its key. */
  fence(tx: Tx): Promise<void>
  finish(tx: Tx, answer: Answer, now: Date): Promise<void>
  /** Stores the answer in its own transaction. If that fails, it throws and retries in the background. */
  settle(answer: Answer): Promise<void>
  release(): Promise<void>
}

/**
 * Waits between retries to store an answer. Their sum is less than the time for which the key stays locked.
 */
const SETTLE_AGAIN_MS = [200, 800, 2_000, 5_000, 10_000, 20_000, 40_000]

const NO_KEY: HeldKey = {
  take: async () => ({ kind: 'fresh' }),
  fence: async () => {},
  finish: async () => {},
  settle: async () => {},
  release: async () => {},
}

function claimedKey({ options, texts }: Execution, { caller, claim, now }: Item): HeldKey {
  if (!claim) return NO_KEY
  const attempt = newId()
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    retryRolledBack(() => options.database.tenant(caller.workspace, ({ tx }) => work(tx)))
  const finish = (tx: Tx, answer: Answer, time: Date) =>
    finishOutside(tx, claim, attempt, { ...texts.stored(answer, claim), now: time })
  return {
    take: () => inTransaction((tx) => claimOutside(tx, claim, attempt)),
    fence: (tx) => fence(tx, claim, attempt),
    finish,
    settle: async (answer) => {
      const attemptOnce = () => inTransaction((tx) => finish(tx, answer, now))
      try {
        await attemptOnce()
      } catch (error) {
        void settleAgain(attemptOnce)
        throw error
      }
    },
    release: () => inTransaction((tx) => releaseOutside(tx, claim, attempt)).catch(() => {}),
  }
}

async function settleAgain(attemptOnce: () => Promise<void>): Promise<void> {
  for (const waitMs of SETTLE_AGAIN_MS) {
    await wait(waitMs, undefined, { ref: false })
    try {
      return await attemptOnce()
    } catch {
      // Try again after the next wait.
    }
  }
}

/**
 * Builds the operation's context, and a function that returns the answer that the operation has committed.
 */
function requestOf(execution: Execution, item: Item, key: HeldKey) {
  const { options, texts } = execution
  const { workspace, actor } = item.caller
  let committed: Answer | undefined
  // The outside call can't be undone, so a lock of another transaction must not discard its result.
  const transaction = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
    retryRolledBack(() =>
      options.database.tenant(workspace, async (unit) => {
        await key.fence(unit.tx)
        return work(contextOf(execution, unit, { ...item, now: workspaceTime(options.clock, workspace) }))
      }),
    )
  const context = {
    workspace,
    actor,
    clock: options.clock,
    outside: options.outside,
    requestKey: item.claim ? requestKeyOf(item.claim) : null,
    transaction,
  }
  const request: OutsideRequest = {
    ...context,
    callerLeft: item.callerLeft ?? STAYS,
    answering: async <T>(
      replyOf: (outcome: T) => Reply,
      operation: (ctx: AnsweringContext<T>) => Promise<T>,
    ) => {
      const outcome = await operation({
        ...context,
        lastTransaction: async (work) => {
          const done = await transaction(async (ctx) => {
            const outcome = await work(ctx)
            const answer = texts.answerOf(outcome instanceof Refusal ? outcome : replyOf(outcome), actor)
            const isKept = !answer.refusal || isRemembered(answer.refusal)
            if (isKept) beforeCommit(ctx, key.finish(ctx.tx, answer, ctx.now))
            return { outcome, answer: isKept ? answer : undefined }
          })
          committed = done.answer
          if (done.outcome instanceof Refusal) throw done.outcome
          return done.outcome
        },
        remember: async (tx, outcome, now) => {
          committed = texts.answerOf(replyOf(outcome), actor)
          await key.fence(tx)
          await key.finish(tx, committed, now)
        },
      })
      return replyOf(outcome)
    },
  }
  return { request, committed: () => committed }
}

/** Builds the function that runs the outside operation of an endpoint. */
export const outsideRunner =
  (execution: Execution<OutsideEndpoint | UploadEndpoint>) =>
  async (item: Item): Promise<Answer> => {
    const key = claimedKey(execution, item)
    const finding = await key.take()
    if (finding.kind !== 'fresh') return execution.texts.ending(finding, item.claim!)
    const { request, committed } = requestOf(execution, item, key)
    let outcome: Reply | Refusal
    try {
      outcome = await execution.value.handle(request, item.input as never)
    } catch (error) {
      if (!(error instanceof Refusal) || !isRemembered(error)) {
        await key.release()
        throw error
      }
      outcome = error
    }
    const answer = committed()
    if (answer) return answer
    const settled = execution.texts.answerOf(outcome, item.caller.actor)
    await key.settle(settled)
    return settled
  }
