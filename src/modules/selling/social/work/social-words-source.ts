/** Adds the words of direct messages to the search index (src/modules/reporting/search/DECISIONS.md). */
import { type WordIndexTools, wordIndexSource } from '../../../../core/word-index.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { indexDirectMessages } from '../chats/operations/search-messages.ts'
import { listUnindexedWorkspaces } from '../chats/queries/message-words.ts'

/** The maximum of messages of a workspace in a turn; the rest waits for the next run. */
const MAX_MESSAGES = 500

export const socialWordsSource = (tools: WordIndexTools): WorkSource =>
  wordIndexSource(tools, {
    name: 'social-words',
    listDue: async (query, max) =>
      new Map((await listUnindexedWorkspaces(query, max)).map((id) => [id, undefined])),
    index: async (ctx) => (await indexDirectMessages(ctx, MAX_MESSAGES)) < MAX_MESSAGES,
  })
