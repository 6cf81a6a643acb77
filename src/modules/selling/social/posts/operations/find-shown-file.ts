/** Finds the pictures and videos of posts for the pages that show them. */
import { type Clock, MINUTE_MS } from '../../../../../core/clock.ts'
import type { Context, Outside } from '../../../../../core/context.ts'
import { isUuid } from '../../../../../core/ids.ts'
import { findFirstFileOf } from '../queries/posts.ts'
import { briefCache } from '../short-cache.ts'
import { findPostFile } from './find-post-file.ts'

const addresses = briefCache<string | undefined>({ keptMs: 10 * MINUTE_MS, maxEntries: 10_000 })

const NETWORK_ID = /^\d{5,30}$/

/** Returns the stored file with this id, or the first stored file of the own post with this id of the network. */
export async function findShownFile(ctx: Context, id: string) {
  const mediaId = NETWORK_ID.test(id) ? (await findFirstFileOf(ctx, id))?.mediaId : id
  return mediaId !== undefined && isUuid(mediaId)
    ? findPostFile(ctx, ctx.workspace.id, mediaId.toLowerCase())
    : undefined
}

/** Returns the address at the network of a post's picture; undefined if the network shows none. */
export async function readPictureAddress(
  outside: Pick<Outside, 'socialAccount' | 'socialNetwork'>,
  clock: Clock,
  workspaceId: string,
  networkMediaId: string,
): Promise<string | undefined> {
  if (!NETWORK_ID.test(networkMediaId)) return undefined
  const account = await outside.socialAccount(workspaceId)
  if (!account) return undefined
  return addresses.get(`${account.id} ${networkMediaId}`, clock.now(), async () => {
    const answer = await outside.socialNetwork.findMedia(account, networkMediaId)
    const url = answer.kind === 'done' ? (answer.value.thumbnailUrl ?? answer.value.url) : null
    return url && /^https?:\/\//i.test(url) ? url : undefined
  })
}
