/** What one step of publishing comes to, as it is written in the transaction that ends the step. */
import { DAY_MS, later, SECOND_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { emit } from '../../../../core/event.ts'
import type { Answered, NetworkError } from '../../../../social-network/port.ts'
import { socialPostPublished } from '../events.ts'
import { findPostRowForUpdate, type PostRow, updatePostRow } from '../queries/posts.ts'

/** One post, and which of its runs: a run that the post no longer names does nothing. */
export type PublishingRun = { postId: string; run: string }

/** Writes what a step came to, and answers when the next one is due; undefined when none is. */
export type Outcome = (ctx: Context) => Promise<Date | undefined>

/** Seconds before a call is repeated that brought the post no further; half an hour in all. */
const RETRY_SECONDS = [5, 15, 60, 180, 300, 600, 600]
/** While it may be out already, it is asked about for as long as its container lives. */
const UNCERTAIN_RETRY_SECONDS = 1_800
const MAX_WAIT_SECONDS = 3_600
/** From when on nobody can publish a container any more (docs/formats.md section 14). */
const CONTAINER_LIFE_MS = DAY_MS

const UNCERTAIN = "The network didn't confirm the post. Check the account before you publish it again."

type Write = (ctx: Context, row: PostRow) => Promise<Date | undefined>

/** Runs `write` on the post while it is still this run's to publish. */
const whileCurrent =
  ({ postId, run }: PublishingRun, write: Write): Outcome =>
  async (ctx) => {
    const row = await findPostRowForUpdate(ctx, postId)
    return row?.status === 'scheduled' && row.runId === run ? write(ctx, row) : undefined
  }

type Progress = Parameters<typeof updatePostRow>[2]

/** Keeps what was reached; the next step is due after so many seconds. */
export const continueLater = (of: PublishingRun, progress: Progress, afterSeconds = 0): Outcome =>
  whileCurrent(of, async (ctx) => {
    await updatePostRow(ctx, of.postId, { tries: 0, ...progress })
    return later(ctx.now, afterSeconds * SECOND_MS)
  })

export type Failure = { message: string; code: number | null }

/** The post does not go out. Nobody is notified; whoever polls the post sees why (spec 3). */
export const failed = (of: PublishingRun, { message, code }: Failure): Outcome =>
  whileCurrent(of, (ctx, row) =>
    // Whatever ended it: once publishing was requested, the network may have done it.
    fail(ctx, row, { message: row.publishRequestedAt === null ? message : `${message} ${UNCERTAIN}`, code }),
  )

/** The network itself says that the post did not and will not go out. */
export const failedForCertain = (of: PublishingRun, failure: Failure): Outcome =>
  whileCurrent(of, (ctx, row) => fail(ctx, row, failure))

async function fail(ctx: Context, { id }: PostRow, { message, code }: Failure): Promise<undefined> {
  await updatePostRow(ctx, id, { status: 'failed', failure: message, failureCode: code, runId: null })
}

/** The post is out: announced once, in the transaction of the fact (spec 6.3). */
export const published = (of: PublishingRun, permalink: string | null): Outcome =>
  whileCurrent(of, async (ctx, row) => {
    const publishedAt = row.publishedAt ?? ctx.now
    await updatePostRow(ctx, of.postId, { status: 'published', permalink, publishedAt, runId: null })
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

export const failureOf = (answered: Failed): Failure =>
  answered.kind === 'refused'
    ? { message: wordsOf(answered.error), code: answered.error.code }
    : { message: `The network couldn't be reached (${answered.reason}).`, code: null }

/** Whether the same call may succeed later. */
export const isTemporary = (answered: Failed): boolean =>
  answered.kind !== 'refused' || answered.error.kind === 'transient' || answered.error.kind === 'throttle'

/**
 * Repeats the step later; when that was in vain often enough the post has failed. One that
 * may be out is not given up before its container's end.
 */
export function retryLater(
  of: PublishingRun,
  row: PostRow,
  answered: Failed,
  { leastSeconds = 0 } = {},
): Outcome {
  const askedSeconds = answered.kind === 'refused' ? (answered.retryAfterSeconds ?? 0) : 0
  const again = (seconds: number): Outcome =>
    continueLater(
      of,
      { tries: row.tries + 1 },
      Math.min(MAX_WAIT_SECONDS, Math.max(seconds, askedSeconds, leastSeconds)),
    )
  const seconds = RETRY_SECONDS[row.tries]
  if (row.publishRequestedAt === null)
    return seconds === undefined ? failed(of, failureOf(answered)) : again(seconds)
  const madeAt = row.containerMadeAt ?? row.publishRequestedAt
  return async (ctx) => {
    const isOver = ctx.now > later(madeAt, CONTAINER_LIFE_MS)
    return (isOver ? failed(of, failureOf(answered)) : again(seconds ?? UNCERTAIN_RETRY_SECONDS))(ctx)
  }
}
