/**
 * The last steps of publishing: the one container of a post, and never another, is published once it is
 * ready.
 */
import { MINUTE_MS, SECOND_MS, workspaceTime } from '../../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../../core/context.ts'
import type { ContainerState, NetworkMedia } from '../../../../../social-network/port.ts'
import {
  findPostRowForUpdate,
  listPostsByNetworkMedia,
  type PostRow,
  updatePostRow,
} from '../queries/posts.ts'
import type { PostKind } from '../schema.ts'
import type { Publication } from './publish-post.ts'
import {
  continueLater,
  failed,
  failedForCertain,
  failureOf,
  isTemporary,
  type Outcome,
  type PublishingRun,
  published,
  retryLater,
} from './publishing-outcome.ts'

/**
 * The ages of an unfinished container at which it is checked again; later once a minute (docs/formats.md
 * section 14).
 */
const LOOK_AT_SECONDS = [2, 7, 22, 52, 112]
const LOOK_AGAIN_SECONDS = 60
/** The maximum time for the network to process photos, and a video. */
const READY_WITHIN_MS = { image: 5 * MINUTE_MS, carousel: 5 * MINUTE_MS, reel: 30 * MINUTE_MS }
/** After a request without an answer, the network gets this time to finish it before the next check. */
const AFTER_NO_ANSWER_SECONDS = 10
/**
 * Seconds between searches of the account's latest posts for a published one; then it is announced without
 * its id.
 */
const SEARCH_SECONDS = [2, 10, 30, 60, 120]
const SEARCH_PAGE = 50
/** The largest difference by which the network's clock may be behind ours. */
const CLOCKS_APART_MS = 5 * MINUTE_MS

/** Decides by the container's state, independently of earlier attempts. */
export async function publishContainer(
  ctx: OutsideContext,
  publication: Publication,
  containerId: string,
): Promise<Outcome> {
  const { run, row, account } = publication
  const found = await ctx.outside.socialNetwork.findContainer(account, containerId)
  if (found.kind !== 'done')
    return isTemporary(found) ? retryLater(run, row, found) : failed(run, failureOf(found))
  switch (found.value.status) {
    case 'in_progress':
      return waitUntilReady(ctx, publication)
    case 'finished':
      return requestPublishing(ctx, publication, containerId)
    case 'published':
      return findPublished(ctx, publication)
    case 'error':
    case 'expired':
      return failedForCertain(run, { message: failureTextOf(found.value), code: null })
  }
}

const failureTextOf = ({ status, detail }: ContainerState): string =>
  detail ??
  (status === 'expired'
    ? 'The network deleted the post before publishing it.'
    : "The network couldn't process the post.")

function waitUntilReady(ctx: OutsideContext, { run, row }: Publication): Outcome {
  const since = row.containerMadeAt ?? row.createdAt
  const ageMs = workspaceTime(ctx.clock, ctx.workspace).getTime() - since.getTime()
  if (ageMs > READY_WITHIN_MS[row.kind])
    return failed(run, { message: "The network didn't process the files in time.", code: null })
  const age = ageMs / SECOND_MS
  const next = LOOK_AT_SECONDS.find((seconds) => seconds > age)
  // The network answered, and only unanswered attempts are counted.
  return continueLater(run, {}, next === undefined ? LOOK_AGAIN_SECONDS : next - age)
}

