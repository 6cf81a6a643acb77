/** Reads the fields of shops' reports. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isObject, shortTextOrNull } from '../core/values/storable.ts'
import type { WrittenPhone } from './port.ts'

export type Json = Record<string, unknown>

/** Parses bytes as an object. Throws SyntaxError for anything else. */
export function objectOf(bytes: Buffer): Json {
  const value: unknown = JSON.parse(bytes.toString('utf8'))
  if (!isObject(value)) throw new SyntaxError("The body isn't a JSON object.")
  return value
}

/** Returns an id or order number, which some shops send as a number. */
export const idIn = (value: unknown, max = 100): string | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : shortTextOrNull(value, max)

const PHONE_MAX = 60
const COUNTRY_MAX = 60

/**
 * Returns the phone numbers in parts of an order (addresses, the customer), in order. A part without a
 * country uses that of the others.
 */
export function phonesIn(parts: unknown[]): WrittenPhone[] {
  const objects = parts.filter(isObject)
  const countryOf = (part: Json): string | null =>
    [part.country_code, part.countryCode, part.country]
      .map((value) => shortTextOrNull(value, COUNTRY_MAX))
      .find(Boolean) ?? null
  const common = objects.map(countryOf).find((country) => country !== null) ?? null
  const phones = objects.flatMap((part) => {
    const text = shortTextOrNull(part.phone, PHONE_MAX)
    return text === null ? [] : [{ text, country: countryOf(part) ?? common }]
  })
  return [...new Map(phones.reverse().map((phone) => [phone.text, phone])).values()].reverse()
}

const MONEY_MAX = 9_999_999_999_999.99

/** Returns an amount, which shops send as text or number, to two decimals. */
export function moneyIn(value: unknown): number | null {
  const amount = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0 || amount > MONEY_MAX) return null
  return Number(amount.toFixed(2))
}

export const currencyIn = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : null

const URL_MAX = 2_000
/** Returns an address that is safe to open in a browser. */
export function urlIn(value: unknown): string | null {
  const text = shortTextOrNull(value, URL_MAX + 1)
  return text !== null && text.length <= URL_MAX && /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text)
    ? text
    : null
}

const FIRST_YEAR = 2000
const LAST_YEAR = 9000
/** Returns a time; without a zone it is in UTC. */
export function momentIn(value: unknown): Date | null {
  const text = shortTextOrNull(value, 40)
  if (text === null || !/^\d{4}-\d\d-\d\dT/.test(text)) return null
  const time = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  const year = time.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR ? time : null
}

const COUNT_MAX = 1_000_000
/** Only numbers and texts count; a deeply nested value could not even be converted to text. */
const quantityIn = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : 0

/** Returns the total quantity of an order's lines. */
export function piecesIn(lines: unknown): number | null {
  if (!Array.isArray(lines)) return null
  const count = lines.reduce<number>((sum, line) => {
    const quantity = isObject(line) ? quantityIn(line.quantity) : 0
    return sum + (Number.isFinite(quantity) && quantity > 0 ? quantity : 0)
  }, 0)
  return Math.min(Math.round(count), COUNT_MAX)
}

/** Returns first and last name as one text. */
export const nameIn = (of: unknown): string | null => {
  if (!isObject(of)) return null
  const names = [shortTextOrNull(of.first_name, 100), shortTextOrNull(of.last_name, 100)].filter(
    (name) => name !== null,
  )
  return names.length > 0 ? names.join(' ') : null
}

/** Returns a header that was sent once. */
export function headerIn(headers: IncomingHttpHeaders, name: string, max = 200): string | null {
  const value = headers[name]
  return typeof value === 'string' && value !== '' && value.length <= max ? value : null
}

/** Returns whether `header` is the base64 HMAC-SHA256 of the bytes. */
export function isSignedInBase64(header: string | null, bytes: Buffer, secret: string): boolean {
  if (header === null || !/^[A-Za-z0-9+/]{43}=$/.test(header)) return false
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(header, 'base64'))
}

/**
 * Converts `GoKwik_COD`, `razorpayCod`, and `Pago contra-entrega` to lower-case words without accents, each
 * between spaces.
 */
const wordsOf = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .join(' ')
    .trim()} `

const CASH = [
  // `non_cod` and `No COD` name a prepaid method.
  /(?<! non| no| not| without) cod /,
  /cash ?(on|upon|at|by|against) ?(the )?delivery/,
  / cash .*deliver/,
  /(pay|paid|payable|payment|collect|collection) ?(on|upon|at) ?(the )?delivery/,
  /contra ?(re)?embol[sz]o|contra ?entrega|(pag\w+|efectivo|dinheiro) (en|na|a|al|alla) (la )?(entrega|consegna)/,
  /contre ?remboursement|paiement a la livraison|contrassegno|nachnahme|onder ?rembours|rembourszending/,
]

/** Returns whether a gateway's name means that the customer pays on delivery. */
export function isCashOnDelivery(gateway: unknown): boolean {
  if (typeof gateway !== 'string') return false
  const words = wordsOf(gateway.slice(0, 200))
  return CASH.some((form) => form.test(words))
}

/** Returns whether a report says that it, or its order, is a test. */
export const isTestReport = (report: Json): boolean => report.test === true || report.test === 'true'
