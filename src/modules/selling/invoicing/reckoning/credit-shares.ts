/** Computes a credit note's share of an invoice's taxes and of its taxable amount. */
import { divideRounded } from '../../../../core/values/money.ts'
import type { Amounts } from './totals.ts'

/** The remaining amounts of an invoice after earlier notes. */
export type RemainingAmounts = Amounts & { totalMinor: number; reverseCharge: boolean }

const positive = (minor: number): bigint => BigInt(Math.max(0, minor))

/** Returns the share of a part in `amount`, if the remaining parts add up to `sum`. */
const shareOf = (part: bigint, amount: bigint, sum: bigint): bigint =>
  part === 0n ? 0n : divideRounded(part * amount, sum)

/**
 * Returns the share of two equal halves: an even number if that leaves the other parts no more than remains
 * of them.
 */
function shareOfHalves(part: bigint, amount: bigint, sum: bigint): bigint {
  if (part === 0n) return 0n
  const lowest = amount - (sum - part)
  const highest = part < amount ? part : amount
  const nearest = 2n * divideRounded(part * amount, 2n * sum)
  const even = [nearest, nearest - 2n, nearest + 2n].find(
    (candidate) => candidate >= 0n && candidate >= lowest && candidate <= highest,
  )
  return even ?? shareOf(part, amount, sum)
}

/** Computes the shares if the buyer pays the taxes to the state, so that taxes aren't part of the amount. */
function sharesBesideAmount(left: RemainingAmounts, amount: bigint): Amounts {
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
 * Returns the share of each part. None is negative or above the remaining part, they add up to the amount,
 * and notes over the whole total take all of each part. Each part takes its share of the rest in turn, so
 * that no part gets more than remains.
 */
export function creditShares(left: RemainingAmounts, amountMinor: number): Amounts {
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
    const portion = share(part, amount, sum)
    amount -= portion
    sum -= part
    return portion
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
