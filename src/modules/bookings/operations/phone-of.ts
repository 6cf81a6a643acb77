import type { Context } from '../../../core/context.ts'
import { notANumber, settleNumber } from '../../contacts/operations/settle-numbers.ts'

/** A customer's number in E.164, in any spelling that is given; refuses (`invalid` at `path`) what is none. */
export async function phoneOf(ctx: Context, given: string, path: string): Promise<string> {
  const number = await settleNumber(ctx, given)
  if (number === undefined) throw notANumber(path, given)
  return number.phone
}
