/** The intake: what the operator reports is stored as it came, and applied by background work. */
import { type Query, type Unit, wake } from '../../../../core/context.ts'
import type { DuePost } from '../queries/due-updates.ts'
import {
  findUpdateAbout,
  insertPosts,
  insertUpdates,
  type NewPost,
  type NewUpdate,
} from '../queries/updates.ts'

export type { NewPost }

/** The source of background work that applies updates. */
export const UPDATES = 'updates'

/** Stores updates that are due now, in the caller's transaction. */
export async function takeInUpdates(unit: Unit, updates: NewUpdate[]): Promise<void> {
  await insertUpdates(unit.tx.sql, updates)
  wake(unit, UPDATES)
}

/** Stores bodies as they came, in the caller's transaction. */
export async function takeInPosts(unit: Unit, posts: NewPost[]): Promise<void> {
  await insertPosts(unit.tx.sql, posts)
  wake(unit, UPDATES)
}

/** Parts a body that was stored as it came into its changes, each with the number that it is kept with. */
export type SplitPost = (
  post: Pick<DuePost, 'workspaceId' | 'raw' | 'signers'>,
) => Promise<Pick<NewUpdate, 'phoneNumberId' | 'sender' | 'body'>[]>

/** Stores updates that fall due later, as the platform. */
export const scheduleUpdates = (query: Query, updates: NewUpdate[]): Promise<unknown> =>
  insertUpdates(query, updates)

/** The channel id under which the simulator took our message before, if it did. */
export async function findSimulatedMessage(
  query: Query,
  workspaceId: string,
  messageId: string,
): Promise<string | undefined> {
  const body = await findUpdateAbout(query, workspaceId, messageId)
  const value = body?.value as { statuses?: { id?: string }[] } | undefined
  return value?.statuses?.[0]?.id
}
