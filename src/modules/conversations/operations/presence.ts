/** Who looks at a conversation (docs/decisions/live-stream.md). */
import type { OutsideContext } from '../../../core/context.ts'
import type { NewPresence } from '../schema.ts'
import { getConversation } from './read-conversations.ts'

declare module '../../../core/context.ts' {
  interface Outside {
    /** Shows those who listen to the workspace, in every process, what a member looks at. Nothing of it is stored. */
    announcePresence(report: {
      workspaceId: string
      memberId: string
      conversationId: string | null
      typing: boolean
    }): Promise<void>
  }
}

/** Says what the caller looks at; it counts for 30 s. Refuses `not_found`. */
export async function reportPresence(
  { workspace, actor, outside, transaction }: OutsideContext,
  { conversationId, typing }: NewPresence,
): Promise<void> {
  // This endpoint takes sessions alone.
  if (actor.kind !== 'member') throw new Error('a presence belongs to a member')
  if (conversationId !== null) await transaction((ctx) => getConversation(ctx, conversationId))
  await outside.announcePresence({
    workspaceId: workspace.id,
    memberId: actor.memberId,
    conversationId,
    typing: conversationId !== null && typing,
  })
}
