/** Money as later modules write it. */
export { divideRounded, minorPerUnit, moneyText } from '../reckoning/money.ts'
