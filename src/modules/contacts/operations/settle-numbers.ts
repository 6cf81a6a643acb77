/**
 * Decides which number a text means, by what is stored (docs/clarifications.md, "What a string means as a number"). Every way in
 * that takes a customer's number goes through here.
 */
import type { Context, Unit, Workspace } from '../../../core/context.ts'
import { invalid, type Refusal } from '../../../core/errors.ts'
import { isCertain, type NumberReading, readNumber, userIdIn } from '../../../core/phone.ts'
import { callingCodeOf } from '../../../core/phone-plans.ts'
import { otherSpellings, personKey } from '../../../core/phone-spellings.ts'
import { readNumbers } from '../../workspaces/operations/read-numbers.ts'
import { listStoredNumbers } from '../queries/stored-numbers.ts'

/** A text that names a customer's number, and what is known besides. `country`: what stands beside it, in any spelling. */
export type NumberAsk = {
  workspace: Workspace
  text: string
  sendingCode?: string | undefined
  country?: string | null | undefined
}

/** A number in E.164, as its contact stores it when there is one. `several`: the text names more than one number. */
export type SettledNumber = { phone: string; several: boolean }

/** Reads the texts again with the countries of the workspaces' own numbers, which decide for bare numbers alone. */
async function readWithOwnCodes(unit: Unit, asks: NumberAsk[]): Promise<NumberReading[]> {
  const numbers = await readNumbers(unit, [...new Set(asks.map(({ workspace }) => workspace.id))])
  return asks.map((ask) =>
    readNumber(ask.text, { ...hintsOf(ask), ownCodes: codesOf(numbers.get(ask.workspace.id) ?? []) }),
  )
}

const codesOf = (numbers: { number: string }[]): string[] => [
  ...new Set(numbers.flatMap(({ number }) => callingCodeOf(number) ?? [])),
]

const hintsOf = ({ workspace: { countryCode }, sendingCode, country }: NumberAsk) => ({
  countryCode,
  sendingCode,
  country,
})

/** Whether stored contacts may decide. Nearly every number in E.164 means itself. */
const needsLook = (reading: NumberReading): boolean =>
  reading.stored.length > 0 && (!isCertain(reading) || otherSpellings(reading.stored[0]!).length > 0)

/** The number that a text means whatever is stored; undefined where stored contacts decide, or no number fits. */
export const settledPhone = (ask: NumberAsk): string | undefined => {
  const reading = readNumber(ask.text, hintsOf(ask))
  return needsLook(reading) ? undefined : reading.fresh
}

/** Whether a text can be settled without the database. */
export const isSettled = (ask: NumberAsk): boolean => settledPhone(ask) !== undefined

/**
 * Settles texts as numbers: one answer an ask, in order; undefined where no number fits. Texts of one list that mean one new person
 * get one number, that of the first. Reads nothing when every text is a number with one meaning.
 */
export async function settleNumbers(unit: Unit, asks: NumberAsk[]): Promise<(SettledNumber | undefined)[]> {
  const readings = asks.map((ask) => readNumber(ask.text, hintsOf(ask)))
  const open = asks.flatMap((ask, i) => (needsLook(readings[i]!) ? [{ ask, i }] : []))
  if (open.length > 0) {
    const again = await readWithOwnCodes(
      unit,
      open.map(({ ask }) => ask),
    )
    for (const [n, { i }] of open.entries()) readings[i] = again[n]!
  }
  const stored = await storedAmong(
    unit,
    open.map(({ ask, i }) => ({ ask, place: i, reading: readings[i]! })),
  )
  const firsts = new Map<string, string>()
  return asks.map(({ workspace }, i) => {
    const reading = readings[i]!
    const keyOf = (phone: string) => `${workspace.id} ${personKey(phone)}`
    const phone =
      stored.get(i) ?? reading.stored.flatMap((one) => firsts.get(keyOf(one)) ?? [])[0] ?? reading.fresh
    if (phone === undefined) return undefined
    if (!firsts.has(keyOf(phone))) firsts.set(keyOf(phone), phone)
    return { phone, several: reading.several }
  })
}

type OpenReading = { ask: NumberAsk; place: number; reading: NumberReading }

/** The stored number that each reading means, by its place. */
async function storedAmong(unit: Unit, open: OpenReading[]): Promise<Map<number, string>> {
  const keys = open.flatMap(({ ask, place, reading }) =>
    reading.stored.map((phone) => ({ workspaceId: ask.workspace.id, phone, place })),
  )
  const stored = new Map<number, string>()
  // In the order of the readings: the likeliest number of each comes first.
  for (const { place, phone } of await listStoredNumbers(unit.tx, keys)) {
    const asked = keys[place]!.place
    if (!stored.has(asked)) stored.set(asked, phone)
  }
  return stored
}

/** Settles one text. */
export const settleNumber = async (
  ctx: Context,
  text: string,
  hints: Omit<NumberAsk, 'workspace' | 'text'> = {},
): Promise<SettledNumber | undefined> =>
  (await settleNumbers(ctx, [{ workspace: ctx.workspace, text, ...hints }]))[0]

/** A customer as the API names one (spec 2.1): by number, or `chan:<user id>` for those without. */
export type CustomerName = { phone: string; userId: null } | { phone: null; userId: string }

/**
 * Settles what names a customer to write to: a number, or `chan:<user id>` exactly as reported. Refuses (`invalid` at `path`) what is
 * neither, and a text with several numbers: a message goes to one.
 */
export async function settleCustomers(
  unit: Unit,
  asks: (NumberAsk & { path: string })[],
): Promise<(CustomerName | Refusal)[]> {
  const settled = await settleNumbers(unit, asks)
  return asks.map(({ text, path }, i): CustomerName | Refusal => {
    const userId = userIdIn(text)
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

/** The refusal of a text that is no phone number: it names the field and what was read. */
export const notANumber = (path: string, text: string): Refusal =>
  invalid([{ path, message: `${EXAMPLE}, not ${shown(text)}.` }])

/** The same where a customer without a number may be named too. */
const notACustomer = (path: string, text: string): Refusal =>
  invalid([{ path, message: `${EXAMPLE}, or chan:<user id>, not ${shown(text)}.` }])
