/**
 * Adds the words of messages to the search index, in batches for each workspace
 * (src/modules/reporting/search/DECISIONS.md).
 */
import { DAY_MS, later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { idAt } from '../../../../core/ids.ts'
import { type WordIndexTools, wordIndexSource } from '../../../../core/word-index.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { yieldPeriodically } from '../../../../core/yield-periodically.ts'
import { holdOffErasures } from '../../contacts/operations/erase-contact.ts'
import { indexedWords } from '../reading/operations/search-words.ts'
import {
  claimWordWalk,
  insertMessageWords,
  listDueWordWalks,
  listMessagesToCheck,
  listMessagesToRead,
  updateWordWalk,
  type WordedMessage,
} from '../reading/queries/message-words.ts'

/** The maximum of messages of a workspace in a turn; the rest waits for the next run. */
const MAX_MESSAGES = 1_000
/**
 * No transaction lasts longer (src/database/pool.ts), so all messages with earlier ids are visible after this
 * time.
 */
const SETTLED_MS = 2 * MINUTE_MS

/** Returns the later of two ids. */
const laterId = (a: string, other: string): string => (a > other ? a : other)

/**
 * Returns the rows for the index, without messages that are deleted within a day, so that their deletion does
 * not wait for the index.
 */
async function wordRows(ctx: Context, messages: WordedMessage[], messageDays: number) {
  const since = messageDays > 0 ? later(ctx.now, -(messageDays - 1) * DAY_MS) : undefined
  const letOthersRun = yieldPeriodically()
  const rows: { id: string; words: string }[] = []
  for (const message of messages) {
    if (since !== undefined && message.createdAt < since) continue
    const words = indexedWords(message)
    if (words !== '') rows.push({ id: message.id, words })
    await letOthersRun()
  }
  return rows
}

/**
 * Reads new messages, and reads again where messages with earlier ids may have become visible later. Returns
 * whether it reached the end within its limit.
 */
async function walk(ctx: Context, settled: string, messageDays: number): Promise<boolean> {
  const progress = await claimWordWalk(ctx)
  if (!progress) return true
  // No contact may be erased while its words are written.
  await holdOffErasures(ctx)
  const fresh = await listMessagesToRead(ctx, progress.readTo, MAX_MESSAGES)
  const upTo = progress.readTo < settled ? progress.readTo : settled
  const checked = await listMessagesToCheck(ctx, { after: progress.checkedTo, upTo }, MAX_MESSAGES)
  const missed = checked.filter(({ known }) => !known)
  const rows = await wordRows(ctx, [...missed, ...fresh], messageDays)
  if (rows.length > 0) await insertMessageWords(ctx, rows)
  await updateWordWalk(ctx, {
    readTo: fresh.at(-1)?.id ?? progress.readTo,
    checkedTo: checked.length < MAX_MESSAGES ? laterId(progress.checkedTo, upTo) : checked.at(-1)!.id,
    walkedAt: ctx.now,
  })
  return fresh.length < MAX_MESSAGES && checked.length < MAX_MESSAGES
}

/** Indexes the words of messages, workspace by workspace. */
export const wordsSource = (tools: WordIndexTools): WorkSource =>
  wordIndexSource(tools, {
    name: 'message-words',
    listDue: async (query, max) => {
      const settled = idAt(later(tools.clock.now(), -SETTLED_MS))
      const walks = await listDueWordWalks(query, settled, max)
      return new Map(
        walks.map(({ workspaceId, messageDays }) => [workspaceId, { settled, messageDays }] as const),
      )
    },
    index: (ctx, { settled, messageDays }) => walk(ctx, settled, messageDays),
  })
