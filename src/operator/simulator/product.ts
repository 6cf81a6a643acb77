import { type GraphAnswer, graphError, missingParameter } from './graph-errors.ts'
import { textParameter } from './graph-parameters.ts'

/** Returns the refusal of a call without `messaging_product: whatsapp`. */
export function productRefusal({
  messaging_product: product,
}: Record<string, unknown>): GraphAnswer | undefined {
  if (product === undefined) return missingParameter('messaging_product')
  return textParameter(product).toLowerCase() === 'whatsapp'
    ? undefined
    : graphError(100, '(#100) Param messaging_product must be one of {WHATSAPP}')
}
