import type { Context } from '../../../../core/context.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { readLanguages } from '../../../messaging/contacts/operations/customer-language.ts'
import { listBookingsById } from '../queries/bookings.ts'
import { readSetup, summaryIn } from './present.ts'

/**
 * Returns the service, the staff, and the time of bookings by id, each in the language of its customer, or all in
 * `language`. Deleted bookings are absent.
 */
export async function summariesForCustomers(
  ctx: Context,
  ids: string[],
  language?: Language,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await listBookingsById(ctx, ids)
  const setup = await readSetup(ctx, rows)
  const languageOf = await readLanguages(
    ctx,
    rows.map(({ contactId }) => contactId),
  )
  return new Map(
    rows.map((row) => [row.id, summaryIn(ctx, row, setup, language ?? languageOf(row.contactId))]),
  )
}
