import type { Issue } from '../../../../core/errors.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { placeOf } from '../reckoning/place-of-supply.ts'
import type { SalesSettings } from '../settings-schema.ts'
import { type SupplyFacts, supplyIssues } from './supply-rules.ts'

/** From this total, an invoice must name the customer and their address. */
const NAMED_FROM_MINOR = 5_000_000

/** Returns the data that the tax scheme requires and that the invoice lacks. */
export function missingDataOf(
  row: Pick<DocumentRow, 'kind' | 'totalMinor'> & SupplyFacts,
  { seller, taxScheme, hsnDigits }: Pick<SalesSettings, 'seller' | 'taxScheme' | 'hsnDigits'>,
): Issue[] {
  const issues: Issue[] = []
  const raise = (path: string, message: string) => issues.push({ path, message })
  if (!seller) raise('seller', 'Required. Set it with PUT /sales-settings.')
  if (row.totalMinor === 0) raise('lines', 'Must come to more than 0.')
  issues.push(...supplyIssues(row, taxScheme))
  if (row.kind !== 'invoice' || taxScheme === 'none' || !seller) return issues
  if (!seller.gstin) raise('seller.gstin', 'Required. Set it with PUT /sales-settings.')
  if (
    taxScheme === 'composition' &&
    row.placeOfSupply !== placeOf({ ...seller, gstin: seller.gstin ?? null })
  )
    raise('placeOfSupply', "Must be the seller's own state under the composition scheme.")
  if (row.customer.gstin && hsnDigits > 0)
    for (const [i, line] of row.lines.entries())
      if ((line.hsn ?? '').length < hsnDigits)
        raise(`lines[${i}].hsn`, `Must have at least ${hsnDigits} digits for a registered customer.`)
  if (row.totalMinor >= NAMED_FROM_MINOR) {
    if (!row.customer.name) raise('customer.name', 'Required for a total of ₹50,000 or more.')
    if (!row.customer.billingAddress)
      raise('customer.billingAddress', 'Required for a total of ₹50,000 or more.')
  }
  return issues
}
