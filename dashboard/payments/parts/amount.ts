/** Amounts: typed and read in rupees, counted in paise. */
import { formatMoney } from '../../kit/money.ts'

const RUPEES = /^\d{1,9}(\.\d{1,2})?$/
const PAISE = 100

/** What was typed, in paise; undefined for what is no amount. */
export function paiseOf(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '')
  return RUPEES.test(plain) ? Math.round(Number(plain) * PAISE) : undefined
}

export const formatPaise = (paise: number): string => formatMoney(paise / PAISE)
