/** The account's own current posts at the network (spec 4.6). */
import { SECOND_MS } from '../../../../../core/clock.ts'
import type { OutsideContext } from '../../../../../core/context.ts'
import { refuse } from '../../../../../core/errors.ts'
import type { NetworkMedia, SocialAccount } from '../../../../../social-network/port.ts'
import { networkRefusal } from '../../../../../social-network/refusals.ts'
import { findLastPublished, listPostsByNetworkMedia } from '../queries/posts.ts'
import type { LivePost, PostKind, RecentPosts } from '../schema.ts'
import { briefCache } from '../short-cache.ts'

const recent = briefCache<LivePost[]>({ keptMs: 10 * SECOND_MS, maxEntries: 1_000 })

/** Returns the account for the request. Refuses with `not_connected` if it was just disconnected. */
export async function liveAccount(ctx: OutsideContext): Promise<SocialAccount> {
  return (
    (await ctx.outside.socialAccount(ctx.workspace.id)) ??
    refuse(
      'not_connected',
      'No photo network account is connected. An admin can connect one in Integrations.',
    )
  )
}

/**
 * Returns the account and its latest posts with their likes and comments, at most ten seconds old. Refuses with the network's
 * error.
 */
export async function readRecentPosts(ctx: OutsideContext, limit: number): Promise<RecentPosts> {
  const account = await liveAccount(ctx)
  // A list from before the last publication is not shown again, so that a page which waits for its post finds it.
  const last = await ctx.transaction(findLastPublished)
  const posts = await recent.get(`${account.id} ${limit} ${last?.id}`, ctx.clock.now(), async () => {
    const answer = await ctx.outside.socialNetwork.listMedia(account, { limit, after: null })
    if (answer.kind !== 'done') throw networkRefusal(answer)
    return presentLive(ctx, account, answer.value.media)
  })
  return { account: { username: account.username, socialAccountId: account.networkId }, posts }
}

const KINDS: Record<string, PostKind | 'video'> = {
  IMAGE: 'image',
  CAROUSEL_ALBUM: 'carousel',
  VIDEO: 'video',
}

const kindOf = ({ mediaType, productType }: NetworkMedia): LivePost['kind'] =>
  productType === 'REELS' ? 'reel' : (KINDS[mediaType] ?? 'other')

/** Presents posts of the network in the API's format, and recognizes those created in Parley. */
export async function presentLive(
  ctx: OutsideContext,
  account: SocialAccount,
  media: NetworkMedia[],
): Promise<LivePost[]> {
  const ownPosts = await ctx.transaction((txCtx) =>
    listPostsByNetworkMedia(
      txCtx,
      account.id,
      media.map(({ id }) => id),
    ),
  )
  const postIds = new Map(ownPosts.map(({ id, networkMediaId }) => [networkMediaId, id]))
  return media.map((networkMedia) => ({
    socialMediaId: networkMedia.id,
    postId: postIds.get(networkMedia.id) ?? null,
    kind: kindOf(networkMedia),
    caption: networkMedia.caption,
    mediaUrl: networkMedia.url,
    thumbnailUrl: networkMedia.thumbnailUrl,
    permalink: networkMedia.permalink,
    publishedAt: networkMedia.publishedAt?.toISOString() ?? null,
    likes: networkMedia.likes,
    comments: networkMedia.comments,
    files: networkMedia.children.map(({ mediaType, url, thumbnailUrl }) => ({
      kind: mediaType === 'VIDEO' ? 'video' : 'image',
      mediaUrl: url,
      thumbnailUrl,
    })),
  }))
}
