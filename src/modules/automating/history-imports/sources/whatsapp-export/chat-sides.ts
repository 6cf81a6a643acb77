/** Finds which writer of an exported chat is the customer, and the customer's number. */
import { invalid } from '../../../../../core/errors.ts'
import { readNumber } from '../../../../../core/values/phone.ts'
import { HistoryFault } from '../../history-source.ts'
import { plainText } from './line-header.ts'

export type ChatSides = { customer: string | null; phone: string; name: string | null }

type Clues = {
  senders: readonly string[]
  filename: string
  ownName: string | undefined
  phone: string | undefined
  countryCode: string
}

/** A group has more writers than this. */
const MAX_SIDES = 2

const key = (name: string): string => plainText(name).trim().toLowerCase().normalize('NFC')
const onlyOne = <Value>(list: Value[]): Value | undefined => (list.length === 1 ? list[0] : undefined)
const LOOKS_LIKE_NUMBER = /^\+?[\d\s().-]{7,25}$/

/**
 * Returns the customer's name in the chat (null: only we wrote), and number. Refuses with `invalid` what the person must add, and
 * throws a `HistoryFault` for a chat of a group.
 */
export function sidesOf({ senders, filename, ownName, phone: chosen, countryCode }: Clues): ChatSides {
  if (senders.length > MAX_SIDES)
    throw new HistoryFault('This is the chat of a group. Only chats with one customer can be imported.')
  const own = ownName === undefined ? undefined : senders.find((sender) => key(sender) === key(ownName))
  if (ownName !== undefined && own === undefined && senders.length === MAX_SIDES)
    throw invalid([
      { path: 'ownName', message: `Must be one of the two names in the chat: ${senders.join(', ')}.` },
    ])
  const numberOf = (text: string) =>
    LOOKS_LIKE_NUMBER.test(plainText(text))
      ? readNumber(plainText(text).trim(), { countryCode }).fresh
      : undefined
  const title = key(filename.replace(/\.(?:zip|txt)$/i, ''))
  const others = senders.filter((sender) => sender !== own)
  const customer =
    ownName !== undefined
      ? (others[0] ?? null)
      : (senders.find((sender) => title.endsWith(key(sender))) ??
        onlyOne(senders.filter((sender) => key(sender).length > 2 && title.includes(key(sender)))) ??
        senders.find((sender) => numberOf(sender) !== undefined))
  if (customer === undefined)
    throw invalid([
      {
        path: 'ownName',
        message: `Must be your name in the chat. The chat has these names: ${senders.join(', ')}.`,
      },
    ])
  const phone = chosen === undefined ? numberOf(customer ?? '') : readNumber(chosen, { countryCode }).fresh
  if (phone === undefined)
    throw invalid([
      {
        path: 'phone',
        message:
          chosen === undefined
            ? "Must be the customer's phone number with its country code, because the chat only has a name."
            : 'Must be a phone number with its country code, such as +919812345678.',
      },
    ])
  const isNamed = customer !== null && numberOf(customer) === undefined
  return { customer, phone, name: isNamed ? customer : null }
}
