/**
 * Finds the contacts that a filter names by another spelling of their number: the operator's, without a country code, or that of a
 * merged contact (src/modules/messaging/contacts/DECISIONS.md "Merges").
 */
import type { Context } from '../../../../core/context.ts'
import { digitsOf, readNumber } from '../../../../core/values/phone.ts'
import { findContactsForSend } from '../../../messaging/contacts/operations/find-contact.ts'
import { settleNumbers } from '../../../messaging/contacts/operations/settle-numbers.ts'
import type { FilterCondition, LeadFilter } from '../filter-schema.ts'

/** The digits of the stored numbers of the contacts that a phone condition's text names, by the text. */
export type LearnedNumbers = ReadonlyMap<string, string[]>

export const NO_NUMBERS: LearnedNumbers = new Map()

const phonesIn = ({ field, op, value }: FilterCondition): string[] =>
  field === 'phone' && ['eq', 'neq', 'in', 'nin'].includes(op)
    ? [value].flat().filter((text) => typeof text === 'string')
    : []

/** Returns the numbers that the phone conditions of filters mean. Reads nothing without such conditions. */
export async function listLearnedNumbers(
  ctx: Context,
  filters: (LeadFilter | null | undefined)[],
): Promise<LearnedNumbers> {
  const texts = [...new Set(filters.flatMap((filter) => filter?.conditions.flatMap(phonesIn) ?? []))]
  if (texts.length === 0) return NO_NUMBERS
  // A number of the country of one of the workspace's own numbers is found only among stored contacts.
  const settled = await settleNumbers(
    ctx,
    texts.map((text) => ({ workspace: ctx.workspace, text })),
  )
  const readings = texts.flatMap((text, i) => {
    const phones = [...readNumber(text, ctx.workspace).stored, settled[i]?.phone]
    return [...new Set(phones)].flatMap((phone) => (phone === undefined ? [] : [{ text, phone }]))
  })
  const contacts = await findContactsForSend(
    ctx,
    readings.map(({ phone }) => ({ workspaceId: ctx.workspace.id, phone, userId: null })),
  )
  const numbers = new Map<string, string[]>()
  for (const [i, { text }] of readings.entries()) {
    const contact = contacts[i]
    if (contact) numbers.set(text, [...(numbers.get(text) ?? []), digitsOf(contact.phone)])
  }
  return numbers
}
