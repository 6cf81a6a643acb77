/** The simulated network's unpublished posts (docs/formats.md section 14). */
import { DAY_MS, later, SECOND_MS } from '../../core/clock.ts'
import { idParameter } from './id-parameter.ts'
import type { SimulatedAccount, SimulatedObject, SocialStore } from './store.ts'

/** The time that the network takes to prepare a video. */
const VIDEO_READY_MS = 3 * SECOND_MS
/** The maximum number of an account's publications in a day. */
export const QUOTA = { total: 100, durationMs: DAY_MS }

export type ContainerType = 'IMAGE' | 'CAROUSEL' | 'REELS'
export type Container = {
  type: ContainerType
  caption: string | null
  /** The address that the network fetches; null for a carousel, whose items have addresses. */
  source: string | null
  /** A photo of a carousel: never published alone. */
  isItem: boolean
  children: string[]
  createdAt: string
  /** Why it cannot be published. */
  error: string | null
  publishedAt: string | null
}

export const containerOf = ({ value }: SimulatedObject): Container => value as Container

export const keepContainer = (
  store: SocialStore,
  account: SimulatedAccount,
  id: string,
  value: Container,
): Promise<void> => store.keep(account, { kind: 'container', id, value, expiresAt: null })

/** Returns the account's container with that id. */
export async function findContainer(
  store: SocialStore,
  account: SimulatedAccount,
  id: unknown,
): Promise<SimulatedObject | undefined> {
  const found = await store.find(idParameter(id))
  return found?.kind === 'container' && found.accountId === account.networkId ? found : undefined
}

/** Returns its state in the network's terms. */
export function statusOf(container: Container, now: Date): { code: string; words: string } {
  const createdAt = new Date(container.createdAt)
  if (container.publishedAt !== null)
    return { code: 'PUBLISHED', words: 'Published: Media has been published.' }
  if (container.error !== null) return { code: 'ERROR', words: `Error: ${container.error}` }
  if (now >= later(createdAt, DAY_MS))
    return { code: 'EXPIRED', words: 'Expired: The container was not published within 24 hours.' }
  if (container.type === 'REELS' && now < later(createdAt, VIDEO_READY_MS))
    return { code: 'IN_PROGRESS', words: 'In Progress: Media is still being processed.' }
  return { code: 'FINISHED', words: 'Finished: Media has been uploaded and it is ready to be published.' }
}

/** Counts the publications in the quota's period. */
export async function quotaUsage(store: SocialStore, account: SimulatedAccount): Promise<number> {
  const since = later(store.currentTime(), -QUOTA.durationMs)
  const published = (await store.list(account, 'container')).filter((object) => {
    const { publishedAt } = containerOf(object)
    return publishedAt !== null && new Date(publishedAt) > since
  })
  return published.length
}
