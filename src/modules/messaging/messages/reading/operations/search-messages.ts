import type { Context } from '../../../../../core/context.ts'
import { requireCostlyRead } from '../../../../../database/sql/costly-reads.ts'
import { hasManyWords, searchMessageRows } from '../queries/message-words.ts'
import { searchedText, snippetAround, wantedWords } from './search-words.ts'

export type FoundMessage = {
  id: string
  conversationId: string
  contactId: string
  /** The message's text, starting a little before the match. */
  snippet: string
  createdAt: Date
}

const MAX_SNIPPET = 120

/**
 * Returns the newest messages that contain every word of `text`, or a word with that prefix: at most `max`,
 * of any age.
 */
export async function searchMessages(ctx: Context, text: string, max: number): Promise<FoundMessage[]> {
  const search = wantedWords(text)
  if (!search) return []
  if (search.vague && (await hasManyWords(ctx))) await requireCostlyRead(ctx)
  return (await searchMessageRows(ctx, search.tsquery, max)).map((row) => ({
    id: row.id,
    conversationId: row.conversationId,
    contactId: row.contactId,
    snippet: snippetAround(searchedText(row.type, row.content, row.templateText), search.words, MAX_SNIPPET),
    createdAt: row.createdAt,
  }))
}
