/**
 * Adds the words of messages to the search index, in batches for each workspace
 * (src/modules/reporting/search/DECISIONS.md).
 */
import { type Clock, DAY_MS, later, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import { type Context, type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import { idAt } from '../../../../core/ids.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { workspacesInTurn } from '../../../../core/workspaces-in-turn.ts'
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

/**
 * The maximum of messages of a workspace in a turn, and of workspaces in a run; the rest waits for the next
 * run.
 */
const MAX_MESSAGES = 1_000
const MAX_WORKSPACES = 4
/** The longest rest before it has read the existing messages. */
const MAX_REST_MS = MINUTE_MS
/**
 * No transaction lasts longer (src/database/pool.ts), so all messages with earlier ids are visible after this
 * time.
 */
const SETTLED_MS = 2 * MINUTE_MS

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Returns whether requests need the machine more now. */
  areAnswersSlow?(): boolean
}

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

/**
 * Rests while answers are slow, for a minute at most, and between runs: search may be seconds behind, and
 * catches up under any load.
 */
export function wordsSource({ database, clock, workspaces, areAnswersSlow }: Options): WorkSource {
  const inTurn = workspacesInTurn()
  let caughtUpMs = clock.monotonicMs()
  const isResting = (): boolean =>
    areAnswersSlow?.() === true && clock.monotonicMs() - caughtUpMs < MAX_REST_MS
  return {
    name: 'message-words',
    pollMs: 2 * SECOND_MS,
    async runDue({ workspaceId }) {
      // The index does not depend on a workspace's time, so a sandbox clock does not wait for it.
      if (workspaceId !== undefined || isResting()) return 0
      const settled = idAt(later(clock.now(), -SETTLED_MS))
      const due = await listDueWordWalks(database.query, settled, MAX_WORKSPACES)
      const daysOf = new Map(due.map((walk) => [walk.workspaceId, walk.messageDays]))
      const owners = await workspaces([...daysOf.keys()])
      const finished = await inTurn(owners.values(), async (workspace) => {
        const isThrough = await database.tenant(workspace, (unit) =>
          walk(platformContext(unit, workspace, clock), settled, daysOf.get(workspace.id) ?? 0),
        )
        return isThrough ? 1 : 0
      })
      if (finished === due.length && due.length < MAX_WORKSPACES) caughtUpMs = clock.monotonicMs()
      return 0
    },
  }
}
