import type { Context } from '../../../../core/context.ts'
import { notANumber, settleNumber } from '../../../messaging/contacts/operations/settle-numbers.ts'

/**
 * Returns a customer's number in E.164, from any spelling. Refuses (`invalid` at `path`) an invalid number.
 */
export async function phoneOf(ctx: Context, phone: string, path: string): Promise<string> {
  const number = await settleNumber(ctx, phone)
  if (number === undefined) throw notANumber(path, phone)
  return number.phone
}
