import { moneyLocale } from '../texts.ts'

const money = new Intl.NumberFormat(moneyLocale('INR'), {
  style: 'currency',
  currency: 'INR',
  // Whole amounts have no decimals, others have both.
  trailingZeroDisplay: 'stripIfInteger',
})

/** Formats an amount in the workspace's currency. */
export const formatMoney = (amount: number): string => money.format(amount)