async function requestPublishing(
  ctx: OutsideContext,
  publication: Publication,
  containerId: string,
): Promise<Outcome> {
  const { run, row, account } = publication
  const publishRequest = await ctx.transaction((txCtx) => recordRequest(txCtx, run))
  if (!publishRequest) return async () => undefined
  const { publishRequestedAt, isFirst } = publishRequest
  const requestedRow = { ...row, publishRequestedAt }
  const answer = await ctx.outside.socialNetwork.publishContainer(account, containerId)
  if (answer.kind === 'done') return recordPublished(publication, answer.value.id, null)
  if (isTemporary(answer))
    return retryLater(run, requestedRow, answer, { leastSeconds: AFTER_NO_ANSWER_SECONDS })
  if (isFirst) return failedForCertain(run, failureOf(answer))
  // An earlier request with a lost answer may have been carried out meanwhile: the container's state shows
  // it.
  const now = await ctx.outside.socialNetwork.findContainer(account, containerId)
  if (now.kind !== 'done')
    return isTemporary(now) ? retryLater(run, requestedRow, now) : failed(run, failureOf(now))
  return now.value.status === 'published'
    ? findPublished(ctx, publication)
    : failedForCertain(run, failureOf(answer))
}

/**
 * Records that the post may be published from now on. Returns since when; undefined if this run has ended.
 */
async function recordRequest(
  ctx: Context,
  { postId, run }: PublishingRun,
): Promise<{ publishRequestedAt: Date; isFirst: boolean } | undefined> {
  const row = await findPostRowForUpdate(ctx, postId)
  if (row?.status !== 'scheduled' || row.runId !== run) return undefined
  if (row.publishRequestedAt !== null) return { publishRequestedAt: row.publishRequestedAt, isFirst: false }
  await updatePostRow(ctx, postId, { publishRequestedAt: ctx.now })
  return { publishRequestedAt: ctx.now, isFirst: true }
}

/**
 * Records the published post's id. Another post that looks alike and has taken the id leaves its own for this
 * one.
 */
const recordPublished =
  ({ run, account }: Publication, networkMediaId: string, publishedAt: Date | null): Outcome =>
  async (ctx) => {
    const claimedPosts = await listPostsByNetworkMedia(ctx, account.id, [networkMediaId])
    const isOurs = claimedPosts.every(({ id }) => id === run.postId)
    return continueLater(run, isOurs ? { networkMediaId, publishedAt: publishedAt ?? ctx.now } : {})(ctx)
  }

const TYPES: Record<PostKind, string> = { image: 'IMAGE', carousel: 'CAROUSEL_ALBUM', reel: 'VIDEO' }
const collapseSpaces = (text: string | null): string =>
  (text ?? '').normalize('NFC').replaceAll(/\s+/g, ' ').trim()

/** Searches the account's latest posts for a published post whose answer with the id was lost. */
async function findPublished(ctx: OutsideContext, publication: Publication): Promise<Outcome> {
  const { run, row, account } = publication
  // Searches are counted from here on, independently of earlier attempts.
  if (row.publishedAt === null) return async (txCtx) => continueLater(run, { publishedAt: txCtx.now })(txCtx)
  const answer = await ctx.outside.socialNetwork.listMedia(account, { limit: SEARCH_PAGE, after: null })
  const candidates = answer.kind === 'done' ? answer.value.media.filter((media) => mayBe(row, media)) : []
  const claimedPosts = await ctx.transaction((txCtx) =>
    listPostsByNetworkMedia(
      txCtx,
      account.id,
      candidates.map(({ id }) => id),
    ),
  )
  const takenIds = new Set(claimedPosts.map(({ networkMediaId }) => networkMediaId))
  // Takes the oldest of several alike posts, which leaves the later ones for later requests.
  const found = candidates.filter(({ id }) => !takenIds.has(id)).at(-1)
  if (found) return recordPublished(publication, found.id, found.publishedAt)
  const seconds = SEARCH_SECONDS[row.tries]
  return seconds === undefined ? published(run, null) : continueLater(run, { tries: row.tries + 1 }, seconds)
}

const mayBe = (row: PostRow, media: NetworkMedia): boolean =>
  media.mediaType === TYPES[row.kind] &&
  collapseSpaces(media.caption) === collapseSpaces(row.caption) &&
  (media.publishedAt === null ||
    media.publishedAt.getTime() >= (row.containerMadeAt ?? row.createdAt).getTime() - CLOCKS_APART_MS)
