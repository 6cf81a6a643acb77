/** The part of a chat that an assistant receives (DECISIONS.md "The assistant"). */
import type { Utterance } from '../../../../assistant/port.ts'
import type { Context } from '../../../../core/context.ts'
import { cutText } from '../../../../core/values/cut-text.ts'
import { plainDigits } from '../../../../core/values/plain-digits.ts'
import { lastWords } from '../../../messaging/messages/reading/operations/latest-texts.ts'

const SHOWN_CHARACTERS = 1_000

/** Digits of any script, with up to three other characters between two of them. */
const NUMBERS = /\+?\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd}){6,}/gu
/** The number of last digits that identify a number, regardless of its prefix. */
const LAST_DIGITS = 8

const digitsIn = (text: string): string => plainDigits(text.normalize('NFKC')).replace(/\D/g, '')

/** Returns the text without the customer's number in any spelling. */
export function withoutNumber(text: string, phone: string): string {
  const digits = phone.replace(/\D/g, '').slice(-LAST_DIGITS)
  if (digits.length < LAST_DIGITS) return text
  return text.replace(NUMBERS, (number) => (digitsIn(number).includes(digits) ? '[number]' : number))
}

/** Returns the last `limit` messages of a chat, oldest first, without the customer's number. */
export async function readShownChat(
  ctx: Context,
  conversationId: string,
  { phone, limit }: { phone: string; limit: number },
): Promise<Utterance[]> {
  const words = await lastWords(ctx, conversationId, limit)
  return words.map(({ direction, text }) => ({
    by: direction === 'inbound' ? 'customer' : 'business',
    // Numbers are removed before the cut, because a cut number has too few digits to be recognized.
    text: cutText(withoutNumber(text, phone), SHOWN_CHARACTERS),
  }))
}
