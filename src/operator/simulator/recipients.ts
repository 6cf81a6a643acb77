import { type GraphAnswer, graphError, invalidParameter, missingParameter } from './graph-errors.ts'
import type { SimulatedNumber } from './store.ts'

/**
 * The recipient of a message: `waId` (digits) or, for a customer without a number, `userId`. `input` is as
 * written.
 */
export type Recipient = { input: string; waId: string | null; userId: string | null }

/** Reads `to` and `recipient`; if both are given, `to` takes precedence (docs/formats.md section 2). */
export function readRecipient(
  number: SimulatedNumber,
  values: Record<string, unknown>,
): { ok: true; recipient: Recipient } | { ok: false; answer: GraphAnswer } {
  const refuse = (answer: GraphAnswer) => ({ ok: false as const, answer })
  const { to, recipient } = values
  if (to !== undefined && to !== null && to !== '') {
    const input = typeof to === 'number' ? String(to) : to
    if (typeof input !== 'string' || !/^\+?[\d\s().-]+$/.test(input))
      return refuse(invalidParameter('to is not a phone number.'))
    const waId = input.replace(/\D/g, '')
    if (waId.length < 5 || waId.length > 15) return refuse(invalidParameter('to is not a phone number.'))
    if (waId === number.displayNumber.replace(/\D/g, ''))
      return refuse(graphError(131021, '(#131021) Recipient cannot be sender'))
    return { ok: true, recipient: { input, waId, userId: null } }
  }
  if (recipient === undefined || recipient === null || recipient === '') return refuse(missingParameter('to'))
  if (typeof recipient !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(recipient))
    return refuse(invalidParameter('recipient is not a user id.'))
  return { ok: true, recipient: { input: recipient, waId: null, userId: recipient } }
}

// Two numbers of the fictional 555-01xx range, in any area code, never receive messages (spec 4.9).
const failureByNumber: Record<string, number> = { '5550126': 131026, '5550149': 131049 }

/** Returns the error code with which messages to this recipient fail; undefined for all others. */
export function failureCodeOf({ waId }: Recipient): number | undefined {
  return waId !== null && /^1\d{10}$/.test(waId) ? failureByNumber[waId.slice(4)] : undefined
}
