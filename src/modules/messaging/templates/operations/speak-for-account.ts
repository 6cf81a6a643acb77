import type { OutsideContext } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import type { OperatorNumber } from '../../../../operator/port.ts'

/**
 * Returns the number with credentials for a business account. Refuses with `sending_blocked` if it was
 * removed.
 */
export async function numberFor(ctx: OutsideContext, phoneNumberId: string): Promise<OperatorNumber> {
  const number = await ctx.outside.operatorNumber(ctx.workspace.id, phoneNumberId)
  if (number) return number
  throw new Refusal(
    'sending_blocked',
    'The number of this business account was disconnected. Connect it again.',
  )
}
