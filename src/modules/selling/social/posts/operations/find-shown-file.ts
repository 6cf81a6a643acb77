/** Finds the pictures and videos of posts, and the picture of the account, for the pages that show them. */
import { type Clock, MINUTE_MS } from '../../../../../core/clock.ts'
import type { Context, Outside } from '../../../../../core/context.ts'
import { isUuid } from '../../../../../core/ids.ts'
import type { NetworkFile, SocialAccount } from '../../../../../social-network/port.ts'
import { findFileOf } from '../queries/posts.ts'
import { briefCache } from '../short-cache.ts'
import { findPostFile } from './find-post-file.ts'

/** The addresses of a file at the network: its picture, which a video has too, and the video itself. */
type FileAddresses = { picture: string | undefined; video: string | undefined }

/** The addresses of a post's files by their places: its own, then those of the files of a carousel. */
const addresses = briefCache<FileAddresses[]>({ keptMs: 10 * MINUTE_MS, maxEntries: 10_000 })

/** An id of the network, `.2` for the second file of a carousel, and `.video` for a video instead of its picture. */
const SHOWN_ID = /^(\d{5,30})(?:\.([1-9]\d?))?(\.video)?$/

/** Reads the id of a post at the network with the place of a file; undefined for other ids. */
function readShownId(id: string) {
  const [, networkId, place, video] = SHOWN_ID.exec(id) ?? []
  return networkId === undefined
    ? undefined
    : { networkId, place: place === undefined ? undefined : Number(place), isVideo: video !== undefined }
}

/** Returns the stored file with this id, or a stored file of the own post with this id of the network. */
export async function findShownFile(ctx: Context, id: string) {
  const shown = readShownId(id)
  const mediaId = shown ? (await findFileOf(ctx, shown.networkId, shown.place ?? 1))?.mediaId : id
  return mediaId !== undefined && isUuid(mediaId)
    ? findPostFile(ctx, ctx.workspace.id, mediaId.toLowerCase())
    : undefined
}

const webAddress = (url: string | null): string | undefined =>
  url !== null && /^https?:\/\//i.test(url) ? url : undefined
const addressesOf = ({ mediaType, thumbnailUrl, url }: NetworkFile): FileAddresses => ({
  picture: webAddress(thumbnailUrl ?? url),
  video: mediaType === 'VIDEO' ? webAddress(url) : undefined,
})

async function askForAddresses(
  { socialNetwork }: Pick<Outside, 'socialNetwork'>,
  account: SocialAccount,
  networkId: string,
): Promise<FileAddresses[]> {
  if (networkId === account.networkId) {
    const profile = await socialNetwork.findProfile(account)
    const picture = profile.kind === 'done' ? webAddress(profile.value.pictureUrl) : undefined
    return [{ picture, video: undefined }]
  }
  const found = await socialNetwork.findMedia(account, networkId)
  return found.kind === 'done' ? [found.value, ...found.value.children].map(addressesOf) : []
}

/**
 * Returns the address at the network of a picture or a video: of a post, of a file of a carousel, or of the account itself.
 * Undefined if the network shows none.
 */
export async function readNetworkFile(
  outside: Pick<Outside, 'socialAccount' | 'socialNetwork'>,
  clock: Clock,
  workspaceId: string,
  id: string,
): Promise<{ url: string; isVideo: boolean } | undefined> {
  const shown = readShownId(id)
  if (!shown) return undefined
  const account = await outside.socialAccount(workspaceId)
  if (!account) return undefined
  const known = await addresses.get(`${account.id} ${shown.networkId}`, clock.now(), () =>
    askForAddresses(outside, account, shown.networkId),
  )
  const { isVideo } = shown
  const url = known[shown.place ?? 0]?.[isVideo ? 'video' : 'picture']
  return url === undefined ? undefined : { url, isVideo }
}
