import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import { callingCodeOf } from '../../../core/values/phone-plans.ts'
import { type CustomerName, settleCustomers } from '../../messaging/contacts/operations/settle-numbers.ts'

/** A full number as the operator may report it, including some that no numbering plan has. */
const REPORTED = /^\+?([1-9]\d{10,14})$|^\+([1-9]\d{7,14})$/

/**
 * Returns the customer who writes or calls. A full number is kept unchanged, because the operator spells some
 * numbers differently; a bare number is parsed as in all requests. Refuses (`invalid`) any other text.
 */
export async function writerOf(ctx: Context, from: string): Promise<CustomerName> {
  const [, national, international] = REPORTED.exec(from.trim()) ?? []
  const digits = national ?? international
  if (digits !== undefined && callingCodeOf(`+${digits}`) !== undefined)
    return { phone: `+${digits}`, userId: null }
  const [customer] = await settleCustomers(ctx, [{ workspace: ctx.workspace, text: from, path: 'from' }])
  if (customer instanceof Refusal) throw customer
  return customer!
}
