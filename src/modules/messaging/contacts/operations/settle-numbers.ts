/**
 * Decides which number a text means, from the stored contacts (docs/clarifications.md, "What a string means
 * as a number"). Every endpoint that accepts a customer's number uses it.
 */
import type { Context, Unit, Workspace } from '../../../../core/context.ts'
import { invalid, type Refusal } from '../../../../core/errors.ts'
import {
  certainNumber,
  contactIdIn,
  isCertain,
  type NumberReading,
  readNumber,
  userIdIn,
} from '../../../../core/values/phone.ts'
import { callingCodeOf } from '../../../../core/values/phone-plans.ts'
import { otherSpellings, personKey } from '../../../../core/values/phone-spellings.ts'
import { readNumbers } from '../../../platform/workspaces/operations/read-numbers.ts'
import { listContactsById } from '../queries/contacts.ts'
import { listKeptIds } from '../queries/merges.ts'
import { listStoredNumbers } from '../queries/stored-numbers.ts'

/**
 * A text that names a customer's number, and its context. `country`: the country next to it, in any spelling.
 */
export type NumberRequest = {
  workspace: Workspace
  text: string
  sendingCode?: string | undefined
  country?: string | null | undefined
}

/**
 * A number in E.164, as its contact stores it if there is one. `several`: the text names more than one
 * number.
 */
export type SettledNumber = { phone: string; several: boolean }

/**
 * Reads the texts again with the country codes of the workspaces' own numbers, which matter only for numbers
 * without a code.
 */
async function readWithOwnCodes(unit: Unit, requests: NumberRequest[]): Promise<NumberReading[]> {
  const numbers = await readNumbers(unit, [...new Set(requests.map(({ workspace }) => workspace.id))])
  return requests.map((request) =>
    readNumber(request.text, {
      ...hintsOf(request),
      ownCodes: codesOf(numbers.get(request.workspace.id) ?? []),
    }),
  )
}

const codesOf = (numbers: { number: string }[]): string[] => [
  ...new Set(numbers.flatMap(({ number }) => callingCodeOf(number) ?? [])),
]

const hintsOf = ({ workspace: { countryCode }, sendingCode, country }: NumberRequest) => ({
  countryCode,
  sendingCode,
  country,
})

/** Returns whether stored contacts can change the result. Most numbers in E.164 have one meaning. */
const needsDatabase = (reading: NumberReading): boolean =>
  reading.stored.length > 0 && (!isCertain(reading) || otherSpellings(reading.stored[0]!).length > 0)

/**
 * Returns the number that a text means regardless of stored contacts; undefined if stored contacts decide, or
 * no number fits.
 */
export const settledPhone = (request: NumberRequest): string | undefined => {
  const certain = certainNumber(request.text)
  if (certain !== undefined) return certain
  if (contactIdIn(request.text) !== undefined) return undefined
  const reading = readNumber(request.text, hintsOf(request))
  return needsDatabase(reading) ? undefined : reading.fresh
}

/** Returns the numbers of texts in order; undefined if stored contacts decide one of them, or one is no number. */
export function settledPhones(requests: NumberRequest[]): string[] | undefined {
  const phones: string[] = []
  for (const request of requests) {
    const phone = settledPhone(request)
    if (phone === undefined) return undefined
    phones.push(phone)
  }
  return phones
}

const toSettled = ({ fresh, several }: NumberReading): SettledNumber | undefined =>
  fresh === undefined ? undefined : { phone: fresh, several }

/**
 * Returns the requests with the stored number, or `chan:<user id>`, of each customer that is named by `contact:<id>`. A text
 * that names no contact becomes empty.
 */
async function withNumbersOfContacts<Request extends NumberRequest>(
  unit: Unit,
  requests: Request[],
): Promise<Request[]> {
  const named = requests.flatMap(({ workspace, text }) => {
    const contactId = contactIdIn(text)
    return contactId === undefined ? [] : [{ workspaceId: workspace.id, contactId }]
  })
  if (named.length === 0) return requests
  const kept = new Map((await listKeptIds(unit.tx, named)).map((row) => [row.contactId, row.keptId]))
  const presentId = (contactId: string): string => kept.get(contactId) ?? contactId
  const rows = await listContactsById(
    unit.tx,
    named.map(({ workspaceId, contactId }) => ({ workspaceId, contactId: presentId(contactId) })),
  )
  const phones = new Map(rows.map(({ workspaceId, id, phone }) => [`${workspaceId} ${id}`, phone]))
  return requests.map((request) => {
    const contactId = contactIdIn(request.text)
    return contactId === undefined
      ? request
      : { ...request, text: phones.get(`${request.workspace.id} ${presentId(contactId)}`) ?? '' }
  })
}

