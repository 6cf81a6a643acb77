/** Assigns recipients to the sample of a campaign and to its variants (DECISIONS.md "Comparing templates"). Pure. */
import { sha256 } from '../../../../core/values/digest.ts'

const UINT32 = 2 ** 32
const HUNDRED = 100

/** A variant and its share of the sample, in percent. All shares together are 100. */
type Share = { number: number; share: number }

/**
 * Returns the number of the variant for a recipient; null if the recipient is not in the sample. The result depends only
 * on the campaign and the recipient, so every process and every attempt returns the same.
 */
export function assignVariant(
  { broadcastId, samplePercent }: { broadcastId: string; samplePercent: number },
  variants: readonly Share[],
  contactId: string,
): number | null {
  const digest = sha256(`${broadcastId} ${contactId}`)
  if ((digest.readUInt32BE(0) / UINT32) * HUNDRED >= samplePercent) return null
  const place = (digest.readUInt32BE(4) / UINT32) * HUNDRED
  let end = 0
  for (const { number, share } of variants) {
    end += share
    if (place < end) return number
  }
  return variants.at(-1)!.number
}

/** Returns the shares of the variants that have none: the rest of 100 percent in equal parts, the first ones larger. */
export function fillShares(shares: readonly (number | undefined)[]): number[] {
  const open = shares.filter((share) => share === undefined).length
  const rest = HUNDRED - shares.reduce<number>((sum, share) => sum + (share ?? 0), 0)
  let place = 0
  return shares.map((share) => {
    if (share !== undefined) return share
    const part = Math.floor(rest / open) + (place < rest % open ? 1 : 0)
    place++
    return part
  })
}

const LETTERS = 'ABC'
/** Returns the name of a variant: A, B, or C. */
export const nameOfVariant = (number: number): 'A' | 'B' | 'C' => LETTERS[number - 1] as 'A' | 'B' | 'C'
/** Returns the number of the variant with this name. */
export const numberOfVariant = (name: 'A' | 'B' | 'C'): number => LETTERS.indexOf(name) + 1
