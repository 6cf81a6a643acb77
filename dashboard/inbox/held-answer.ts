/** Finds a teammate's answer that arrived after a member began to write an answer. */
import type { Message } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { type TeammateAnswer, teammateAnswer } from '../api/outbox.ts'
import type { DraftContent } from './draft-shape.ts'
import { messagesQuery } from './queries.ts'

const messagesOf = (conversationId: string): readonly Message[] =>
  queryClient.getQueryData(messagesQuery(conversationId).queryKey)?.pages[0]?.messages ?? []

/** Returns the newest loaded message of a chat; IDs rise with time. */
export const newestMessageId = (conversationId: string): string | undefined =>
  messagesOf(conversationId)[0]?.id

/**
 * Returns a teammate's newest answer after the message `since`; undefined if the start of the draft is not
 * known.
 */
export const answerSince = (
  conversationId: string,
  since: string | undefined,
  me: string,
): TeammateAnswer | undefined => teammateAnswer(messagesOf(conversationId), { since, writer: me })

/** Returns whether the draft is already among the messages, because another device sent it. */
export const isSent = (messages: readonly Message[], { text, files = [] }: DraftContent): boolean => {
  const outgoing = messages.filter(({ direction }) => direction === 'outbound')
  return (
    (text.trim() === '' || outgoing.some((message) => message.text === text.trim())) &&
    files.every(({ mediaId }) => outgoing.some(({ content }) => (content as { id?: string }).id === mediaId))
  )
}
