/**
 * Publishing, one step at a time (docs/decisions/photo-network.md): containers are made, the finished one is published,
 * the post is looked up. What a step reached is written when it ends; whoever carries on from a step that broke off repeats
 * it. Only one container is ever published, and the network is asked how it stands before it is, so that a lost answer
 * publishes nothing twice.
 */
import type { Context, OutsideContext, Workspace } from '../../../../core/context.ts'
import type { SocialAccount } from '../../../../social-network/port.ts'
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

/** A post on its way, and where to. */
export type Publication = { of: PublishingRun; row: PostRow; parts: PartRow[]; account: SocialAccount }

/** Seconds between looks for the address of a published post; then it is announced without one. */
const PERMALINK_SECONDS = [5, 15, 60, 180]

/** Carries a post one step further; answers what to write. */
export async function publishStep(ctx: OutsideContext, of: PublishingRun): Promise<Outcome> {
  const begun = await ctx.transaction((inside) => begin(inside, of))
  if (!begun) return async () => undefined
  const account = await ctx.outside.socialAccount(ctx.workspace.id)
  const { row } = begun
  if (row.networkMediaId !== null)
    return account ? lookUp(ctx, { of, ...begun, account }, row.networkMediaId) : published(of, null)
  const obstacle = obstacleOf(ctx.workspace, row, account)
  if (obstacle !== undefined || !account)
    return failed(of, { message: obstacle ?? NOT_CONNECTED, code: null })
  const publication = { of, ...begun, account }
  return row.containerId === null
    ? makeContainer(ctx, publication)
    : publishContainer(ctx, publication, row.containerId)
}

/** The post, from now on beyond cancelling; undefined when this run is not to go on with it. */
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

/** What the workspace lacks by the time that the post goes out. */
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

/** The post is out; its address is what is still wanted. */
async function lookUp(ctx: OutsideContext, publication: Publication, mediaId: string): Promise<Outcome> {
  const { of, row, account } = publication
  const found = await ctx.outside.socialNetwork.findMedia(account, mediaId)
  if (found.kind === 'done') return published(of, found.value.permalink)
  const seconds = PERMALINK_SECONDS[row.tries]
  return seconds === undefined ? published(of, null) : continueLater(of, { tries: row.tries + 1 }, seconds)
}

/** Something of ours broke again and again. */
export const failPublishing = (ctx: Context, of: PublishingRun): Promise<Date | undefined> =>
  failed(of, { message: "Parley couldn't publish the post. Its log has the reason.", code: null })(ctx)
