/** Reads campaigns with live counts, and their recipients (spec 4.4, 4.10). */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { spellings } from '../../../../core/values/spellings.ts'
import { containsLike } from '../../../../database/sql/like.ts'
import { type BroadcastRow, findBroadcastRow, listBroadcastRows } from '../queries/broadcasts.ts'
import { listRecipientRows, type RecipientRow } from '../queries/recipients.ts'
import { listTallies } from '../queries/tallies.ts'
import type { BroadcastStatus, RecipientFilter } from '../schema.ts'
import { presentBroadcast } from './present-broadcast.ts'

async function present(ctx: Context, rows: BroadcastRow[]) {
  const tallies =
    rows.length === 0
      ? []
      : await listTallies(
          ctx,
          rows.map((row) => row.id),
        )
  const tallyById = new Map(tallies.map((tally) => [tally.broadcastId, tally]))
  return rows.map((row) => presentBroadcast(row, tallyById.get(row.id)))
}

const findBroadcast = async (ctx: Context, id: string): Promise<BroadcastRow> =>
  (isUuid(id) ? await findBroadcastRow(ctx, id) : undefined) ??
  refuse('not_found', 'Campaign not found. See GET /broadcasts.')

/** Returns a campaign as in replies. Refuses `not_found`. */
export async function getBroadcast(ctx: Context, id: string) {
  const [shown] = await present(ctx, [await findBroadcast(ctx, id)])
  return shown!
}

/** Returns a page of campaigns, newest first. */
export async function listBroadcasts(
  ctx: Context,
  query: CursorQuery & { ids?: string[] | undefined; status?: BroadcastStatus | undefined },
) {
  const { rows, nextCursor } = cutPage(await listBroadcastRows(ctx, query), query.limit, (row) => row.id)
  return { broadcasts: await present(ctx, rows), nextCursor }
}

/** Returns a page of a campaign's recipients, in the order of their ids. Refuses `not_found`. */
export async function listRecipients(
  ctx: Context,
  id: string,
  query: Pick<RecipientFilter, 'limit' | 'cursor' | 'status'>,
): Promise<{ recipients: RecipientRow[]; nextCursor: string | null }> {
  const { id: broadcastId } = await findBroadcast(ctx, id)
  const found = await listRecipientRows(ctx, broadcastId, query)
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.contactId)
  return { recipients: rows, nextCursor }
}

/** Returns the newest campaigns with `text` in their name, at most `max`. */
export const searchBroadcasts = (ctx: Context, text: string, max: number): Promise<BroadcastRow[]> =>
  listBroadcastRows(ctx, {
    limit: max - 1,
    patterns: spellings(text).map((spelling) => containsLike(spelling.toLowerCase())),
  })
