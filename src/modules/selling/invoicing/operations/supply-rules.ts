/** Checks which kinds of supply are allowed for customers and places (IGST Act, sections 10 and 16). */
import type { Issue } from '../../../../core/errors.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { isTaxpayer } from '../reckoning/gstin.ts'
import { isAbroad, placeOfDelivery } from '../reckoning/place-of-supply.ts'
import { ABROAD, stateName } from '../reckoning/states.ts'
import { isExport, isToSez, isUnderLut, type TaxScheme } from '../reckoning/totals.ts'
import { placedCustomer } from './compose.ts'

export type SupplyFacts = Pick<
  DocumentRow,
  'placeOfSupply' | 'supplyType' | 'reverseCharge' | 'customer' | 'lines'
>

/**
 * Returns whether the goods or the service end abroad, by the customer's addresses, or by the place of supply
 * without addresses.
 */
function isDeliveredAbroad({ placeOfSupply, customer }: SupplyFacts): boolean {
  const address = customer.shippingAddress ?? customer.billingAddress
  return placeOfSupply === ABROAD && (!address || isAbroad(address))
}

function exportIssues(row: SupplyFacts): Issue[] {
  const issues: Issue[] = []
  if (!isDeliveredAbroad(row))
    issues.push({
      path: 'supplyType',
      message:
        'Must have an address abroad for an export: the delivery address, or else the billing address, and place of supply 96.',
    })
  if (row.reverseCharge)
    issues.push({
      path: 'reverseCharge',
      message: 'Must be false for an export: the buyer abroad pays no tax here.',
    })
  return issues
}

function sezIssues({ placeOfSupply, supplyType, reverseCharge, customer }: SupplyFacts): Issue[] {
  const issues: Issue[] = []
  if (!customer.gstin || !isTaxpayer(customer.gstin))
    issues.push({
      path: 'customer.gstin',
      message: customer.gstin
        ? 'Must be the GSTIN of a unit or developer of a special economic zone.'
        : 'Required for a supply to a special economic zone.',
    })
  if (placeOfSupply === ABROAD)
    issues.push({ path: 'placeOfSupply', message: 'Must be a state of India for a special economic zone.' })
  if (reverseCharge && isUnderLut(supplyType))
    issues.push({
      path: 'reverseCharge',
      message: 'Must be false under a letter of undertaking: no tax is due.',
    })
  return issues
}

/** Returns the issues of a place that differs from the delivery address on the document. */
function deliveryIssues({ placeOfSupply, customer, lines }: SupplyFacts): Issue[] {
  const deliveryState = placeOfDelivery(placedCustomer(customer), lines)
  if (deliveryState === undefined || deliveryState === placeOfSupply) return []
  return [
    {
      path: 'placeOfSupply',
      message: `Must be the state of the delivery address, ${stateName(deliveryState)} (${deliveryState}), for goods to an unregistered customer.`,
    },
  ]
}

/** Returns the issues of combinations that aren't allowed on a document. */
export function supplyIssues(row: SupplyFacts, taxScheme: TaxScheme): Issue[] {
  const { supplyType } = row
  const issues = isExport(supplyType) ? [] : deliveryIssues(row)
  if (supplyType === 'regular') return issues
  if (taxScheme !== 'regular')
    return [
      ...issues,
      { path: 'supplyType', message: 'Must be regular. Other kinds require the tax scheme regular.' },
    ]
  return [...issues, ...(isToSez(supplyType) ? sezIssues(row) : exportIssues(row))]
}