/**
 * Settles texts as numbers. Returns one result per text, in order; undefined if no number fits. Texts in one
 * list that mean the same new person get the number of the first. Reads nothing if every text has one
 * meaning.
 */
export const settleNumbers = async (
  unit: Unit,
  requests: NumberRequest[],
): Promise<(SettledNumber | undefined)[]> => settleWritten(unit, await withNumbersOfContacts(unit, requests))

async function settleWritten(unit: Unit, requests: NumberRequest[]): Promise<(SettledNumber | undefined)[]> {
  const readings = requests.map((request) => readNumber(request.text, hintsOf(request)))
  const open = requests.flatMap((request, i) => (needsDatabase(readings[i]!) ? [{ request, i }] : []))
  if (open.length === 0) return readings.map(toSettled)
  const reread = await readWithOwnCodes(
    unit,
    open.map(({ request }) => request),
  )
  for (const [n, { i }] of open.entries()) readings[i] = reread[n]!
  const stored = await storedAmong(
    unit,
    open.map(({ request, i }) => ({ request, place: i, reading: readings[i]! })),
  )
  const firsts = new Map<string, string>()
  return requests.map(({ workspace }, i) => {
    const reading = readings[i]!
    const keyOf = (phone: string) => `${workspace.id} ${personKey(phone)}`
    const phone =
      stored.get(i) ?? reading.stored.flatMap((phone) => firsts.get(keyOf(phone)) ?? [])[0] ?? reading.fresh
    if (phone === undefined) return undefined
    if (!firsts.has(keyOf(phone))) firsts.set(keyOf(phone), phone)
    return { phone, several: reading.several }
  })
}

type OpenReading = { request: NumberRequest; place: number; reading: NumberReading }

/** Returns the stored number that each reading means, by its position. */
async function storedAmong(unit: Unit, open: OpenReading[]): Promise<Map<number, string>> {
  const keys = open.flatMap(({ request, place, reading }) =>
    reading.stored.map((phone) => ({ workspaceId: request.workspace.id, phone, place })),
  )
  const stored = new Map<number, string>()
  // In the order of the readings: the likeliest number of each is first.
  for (const { place, phone } of await listStoredNumbers(unit.tx, keys)) {
    const position = keys[place]!.place
    if (!stored.has(position)) stored.set(position, phone)
  }
  return stored
}

/** Settles one text. */
export const settleNumber = async (
  ctx: Context,
  text: string,
  hints: Omit<NumberRequest, 'workspace' | 'text'> = {},
): Promise<SettledNumber | undefined> =>
  (await settleNumbers(ctx, [{ workspace: ctx.workspace, text, ...hints }]))[0]

/** A customer as the API names them (spec 2.1): by number, or by `chan:<user id>` without a number. */
export type CustomerName = { phone: string; userId: null } | { phone: null; userId: string }

/**
 * Settles the names of recipients: a number, `chan:<user id>` exactly as reported, or `contact:<id>`. Returns `invalid` at
 * `path` for other text, and for a text with several numbers, because a message goes to one number.
 */
export async function settleCustomers(
  unit: Unit,
  requests: (NumberRequest & { path: string })[],
): Promise<(CustomerName | Refusal)[]> {
  const written = await withNumbersOfContacts(unit, requests)
  const settled = await settleWritten(unit, written)
  return requests.map(({ text, path }, i): CustomerName | Refusal => {
    const userId = userIdIn(written[i]!.text)
    if (userId !== undefined) return { phone: null, userId }
    const number = settled[i]
    if (number === undefined) return notACustomer(path, text)
    if (number.several)
      return invalid([
        {
          path,
          message: `Must be one phone number, not several (${shown(text)}). Send one request for each.`,
        },
      ])
    return { phone: number.phone, userId: null }
  })
}

const MAX_SHOWN = 60
const shown = (text: string): string =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

const EXAMPLE = 'Must be a phone number in E.164 format, such as +919812345678'

/** Returns the refusal of a text that is not a phone number. It names the field and the text. */
export const notANumber = (path: string, text: string): Refusal =>
  invalid([{ path, message: `${EXAMPLE}, not ${shown(text)}.` }])

/** Returns the same refusal where customers without a number are accepted too. */
const notACustomer = (path: string, text: string): Refusal =>
  invalid([{ path, message: `${EXAMPLE}, chan:<user id>, or contact:<id>, not ${shown(text)}.` }])
