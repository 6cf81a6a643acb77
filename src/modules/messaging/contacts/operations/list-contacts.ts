import type { Context } from '../../../../core/context.ts'
import { hidesDetails } from '../../../../core/customer-details.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { readNumber, userIdIn } from '../../../../core/values/phone.ts'
import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
import { plainDigits } from '../../../../core/values/plain-digits.ts'
import { spellings } from '../../../../core/values/spellings.ts'
import { containsLike, startsLike } from '../../../../database/sql/like.ts'
import {
  type ContactCondition,
  type ContactRow,
  listContactRows,
  searchContactRows,
} from '../queries/contacts.ts'
import { notANumber, settleNumber } from './settle-numbers.ts'
import { requireContactWalk } from './walk-contacts.ts'

export type { ContactCondition } from '../queries/contacts.ts'

export type ContactFilter = CursorQuery & {
  ids?: string[] | undefined
  /** Null: no search. */
  search?: string | null | undefined
  /** One exact number, in any spelling. */
  phone?: string | undefined
  channel: 'chat' | 'social'
  tag?: string | undefined
  optInStatus?: ContactRow['optInStatus'] | undefined
}

/** Returns one page of contacts, newest first (spec 4.3), that also match `segment`. */
export async function listContacts(
  ctx: Context,
  filter: ContactFilter,
  segment?: ContactCondition,
): Promise<{ rows: ContactRow[]; nextCursor: string | null }> {
  const { limit, cursor, channel, ids, tag, optInStatus, search } = filter
  const own: ContactCondition = { ids, tags: tag === undefined ? undefined : [tag], optInStatus }
  const conditions = [own, segment ?? {}].filter(hasCondition)
  const listing = {
    limit,
    cursor,
    channel,
    phone: filter.phone === undefined ? undefined : await storedPhone(ctx, filter.phone),
    conditions,
  }
  const words = typeof search === 'string' ? search : undefined
  if (words === undefined && conditions.length === 0)
    return cutPage(await listContactRows(ctx, listing), limit, (row) => row.id)
  // A number, or contacts by id, are found through their own index.
  const isNamed = listing.phone !== undefined || conditions.some((condition) => condition.ids !== undefined)
  if (!isNamed && (words === undefined || isVague(words))) await requireContactWalk(ctx)
  const rows = await searchContactRows(ctx, listing, words === undefined ? null : patternsFor(ctx, words))
  return cutPage(rows, limit, (row) => row.id)
}

const hasCondition = (condition: ContactCondition): boolean =>
  Object.values(condition).some((value) => value !== undefined)

/**
 * Returns the newest contacts with a chat whose number, name, or username contains a text, at most `max`; with `ids`, only those
 * among them.
 */
export async function searchContacts(
  ctx: Context,
  text: string,
  { max, ids, channel = 'chat' }: { max: number; ids?: string[] | undefined; channel?: 'chat' | 'social' },
): Promise<ContactRow[]> {
  if (ids === undefined && isVague(text)) await requireContactWalk(ctx)
  const conditions = ids === undefined ? [] : [{ ids }]
  const rows = await searchContactRows(ctx, { limit: max, channel, conditions }, patternsFor(ctx, text))
  return rows.slice(0, max)
}

async function storedPhone(ctx: Context, phone: string): Promise<string> {
  if (phone.startsWith('sx:') || userIdIn(phone) !== undefined) return phone
  const number = await settleNumber(ctx, phone)
  if (number === undefined) throw notANumber('phone', phone)
  return number.phone
}

/** Returns whether a text has no part that the trigram index can use. */
const isVague = (text: string): boolean => !/[\p{L}\p{N}]{3}/u.test(text)

const isNumber = (text: string): boolean => /^[\d\s+().-]*\d[\d\s+().-]*$/.test(text)

const patternsFor = (ctx: Context, text: string): string[] =>
  hidesDetails(ctx) ? hiddenPatterns(ctx, text) : searchPatterns(text)

/**
 * Returns LIKE patterns that find a number only if `text` is the whole number, so that a search can't reveal hidden digits. The
 * searched text is the number, a space, and the names.
 */
function hiddenPatterns(ctx: Context, text: string): string[] {
  const plain = plainDigits(text)
  if (!isNumber(plain)) return [...new Set(spellings(text))].map((spelling) => `% ${containsLike(spelling)}`)
  const { stored } = readNumber(plain, ctx.workspace)
  return [...new Set(stored.flatMap((phone) => [phone, ...otherSpellings(phone)]))].map((phone) =>
    startsLike(`${phone} `),
  )
}

/** Returns LIKE patterns for `text`: its spellings and, if it is a number, its digits alone. */
function searchPatterns(text: string): string[] {
  const plain = plainDigits(text)
  const digits = plain.replace(/\D/g, '')
  const spelledTexts = isNumber(plain) ? [text, digits, ...otherSpellings(`+${digits}`)] : spellings(text)
  return [...new Set(spelledTexts)].map(containsLike)
}
