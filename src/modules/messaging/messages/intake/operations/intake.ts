/** The intake: the operator's reports are stored as received, and applied by background work. */
import { beforeCommit, type Query, type Unit, wake } from '../../../../../core/context.ts'
import type { DuePost } from '../queries/due-updates.ts'
import {
  insertPosts,
  insertUpdates,
  listUpdatesAbout,
  type NewPost,
  type NewUpdate,
} from '../queries/updates.ts'

export { isUpdateWaiting } from '../queries/due-updates.ts'
export type { NewPost, NewUpdate }

/** The source of background work that applies updates. */
export const UPDATES = 'updates'

/** Stores updates that are due now, in the caller's transaction. */
export async function receiveUpdates(unit: Unit, updates: NewUpdate[]): Promise<void> {
  await insertUpdates(unit.tx.sql, updates)
  wake(unit, UPDATES)
}

/** Stores bodies as received, in the caller's transaction. */
export async function storePosts(unit: Unit, posts: NewPost[]): Promise<void> {
  beforeCommit(unit, insertPosts(unit.tx.sql, posts))
  wake(unit, UPDATES)
}

/** Splits a stored body into its changes, each with the number under which it is kept. */
export type SplitPost = (
  post: Pick<DuePost, 'workspaceId' | 'raw' | 'signers'>,
) => Promise<Pick<NewUpdate, 'phoneNumberId' | 'sender' | 'body'>[]>

/** Stores updates that are due later, with the platform's rights. */
export const scheduleUpdates = (query: Query, updates: NewUpdate[]): Promise<unknown> =>
  insertUpdates(query, updates)

/**
 * Returns the channel ids under which the simulator accepted these messages before; undefined for messages
 * that it did not accept.
 */
export async function findSimulatedMessages(
  query: Query,
  messages: { workspaceId: string; reference: string }[],
): Promise<(string | undefined)[]> {
  const bodies = await listUpdatesAbout(query, messages)
  return bodies.map((body) => {
    const value = body?.value as { statuses?: { id?: string }[] } | undefined
    return value?.statuses?.[0]?.id
  })
}
