/** Which kinds of supply belong to which customers and places (IGST Act, sections 10 and 16). */
import type { Issue } from '../../../core/errors.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { isTaxpayer } from '../reckoning/gstin.ts'
import { isAbroad, placeOfDelivery } from '../reckoning/place-of-supply.ts'
import { ABROAD, stateName } from '../reckoning/states.ts'
import { isExport, isToSez, isUnderLut, type TaxScheme } from '../reckoning/totals.ts'
import { placedCustomer } from './compose.ts'

export type Supplied = Pick<
  DocumentRow,
  'placeOfSupply' | 'supplyType' | 'reverseCharge' | 'customer' | 'lines'
>

/** Where the goods or the service end, by the addresses of the customer; without any, by the place of supply. */
function goesAbroad({ placeOfSupply, customer }: Supplied): boolean {
  const address = customer.shippingAddress ?? customer.billingAddress
  return placeOfSupply === ABROAD && (!address || isAbroad(address))
}

function exportIssues(row: Supplied): Issue[] {
  const issues: Issue[] = []
  if (!goesAbroad(row))
    issues.push({
      path: 'supplyType',
      message:
        'is an export: the delivery address, else the billing address, and the place of supply (96) must be abroad',
    })
  if (row.reverseCharge)
    issues.push({
      path: 'reverseCharge',
      message: 'must be false for an export: the buyer abroad pays no tax here',
    })
  return issues
}

function sezIssues({ placeOfSupply, supplyType, reverseCharge, customer }: Supplied): Issue[] {
  const issues: Issue[] = []
  if (!customer.gstin || !isTaxpayer(customer.gstin))
    issues.push({
      path: 'customer.gstin',
      message: customer.gstin
        ? 'must be the GSTIN of a unit or developer of a special economic zone'
        : 'is required for a supply to a special economic zone',
    })
  if (placeOfSupply === ABROAD)
    issues.push({ path: 'placeOfSupply', message: 'must be a state of India for a special economic zone' })
  if (reverseCharge && isUnderLut(supplyType))
    issues.push({
      path: 'reverseCharge',
      message: 'must be false under a letter of undertaking: no tax is due',
    })
  return issues
}

/** A place that is not where the paper says that the goods go. */
function deliveryIssues({ placeOfSupply, customer, lines }: Supplied): Issue[] {
  const delivered = placeOfDelivery(placedCustomer(customer), lines)
  if (delivered === undefined || delivered === placeOfSupply) return []
  return [
    {
      path: 'placeOfSupply',
      message: `must be the place of the delivery address, ${stateName(delivered)} (${delivered}), for goods to a customer who is not registered`,
    },
  ]
}

/** What cannot be together on a document. */
export function supplyIssues(row: Supplied, taxScheme: TaxScheme): Issue[] {
  const { supplyType } = row
  const issues = isExport(supplyType) ? [] : deliveryIssues(row)
  if (supplyType === 'regular') return issues
  if (taxScheme !== 'regular')
    return [
      ...issues,
      { path: 'supplyType', message: 'must be regular: other kinds need the tax scheme regular' },
    ]
  return [...issues, ...(isToSez(supplyType) ? sezIssues(row) : exportIssues(row))]
}
