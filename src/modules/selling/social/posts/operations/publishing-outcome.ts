/** The result of a publishing step, written in the transaction that ends the step. */
import { DAY_MS, later, SECOND_MS } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import { emit, touch } from '../../../../../core/event.ts'
import type { Answered, NetworkError } from '../../../../../social-network/port.ts'
import { socialPostPublished } from '../events.ts'
import { findPostRowForUpdate, type PostRow, updatePostRow } from '../queries/posts.ts'

/** A post and the id of its run: a run that the post no longer names does nothing. */
export type PublishingRun = { postId: string; run: string }

/** Writes a step's result, and returns when the next one is due; undefined if there is none. */
export type Outcome = (ctx: Context) => Promise<Date | undefined>

/** Seconds before a call without progress is repeated; half an hour in total. */
const RETRY_SECONDS = [5, 15, 60, 180, 300, 600, 600]
/** While the post may be published already, its state is checked for the life of its container. */
const UNCERTAIN_RETRY_SECONDS = 1_800
const MAX_WAIT_SECONDS = 3_600
/** After this time the network no longer publishes a container (docs/formats.md section 14). */
const CONTAINER_LIFE_MS = DAY_MS

const UNCERTAIN = "The network didn't confirm the post. Check the account before you publish it again."

type Write = (ctx: Context, row: PostRow) => Promise<Date | undefined>

/** Runs `write` on the post while this run is still the current one. */
const whileCurrent =
  ({ postId, run }: PublishingRun, write: Write): Outcome =>
  async (ctx) => {
    const row = await findPostRowForUpdate(ctx, postId)
    return row?.status === 'scheduled' && row.runId === run ? write(ctx, row) : undefined
  }

type Progress = Parameters<typeof updatePostRow>[2]

/** Stores the progress; the next step is due after this many seconds. */
export const continueLater = (run: PublishingRun, progress: Progress, afterSeconds = 0): Outcome =>
  whileCurrent(run, async (ctx) => {
    await updatePostRow(ctx, run.postId, { tries: 0, ...progress })
    return later(ctx.now, afterSeconds * SECOND_MS)
  })

export type Failure = { message: string; code: number | null }

/** Fails the post without an event; clients that poll the post see the reason (spec 3). */
export const failed = (run: PublishingRun, { message, code }: Failure): Outcome =>
  whileCurrent(run, (ctx, row) =>
    // Once publishing was requested, the network may have done it, even if the run ended with an error.
    fail(ctx, row, { message: row.publishRequestedAt === null ? message : `${message} ${UNCERTAIN}`, code }),
  )

/** Fails the post after the network itself said that it was not and will not be published. */
export const failedForCertain = (run: PublishingRun, failure: Failure): Outcome =>
  whileCurrent(run, (ctx, row) => fail(ctx, row, failure))

async function fail(ctx: Context, { id }: PostRow, { message, code }: Failure): Promise<undefined> {
  await updatePostRow(ctx, id, { status: 'failed', failure: message, failureCode: code, runId: null })
  touch(ctx, { socialPost: id })
}

/** Marks the post as published and emits the event once, in the same transaction (spec 6.3). */
export const published = (run: PublishingRun, permalink: string | null): Outcome =>
  whileCurrent(run, async (ctx, row) => {
    const publishedAt = row.publishedAt ?? ctx.now
    await updatePostRow(ctx, run.postId, { status: 'published', permalink, publishedAt, runId: null })
    emit(ctx, socialPostPublished, {
      postId: row.id,
      kind: row.kind,
      caption: row.caption,
      socialMediaId: row.networkMediaId,
      permalink,
      scheduledAt: row.scheduledAt?.toISOString() ?? null,
      publishedAt: publishedAt.toISOString(),
    })
    return undefined
  })

type Failed = Exclude<Answered<unknown>, { kind: 'done' }>

const wordsOf = ({ kind, message }: NetworkError): string =>
  kind === 'token' || kind === 'permission'
    ? `${message.replace(/[.!]?$/, '.')} Connect the account again.`
    : message

export const failureOf = (answer: Failed): Failure =>
  answer.kind === 'refused'
    ? { message: wordsOf(answer.error), code: answer.error.code }
    : { message: `The network couldn't be reached (${answer.reason}).`, code: null }

/** Returns whether the same call may succeed later. */
export const isTemporary = (answer: Failed): boolean =>
  answer.kind !== 'refused' || answer.error.kind === 'transient' || answer.error.kind === 'throttle'

/**
 * Repeats the step later; after the last attempt the post fails. A post that may be published is not given up
 * before its container expires.
 */
export function retryLater(
  run: PublishingRun,
  row: PostRow,
  answer: Failed,
  { leastSeconds = 0 } = {},
): Outcome {
  const askedSeconds = answer.kind === 'refused' ? (answer.retryAfterSeconds ?? 0) : 0
  const continueAfter = (seconds: number): Outcome =>
    continueLater(
      run,
      { tries: row.tries + 1 },
      Math.min(MAX_WAIT_SECONDS, Math.max(seconds, askedSeconds, leastSeconds)),
    )
  const seconds = RETRY_SECONDS[row.tries]
  if (row.publishRequestedAt === null)
    return seconds === undefined ? failed(run, failureOf(answer)) : continueAfter(seconds)
  const madeAt = row.containerMadeAt ?? row.publishRequestedAt
  return async (ctx) => {
    const isOver = ctx.now > later(madeAt, CONTAINER_LIFE_MS)
    return (isOver ? failed(run, failureOf(answer)) : continueAfter(seconds ?? UNCERTAIN_RETRY_SECONDS))(ctx)
  }
}
