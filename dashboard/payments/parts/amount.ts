/** Handles amounts: typed and shown in rupees, stored in paise. */
import { formatMoney } from '../../kit/money.ts'

const RUPEES = /^\d{1,9}(\.\d{1,2})?$/
const PAISE = 100

/** Returns a typed amount in paise; undefined if it is not an amount. */
export function paiseOf(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '')
  return RUPEES.test(plain) ? Math.round(Number(plain) * PAISE) : undefined
}

export const formatPaise = (paise: number): string => formatMoney(paise / PAISE)
