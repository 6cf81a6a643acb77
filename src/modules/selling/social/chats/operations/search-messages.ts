/** Finds direct messages by the words of their text (src/modules/reporting/search/DECISIONS.md). */
import type { Context } from '../../../../../core/context.ts'
import { yieldPeriodically } from '../../../../../core/yield-periodically.ts'
import { requireCostlyRead } from '../../../../../database/sql/costly-reads.ts'
import { holdOffErasures } from '../../../../messaging/contacts/operations/erase-contact.ts'
import {
  snippetAround,
  wantedWords,
  wordsOfText,
} from '../../../../messaging/messages/reading/operations/search-words.ts'
import {
  claimUnindexed,
  hasManyDirectWords,
  putMessageWords,
  searchDirectRows,
} from '../queries/message-words.ts'

const MAX_SNIPPET = 120

const textOf = (content: Record<string, unknown>): string =>
  ['text', 'title'].flatMap((key) => (typeof content[key] === 'string' ? [content[key]] : [])).join(' ')

/**
 * Returns the newest direct messages that contain every word of `text`, or a word with that prefix: at most `max`, of
 * any age.
 */
export async function searchDirectMessages(ctx: Context, text: string, max: number) {
  const search = wantedWords(text)
  if (!search || !ctx.workspace.socialAddon || !ctx.workspace.socialEnabled) return []
  if (search.vague && (await hasManyDirectWords(ctx))) await requireCostlyRead(ctx)
  return (await searchDirectRows(ctx, search.tsquery, max)).map(({ content, ...row }) => ({
    ...row,
    snippet: snippetAround(textOf(content), search.words, MAX_SNIPPET),
  }))
}

/** Writes the words of at most `max` messages whose text is new or has changed. Returns how many. */
export async function indexDirectMessages(ctx: Context, max: number): Promise<number> {
  // No contact may be erased while its words are written.
  await holdOffErasures(ctx)
  const messages = await claimUnindexed(ctx, max)
  const letOthersRun = yieldPeriodically()
  const rows: { id: string; words: string }[] = []
  for (const { id, content } of messages) {
    rows.push({ id, words: wordsOfText(textOf(content)) })
    await letOthersRun()
  }
  if (rows.length > 0) await putMessageWords(ctx, rows)
  return messages.length
}
