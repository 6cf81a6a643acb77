import type { Context } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import { type CursorQuery, cutPage } from '../../../core/paging.ts'
import { parseCustomerRef } from '../../../core/phone.ts'
import { type ContactRow, listContactRows, searchContactRows } from '../queries/contacts.ts'
import { requireContactWalk } from './walk-contacts.ts'

export type ContactFilter = CursorQuery & {
  /** Null: nothing is looked for. */
  search?: string | null | undefined
  /** One exact number, in any spelling. */
  phone?: string | undefined
  channel: 'chat' | 'social'
}

/** One page of contacts, newest first (spec 4.3). */
export async function listContacts(
  ctx: Context,
  filter: ContactFilter,
): Promise<{ rows: ContactRow[]; nextCursor: string | null }> {
  const { limit, cursor, channel } = filter
  const listing = {
    limit,
    cursor,
    channel,
    phone: filter.phone === undefined ? undefined : storedPhone(ctx, filter.phone),
  }
  const { search } = filter
  if (typeof search !== 'string') return cutPage(await listContactRows(ctx, listing), limit, (row) => row.id)
  // One number is found by its own index.
  if (isVague(search) && listing.phone === undefined) await requireContactWalk(ctx)
  const rows = await searchContactRows(ctx, listing, searchPatterns(search))
  return cutPage(rows, limit, (row) => row.id)
}

function storedPhone(ctx: Context, phone: string): string {
  if (phone.startsWith('sx:')) return phone
  const customer = parseCustomerRef(phone, ctx.workspace.countryCode)
  if (!customer) throw invalid([{ path: 'phone', message: 'must be a phone number or chan:<user id>' }])
  return customer.kind === 'phone' ? customer.e164 : `chan:${customer.userId}`
}

/** Whether a text holds nothing that the index of trigrams goes by. */
const isVague = (text: string): boolean => !/[\p{L}\p{N}]{3}/u.test(text)

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** LIKE patterns for `text`: as it stands, and where it spells a number, its digits alone. */
export function searchPatterns(text: string): string[] {
  const literal = `%${escaped(text)}%`
  if (!/^[\d\s+().-]*\d[\d\s+().-]*$/.test(text)) return [literal, literal]
  return [literal, `%${text.replace(/\D/g, '')}%`]
}
