/** Published posts, as the simulated network stores and returns them. */
import type { SimulatedCall } from './call.ts'
import { timestampOf } from './calls/comments.ts'
import type { SimulatedObject, SocialStore } from './store.ts'
import { type Container, type ContainerType, containerOf, findContainer } from './stored-containers.ts'

const SHOWN: Record<ContainerType, { media_type: string; media_product_type: string; path: string }> = {
  IMAGE: { media_type: 'IMAGE', media_product_type: 'FEED', path: 'p' },
  CAROUSEL: { media_type: 'CAROUSEL_ALBUM', media_product_type: 'FEED', path: 'p' },
  REELS: { media_type: 'VIDEO', media_product_type: 'REELS', path: 'reel' },
}

/**
 * The id of a post is derived from its container's id, so one container is published once, even after a
 * crash.
 */
const mediaIdOf = (containerId: string): string => `18${containerId.slice(2)}`

/** Publishes a container; returns the id of the post. */
export async function keepPublished(
  { store, account }: SimulatedCall,
  containerId: string,
  { type, caption, source, children }: Container,
): Promise<string> {
  const id = mediaIdOf(containerId)
  const { path, ...shown } = SHOWN[type]
  const items = await Promise.all(children.map((child) => findContainer(store, account, child)))
  const files = items.flatMap((item) =>
    item ? [{ id: mediaIdOf(item.id), media_type: 'IMAGE', media_url: containerOf(item).source }] : [],
  )
  const value = {
    ...(caption === null ? {} : { caption }),
    ...shown,
    ...(source === null ? {} : { media_url: source }),
    ...(files.length === 0 ? {} : { media_url: files[0]!.media_url, children: { data: files } }),
    permalink: `https://photos.example.com/${path}/${id}/`,
    timestamp: timestampOf(store.currentTime()),
    username: account.username,
    // Derived from its id, because no simulated person likes posts.
    like_count: Number(id.slice(-2)),
  }
  await store.keep(account, { kind: 'media', id, value, expiresAt: null })
  return id
}

/** Returns a post in its current state, with its comments. */
export async function nodeOf(
  store: SocialStore,
  account: SimulatedCall['account'],
  object: SimulatedObject,
): Promise<Record<string, unknown>> {
  const comments = (await store.list(account, 'comment')).filter(({ value }) => value.media_id === object.id)
  return nodeWith(object, comments.length)
}

export const nodeWith = ({ id, value }: SimulatedObject, comments: number): Record<string, unknown> => ({
  caption: undefined,
  media_type: 'IMAGE',
  media_product_type: 'FEED',
  media_url: undefined,
  thumbnail_url: undefined,
  permalink: undefined,
  timestamp: undefined,
  like_count: 0,
  children: undefined,
  ...value,
  id,
  comments_count: comments,
})
