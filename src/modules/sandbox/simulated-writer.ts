import type { Context } from '../../core/context.ts'
import { Refusal } from '../../core/errors.ts'
import { callingCodeOf } from '../../core/phone-plans.ts'
import { type CustomerName, settleCustomers } from '../contacts/operations/settle-numbers.ts'

/** A full number as the operator might report one. It reports some that no numbering plan has. */
const REPORTED = /^\+?([1-9]\d{10,14})$|^\+([1-9]\d{7,14})$/

/**
 * The customer who is to write or call: a full number exactly as given, for the operator spells some numbers in its own way; a bare number
 * as everywhere. Refuses (`invalid`) any other text.
 */
export async function writerOf(ctx: Context, from: string): Promise<CustomerName> {
  const [, bare, international] = REPORTED.exec(from.trim()) ?? []
  const digits = bare ?? international
  if (digits !== undefined && callingCodeOf(`+${digits}`) !== undefined)
    return { phone: `+${digits}`, userId: null }
  const [named] = await settleCustomers(ctx, [{ workspace: ctx.workspace, text: from, path: 'from' }])
  if (named instanceof Refusal) throw named
  return named!
}
