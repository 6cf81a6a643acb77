import { moneyLocale } from '../texts.ts'

const money = new Intl.NumberFormat(moneyLocale('INR'), {
  style: 'currency',
  currency: 'INR',
  // Whole amounts go without paise, others with both digits of them.
  trailingZeroDisplay: 'stripIfInteger',
})

/** An amount in the unit of the workspace's currency. */
export const formatMoney = (amount: number): string => money.format(amount)
