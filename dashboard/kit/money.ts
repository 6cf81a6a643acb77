import { formatLocale } from '../texts.ts'

const money = new Intl.NumberFormat(formatLocale, {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 0,
  maximumFractionDigits: 2,
})

/** An amount in the unit of the workspace's currency. */
export const formatMoney = (amount: number): string => money.format(amount)
