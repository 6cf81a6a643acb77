/** Exports the recipients of a campaign as one CSV file of any size (DECISIONS.md "Audiences"). */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { shownTo } from '../../../../core/customer-details.ts'
import type { Pieces } from '../../../../core/endpoint.ts'
import { csvLine } from '../../../../core/values/csv.ts'
import { BroadcastRecipient, type RecipientStatus } from '../schema.ts'
import { isComparison, listRecipients, type ShownRecipient } from './read-broadcasts.ts'

/** Recipients that a short transaction reads: some hundred kilobytes of text, which is the most in memory. */
const AT_ONCE = 1_000
const HEADINGS = ['contactId', 'phone', 'name', 'status', 'reason', 'messageId', 'errorCode'] as const
/** The columns of a campaign that compares templates. */
const COMPARED = [...HEADINGS, 'variant'] as const

const linesOf = (rows: readonly ShownRecipient[], columns: typeof HEADINGS | typeof COMPARED): string =>
  rows.map((row) => csvLine(columns.map((name) => row[name]))).join('')

/**
 * Returns a file with a line for each recipient, in the order of their ids. It is read while it is sent,
 * without a transaction between pieces. Refuses `not_found` before the first piece.
 */
export async function exportRecipients(
  transaction: OutsideContext['transaction'],
  id: string,
  { status }: { status?: RecipientStatus | undefined },
): Promise<Pieces> {
  const readPage = async (ctx: Context, cursor?: string) => {
    const { recipients, nextCursor } = await listRecipients(ctx, id, { limit: AT_ONCE, cursor, status })
    return { recipients: recipients.map((row) => shownTo(ctx, BroadcastRecipient, row)), nextCursor }
  }
  const { first, columns } = await transaction(async (ctx) => ({
    first: await readPage(ctx),
    columns: (await isComparison(ctx, id)) ? COMPARED : HEADINGS,
  }))
  async function* text(): AsyncIterable<string> {
    let page = first
    yield csvLine([...columns]) + linesOf(page.recipients, columns)
    while (page.nextCursor !== null) {
      const { nextCursor } = page
      page = await transaction((ctx) => readPage(ctx, nextCursor))
      yield linesOf(page.recipients, columns)
    }
  }
  return { contentType: 'text/csv; charset=utf-8', filename: `recipients-${id}.csv`, text: text() }
}
