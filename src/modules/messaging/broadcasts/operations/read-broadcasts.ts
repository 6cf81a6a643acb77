/** Reads campaigns with live counts, and their recipients (spec 4.4, 4.10). */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { spellings } from '../../../../core/values/spellings.ts'
import { allowLongReads, MANY_ROWS, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { containsLike } from '../../../../database/sql/like.ts'
import { type BroadcastRow, findBroadcastRow, listBroadcastRows } from '../queries/broadcasts.ts'
import {
  listReceivedCampaigns,
  listRecipientRows,
  listResponses,
  type MessageResponse,
  type RecipientRow,
  SENT,
} from '../queries/recipients.ts'
import { listTallies } from '../queries/tallies.ts'
import { countVariantResults, listVariantSummaries, type VariantCounts } from '../queries/variants.ts'
import type { BroadcastStatus, RecipientFilter, RecipientResponse } from '../schema.ts'
import type { VariantName } from '../variant-schema.ts'
import { nameOfVariant } from './assign-variant.ts'
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
  const compared = rows.filter((row) => row.testPhase !== null).map((row) => row.id)
  const variants = compared.length === 0 ? [] : await listVariantSummaries(ctx, compared)
  return rows.map((row) =>
    presentBroadcast(
      row,
      tallyById.get(row.id),
      variants.filter(({ broadcastId }) => broadcastId === row.id),
    ),
  )
}

const findBroadcast = async (ctx: Context, id: string): Promise<BroadcastRow> =>
  (isUuid(id) ? await findBroadcastRow(ctx, id) : undefined) ??
  refuse('not_found', 'Campaign not found. See GET /broadcasts.')

/** Returns a campaign as in replies. Refuses `not_found`. */
export async function getBroadcast(ctx: Context, id: string) {
  const [shown] = await present(ctx, [await findBroadcast(ctx, id)])
  return shown!
}

/** Returns the LIKE patterns of a text in a name, in its spellings. */
const patternsOf = (text: string): string[] =>
  spellings(text).map((spelling) => containsLike(spelling.toLowerCase()))

/** Returns a page of campaigns, newest first. */
export async function listBroadcasts(
  ctx: Context,
  {
    search,
    ...query
  }: CursorQuery & {
    ids?: string[] | undefined
    status?: BroadcastStatus | undefined
    search?: string | null | undefined
    from?: Date | undefined
    to?: Date | undefined
  },
) {
  const found = await listBroadcastRows(ctx, { ...query, patterns: search ? patternsOf(search) : undefined })
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.id)
  return { broadcasts: await present(ctx, rows), nextCursor }
}

export type ShownRecipient = Omit<RecipientRow, 'variant' | 'isStored'> & {
  variant: VariantName | null
  response: RecipientResponse | null
}

/** Returns the response that tells the most: a customer who opted out did not reply, and a tap is also a reply. */
const responseIn = ({ optedOut, hasTapped, hasReplied }: MessageResponse): RecipientResponse =>
  optedOut ? 'opted_out' : hasTapped ? 'tapped' : hasReplied ? 'replied' : 'none'

/** Reads the response to each stored message that was sent; null for other recipients. */
async function readResponsesOf(ctx: Context, rows: RecipientRow[]) {
  const ids = rows.flatMap(({ messageId, isStored, status }) =>
    messageId !== null && isStored && SENT.includes(status) ? [messageId] : [],
  )
  const responses = ids.length === 0 ? [] : await listResponses(ctx, ids)
  const byMessage = new Map<string | null, RecipientResponse>(ids.map((id) => [id, 'none']))
  for (const response of responses) byMessage.set(response.id, responseIn(response))
  return ({ messageId }: RecipientRow) => byMessage.get(messageId) ?? null
}

type RecipientPage = Pick<RecipientFilter, 'limit' | 'cursor' | 'status' | 'response'>

/**
 * Returns a page of a campaign's recipients. Refuses `not_found`, and `rate_limited` while too many requests search
 * large campaigns for responses.
 */
export async function readRecipients(ctx: Context, id: string, query: RecipientPage) {
  if (query.response !== undefined) {
    const { counts } = await getBroadcast(ctx, id)
    if (counts.queued > MANY_ROWS) await requireCostlyRead(ctx)
  }
  return listRecipients(ctx, id, query)
}

/** Returns a page of a campaign's recipients, in the order of their ids. Refuses `not_found`. */
export async function listRecipients(
  ctx: Context,
  id: string,
  query: RecipientPage,
): Promise<{ recipients: ShownRecipient[]; nextCursor: string | null }> {
  const { id: broadcastId } = await findBroadcast(ctx, id)
  if (query.response !== undefined) await allowLongReads(ctx.tx)
  const found = await listRecipientRows(ctx, broadcastId, query)
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.contactId)
  const responseOf = await readResponsesOf(ctx, rows)
  return {
    recipients: rows.map(({ isStored: _, ...row }, i) => ({
      ...row,
      variant: row.variant === null ? null : nameOfVariant(row.variant),
      response: responseOf(rows[i]!),
    })),
    nextCursor,
  }
}

/** Returns the results of the sample by variant, without variants that no recipient got. */
export const readVariantResults = async (
  ctx: Context,
  broadcastId: string,
): Promise<(Omit<VariantCounts, 'number'> & { name: VariantName })[]> =>
  (await countVariantResults(ctx, broadcastId)).map(({ number, ...counts }) => ({
    name: nameOfVariant(number),
    ...counts,
  }))

/** Returns the newest campaigns with `text` in their name, at most `max`. */
export const searchBroadcasts = (ctx: Context, text: string, max: number): Promise<BroadcastRow[]> =>
  listBroadcastRows(ctx, { limit: max - 1, patterns: patternsOf(text) })

/** Returns the newest campaigns with a message to a contact, and how many there are. */
export async function listCampaignsOfContact(ctx: Context, contactId: string, max: number) {
  const { rows, count: total } = await listReceivedCampaigns(ctx, contactId, max)
  return {
    items: rows.map(({ startedAt, ...campaign }) => ({
      ...campaign,
      startedAt: startedAt?.toISOString() ?? null,
    })),
    total,
  }
}
