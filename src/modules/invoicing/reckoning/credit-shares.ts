/** What a credit note takes of the taxes of an invoice, and of what was taxed. */
import { divideRounded } from '../../../core/money.ts'
import type { Amounts } from './totals.ts'

/** What notes before this one have left of an invoice. */
export type Left = Amounts & { totalMinor: number; reverseCharge: boolean }

const positive = (minor: number): bigint => BigInt(Math.max(0, minor))

/** The share of a part in `amount`, where all that is left comes to `sum`. */
const shareOf = (part: bigint, amount: bigint, sum: bigint): bigint =>
  part === 0n ? 0n : divideRounded(part * amount, sum)

/** The same of two halves: an even number wherever one leaves no more to the other parts than there is of them. */
function shareOfHalves(part: bigint, amount: bigint, sum: bigint): bigint {
  if (part === 0n) return 0n
  const lowest = amount - (sum - part)
  const highest = part < amount ? part : amount
  const nearest = 2n * divideRounded(part * amount, 2n * sum)
  const even = [nearest, nearest - 2n, nearest + 2n].find(
    (one) => one >= 0n && one >= lowest && one <= highest,
  )
  return even ?? shareOf(part, amount, sum)
}

/** Taxes that the buyer pays to the state are no part of the amount. */
function sharesBesideAmount(left: Left, amount: bigint): Amounts {
  const share = (part: number): number => Number(shareOf(positive(part), amount, positive(left.totalMinor)))
  return {
    taxableMinor: Number(amount),
    cgstMinor: share(left.cgstMinor),
    sgstMinor: share(left.sgstMinor),
    igstMinor: share(left.igstMinor),
    cessMinor: share(left.cessMinor),
  }
}

/**
 * The share of each: none is below 0 or above what is left of it, they come to the amount, and notes over all of the total take all of
 * each. One after the other takes its share of the rest, so that none is left with more than there is of it.
 */
export function creditShares(left: Left, amountMinor: number): Amounts {
  let amount = BigInt(amountMinor)
  if (left.reverseCharge) return sharesBesideAmount(left, amount)
  const [cgst, sgst, igst, cess] = [
    positive(left.cgstMinor),
    positive(left.sgstMinor),
    positive(left.igstMinor),
    positive(left.cessMinor),
  ]
  let sum = positive(left.taxableMinor) + cgst + sgst + igst + cess
  const take = (part: bigint, share = shareOf): bigint => {
    const taken = share(part, amount, sum)
    amount -= taken
    sum -= part
    return taken
  }
  const ofCess = take(cess)
  const ofIgst = take(igst)
  const ofHalves = take(cgst + sgst, shareOfHalves)
  const ofCgst = shareOf(cgst, ofHalves, cgst + sgst)
  return {
    taxableMinor: Number(amount),
    cgstMinor: Number(ofCgst),
    sgstMinor: Number(ofHalves - ofCgst),
    igstMinor: Number(ofIgst),
    cessMinor: Number(ofCess),
  }
}
