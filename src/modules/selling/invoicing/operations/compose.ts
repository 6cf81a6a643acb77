/** Computes a document's columns from its parts: the customer, the place of supply, and the totals. */
import type { Context } from '../../../../core/context.ts'
import { hidesDetails, refuseHiddenChange } from '../../../../core/customer-details.ts'
import { type Issue, invalid, refuseReference } from '../../../../core/errors.ts'
import { MAX_MINOR } from '../../../../core/values/money.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { findContactsOf } from '../../../messaging/contacts/operations/find-contact.ts'
import { notANumber, settleNumber } from '../../../messaging/contacts/operations/settle-numbers.ts'
import type { DocumentRow, StoredBasis, StoredCustomer } from '../queries/documents.ts'
import { type PlacedCustomer, placeOf, placeOfSupply } from '../reckoning/place-of-supply.ts'
import { netOf, reckon } from '../reckoning/totals.ts'
import type { Customer, DocumentKind, DraftPatch } from '../schema.ts'

/** The given parts of a document. */
export type Parts = Pick<
  DocumentRow,
  | 'kind'
  | 'contactId'
  | 'customer'
  | 'givenPlaceOfSupply'
  | 'supplyType'
  | 'reverseCharge'
  | 'issueDate'
  | 'dueDate'
  | 'validUntil'
  | 'reference'
  | 'notes'
  | 'terms'
> & { lines: NonNullable<DraftPatch['lines']> }

const NO_CUSTOMER: StoredCustomer = {
  name: null,
  phone: null,
  email: null,
  gstin: null,
  billingAddress: null,
  shippingAddress: null,
}

/** Returns a customer's data from the contact. The contact can't be erased before the transaction ends. */
async function customerOf(ctx: Context, contactId: string): Promise<StoredCustomer> {
  await holdOffErasures(ctx)
  const contact = (await findContactsOf(ctx, [{ workspaceId: ctx.workspace.id, contactId }])).get(contactId)
  if (!contact) refuseReference('contactId', 'Contact not found. See GET /contacts.')
  return {
    ...NO_CUSTOMER,
    name: contact.displayName ?? contact.profileName,
    phone: contact.phone.startsWith('+') ? contact.phone : null,
  }
}

/** Returns the requested customer, with their number in E.164. */
export async function readCustomer<Given extends Customer | undefined>(
  ctx: Context,
  customer: Given,
): Promise<Given> {
  if (!customer?.phone) return customer
  const number = await settleNumber(ctx, customer.phone)
  if (number === undefined) throw notANumber('customer.phone', customer.phone)
  return { ...customer, phone: number.phone }
}

/** Returns the given customer, completed from the contact. */
export async function completeCustomer(
  ctx: Context,
  contactId: string | null,
  input: Customer | undefined,
): Promise<StoredCustomer> {
  const contactCustomer = contactId === null ? NO_CUSTOMER : await customerOf(ctx, contactId)
  const { name, phone, email, gstin, billingAddress, shippingAddress } = input ?? {}
  return {
    name: name ?? contactCustomer.name,
    phone: phone ?? contactCustomer.phone,
    email: email ?? contactCustomer.email,
    gstin: gstin ?? null,
    billingAddress: billingAddress ?? null,
    shippingAddress: shippingAddress ?? null,
  }
}

/**
 * Returns the customer of a change with the stored number and email address, if they are hidden from the caller. Refuses to
 * replace them.
 */
export function withHiddenDetails(
  ctx: Context,
  stored: StoredCustomer,
  input: Customer | undefined,
): Customer | undefined {
  if (input === undefined || !hidesDetails(ctx)) return input
  for (const field of ['phone', 'email'] as const)
    refuseHiddenChange(ctx, `customer.${field}`, stored[field], input[field])
  return { ...input, phone: input.phone ?? stored.phone, email: input.email ?? stored.email }
}

const INVOICE_TYPES = { none: 'invoice', regular: 'tax_invoice', composition: 'bill_of_supply' } as const

function documentTypeOf(kind: DocumentKind, { taxScheme }: StoredBasis) {
  if (kind === 'invoice') return INVOICE_TYPES[taxScheme]
  return kind === 'voucher' ? 'receipt_voucher' : kind
}

function refuseUnsound(parts: Parts, totalMinor: number): void {
  const issues: Issue[] = []
  const nets = parts.lines.map(netOf)
  for (const [i, net] of nets.entries())
    if (net < 0n) issues.push({ path: `lines[${i}].discountMinor`, message: 'Must be at most the price.' })
  if (totalMinor > MAX_MINOR || nets.some((net) => net > BigInt(MAX_MINOR)))
    issues.push({ path: 'lines', message: `Must come to at most ${MAX_MINOR} minor units in all.` })
  if (issues.length > 0) throw invalid(issues)
}

/** Returns the customer's data that decides the place of supply. */
export const placedCustomer = ({
  gstin,
  billingAddress,
  shippingAddress,
}: StoredCustomer): PlacedCustomer => ({
  gstin,
  address: billingAddress,
  delivery: shippingAddress,
})

/** Returns the computed columns for the parts, a seller, and rules. */
export function composed(parts: Parts, basis: StoredBasis & { currency: string }) {
  const seller = { gstin: basis.seller?.gstin ?? null, address: basis.seller?.address ?? null }
  const place = placeOfSupply(parts.givenPlaceOfSupply ?? undefined, {
    customer: placedCustomer(parts.customer),
    seller,
    lines: parts.lines,
  })
  const { lines, ...totals } = reckon(parts.lines, {
    ...basis,
    supplyType: parts.supplyType,
    reverseCharge: parts.reverseCharge,
    isSameState: place === placeOf(seller),
  })
  refuseUnsound(parts, totals.totalMinor)
  const { kind, contactId, givenPlaceOfSupply, supplyType, reverseCharge } = parts
  const { issueDate, dueDate, validUntil, reference, notes, terms } = parts
  return {
    kind,
    contactId,
    customer: parts.customer,
    givenPlaceOfSupply,
    supplyType,
    reverseCharge,
    issueDate,
    dueDate,
    validUntil,
    reference,
    notes,
    terms,
    documentType: documentTypeOf(parts.kind, basis),
    placeOfSupply: place ?? null,
    currency: basis.currency,
    lines: parts.lines.map((line, i) => ({ ...line, ...lines[i]! })),
    ...totals,
  }
}
