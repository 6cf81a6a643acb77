/** An answer by a teammate that came after somebody began to write theirs. */
import type { Message } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { type TeammateAnswer, teammateAnswer } from '../api/outbox.ts'
import type { Written } from './draft-shape.ts'
import { messagesQuery } from './queries.ts'

const messagesOf = (conversationId: string): readonly Message[] =>
  queryClient.getQueryData(messagesQuery(conversationId).queryKey)?.pages[0]?.messages ?? []

/** The newest message of a chat, as far as it has been read; ids rise with time. */
export const newestMessageId = (conversationId: string): string | undefined =>
  messagesOf(conversationId)[0]?.id

/** The newest answer by a teammate behind the message `since`; where nothing is known of a beginning, none is. */
export const answerSince = (
  conversationId: string,
  since: string | undefined,
  me: string,
): TeammateAnswer | undefined => teammateAnswer(messagesOf(conversationId), { since, writer: me })

/** Whether what was written stands among the messages already: it was sent, by another device. */
export const isSent = (messages: readonly Message[], { text, files = [] }: Written): boolean => {
  const ours = messages.filter(({ direction }) => direction === 'outbound')
  return (
    (text.trim() === '' || ours.some((message) => message.text === text.trim())) &&
    files.every(({ mediaId }) => ours.some(({ content }) => (content as { id?: string }).id === mediaId))
  )
}
