/** Shows which members are viewing a conversation (docs/decisions/dashboard-pages.md). */
import type { OutsideContext } from '../../../../core/context.ts'
import type { NewPresence } from '../schema.ts'
import { getInboxConversation } from './read-conversations.ts'

declare module '../../../../core/context.ts' {
  interface Outside {
    /**
     * Reports the chat that a member is viewing to the workspace's listeners in every process. Not stored.
     */
    announcePresence(report: {
      workspaceId: string
      memberId: string
      conversationId: string | null
      typing: boolean
    }): Promise<void>
  }
}

/** Reports that the caller is viewing a conversation, for 30 s. Refuses `not_found`. */
export async function reportPresence(
  { workspace, actor, outside, transaction }: OutsideContext,
  { conversationId, typing }: NewPresence,
): Promise<void> {
  // This endpoint accepts only sessions.
  if (actor.kind !== 'member') throw new Error('a presence belongs to a member')
  if (conversationId !== null) await transaction((ctx) => getInboxConversation(ctx, conversationId))
  await outside.announcePresence({
    workspaceId: workspace.id,
    memberId: actor.memberId,
    conversationId,
    typing: conversationId !== null && typing,
  })
}
