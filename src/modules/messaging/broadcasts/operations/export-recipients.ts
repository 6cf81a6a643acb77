/** Exports the recipients of a campaign as one CSV file of any size (DECISIONS.md "Audiences"). */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { shownTo } from '../../../../core/customer-details.ts'
import type { Pieces } from '../../../../core/endpoint.ts'
import { csvLine } from '../../../../core/values/csv.ts'
import { BroadcastRecipient, type RecipientResponse, type RecipientStatus } from '../schema.ts'
import { getBroadcast, listRecipients, readRecipients, type ShownRecipient } from './read-broadcasts.ts'

/** Recipients that a short transaction reads: some hundred kilobytes of text, which is the most in memory. */
const AT_ONCE = 1_000
const HEADINGS = [
  'contactId',
  'phone',
  'name',
  'status',
  'reason',
  'messageId',
  'errorCode',
  'response',
] as const
/** The columns of a campaign that compares templates. `template` is the name of the template that was sent. */
const COMPARED = [...HEADINGS, 'variant', 'template'] as const

type Comparison = Awaited<ReturnType<typeof getBroadcast>>['test']

/** Returns the name of the template that a recipient got; recipients outside of the sample get the winner. */
function templateOf({ variants, winner }: NonNullable<Comparison>, row: ShownRecipient): string | null {
  if (row.messageId === null) return null
  const sentVariant = row.variant ?? winner
  return variants.find(({ name }) => name === sentVariant)?.templateName ?? null
}

const linesOf = (rows: readonly ShownRecipient[], test: Comparison): string =>
  rows
    .map((row) => {
      const cells = HEADINGS.map((name) => row[name])
      return csvLine(test ? [...cells, row.variant, templateOf(test, row)] : cells)
    })
    .join('')

/**
 * Returns a file with a line for each recipient, in the order of their ids. It is read while it is sent,
 * without a transaction between pieces. Refuses `not_found` before the first piece.
 */
export async function exportRecipients(
  transaction: OutsideContext['transaction'],
  id: string,
  { status, response }: { status?: RecipientStatus | undefined; response?: RecipientResponse | undefined },
): Promise<Pieces> {
  const readPage = async (ctx: Context, cursor?: string) => {
    const page = { limit: AT_ONCE, cursor, status, response }
    // Only the first page can be refused: afterwards, the file is under way.
    const read = cursor === undefined ? readRecipients : listRecipients
    const { recipients, nextCursor } = await read(ctx, id, page)
    return { recipients: recipients.map((row) => shownTo(ctx, BroadcastRecipient, row)), nextCursor }
  }
  const { first, test } = await transaction(async (ctx) => ({
    first: await readPage(ctx),
    test: (await getBroadcast(ctx, id)).test,
  }))
  async function* text(): AsyncIterable<string> {
    let page = first
    yield csvLine([...(test ? COMPARED : HEADINGS)]) + linesOf(page.recipients, test)
    while (page.nextCursor !== null) {
      const { nextCursor } = page
      page = await transaction((ctx) => readPage(ctx, nextCursor))
      yield linesOf(page.recipients, test)
    }
  }
  return { contentType: 'text/csv; charset=utf-8', filename: `recipients-${id}.csv`, text: text() }
}
