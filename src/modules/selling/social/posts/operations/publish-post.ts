/**
 * Publishes a post in steps (DECISIONS.md): create containers, publish the finished one,
 * look up the post. Each step stores its progress at its end; an interrupted step is repeated. Only one
 * container is ever published, after a check of its state, so that a lost answer publishes nothing twice.
 */
import type { Context, OutsideContext, Workspace } from '../../../../../core/context.ts'
import type { SocialAccount } from '../../../../../social-network/port.ts'
import {
  findPostRowForUpdate,
  listPartRows,
  type PartRow,
  type PostRow,
  updatePostRow,
} from '../queries/posts.ts'
import { makeContainer } from './make-container.ts'
import { publishContainer } from './publish-container.ts'
import { continueLater, failed, type Outcome, type PublishingRun, published } from './publishing-outcome.ts'

/** A post that is being published, and its account. */
export type Publication = { run: PublishingRun; row: PostRow; parts: PartRow[]; account: SocialAccount }

/** Seconds between look-ups of a published post's address; then it is announced without one. */
const PERMALINK_SECONDS = [5, 15, 60, 180]

/** Runs the next step of a post; returns what to write. */
export async function publishStep(ctx: OutsideContext, run: PublishingRun): Promise<Outcome> {
  const started = await ctx.transaction((txCtx) => begin(txCtx, run))
  if (!started) return async () => undefined
  const account = await ctx.outside.socialAccount(ctx.workspace.id)
  const { row } = started
  if (row.networkMediaId !== null)
    return account ? lookUp(ctx, { run, ...started, account }, row.networkMediaId) : published(run, null)
  const obstacle = obstacleOf(ctx.workspace, row, account)
  if (obstacle !== undefined || !account)
    return failed(run, { message: obstacle ?? NOT_CONNECTED, code: null })
  const publication = { run, ...started, account }
  return row.containerId === null
    ? makeContainer(ctx, publication)
    : publishContainer(ctx, publication, row.containerId)
}

/** Returns the post, which can no longer be cancelled; undefined if this run must not continue. */
async function begin(
  ctx: Context,
  { postId, run }: PublishingRun,
): Promise<{ row: PostRow; parts: PartRow[] } | undefined> {
  const row = await findPostRowForUpdate(ctx, postId)
  if (row?.status !== 'scheduled' || row.runId !== run) return undefined
  if (row.publishingSince === null) await updatePostRow(ctx, postId, { publishingSince: ctx.now })
  return { row, parts: await listPartRows(ctx, ctx.workspace.id, [postId]) }
}

const NOT_CONNECTED = 'No account was connected at the scheduled time.'

/** Returns the reason why the workspace cannot publish when the post is due. */
function obstacleOf(
  workspace: Workspace,
  row: PostRow,
  account: SocialAccount | undefined,
): string | undefined {
  if (!workspace.socialAddon) return 'The workspace had no social add-on at the scheduled time.'
  if (!workspace.socialEnabled) return 'The photo network was turned off at the scheduled time.'
  if (!account) return NOT_CONNECTED
  if (row.accountId !== null && row.accountId !== account.id)
    return 'Another account was connected while the post was being published.'
  return undefined
}

/** Looks up the address of the published post. */
async function lookUp(ctx: OutsideContext, publication: Publication, mediaId: string): Promise<Outcome> {
  const { run, row, account } = publication
  const found = await ctx.outside.socialNetwork.findMedia(account, mediaId)
  if (found.kind === 'done') return published(run, found.value.permalink)
  const seconds = PERMALINK_SECONDS[row.tries]
  return seconds === undefined ? published(run, null) : continueLater(run, { tries: row.tries + 1 }, seconds)
}

/** Fails the post after repeated internal errors. */
export const failPublishing = (ctx: Context, run: PublishingRun): Promise<Date | undefined> =>
  failed(run, { message: "Parley couldn't publish the post. Its log has the reason.", code: null })(ctx)
